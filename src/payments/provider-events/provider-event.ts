import type { PixPayer } from '#payments/transactions/transaction.ts';

/**
 * How the gateway processed a provider event. UNMATCHED events refer to no known record, reuse an
 * event id, or contradict the provider. PENDING events wait for the provider's confirmation.
 */
export const PROVIDER_EVENT_OUTCOMES = [
  'APPLIED',
  'LATE',
  'DUPLICATE',
  'WRONG_AMOUNT',
  'REJECTED',
  'UNMATCHED',
  'PENDING',
] as const;
export type ProviderEventOutcome = (typeof PROVIDER_EVENT_OUTCOMES)[number];

/** The stored part of a provider event. Each provider event id is stored once for each seller. */
export interface ProviderEventRecord {
  readonly provider: string;
  /** The provider's id of the event: for a Pix payment its end-to-end id. */
  readonly eventId: string;
  readonly kind: string;
  /** In cents; null if the event reports no money. */
  readonly amount: number | null;
  readonly occurredAt: Date;
  /** Who paid a Pix, if the provider reports it. */
  readonly payer?: PixPayer | null | undefined;
}
