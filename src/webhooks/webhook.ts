import type { TextOf } from '#platform/kit/templates.ts';
/** Templates of the reasons why a webhook is disabled. */
export const DISABLED_REASONS = [
  'The server responded with 410 Gone: the address is no longer in use.',
  'You disabled it.',
  'Every attempt has failed for five days, since {timestamp}.',
] as const;
export type DisabledReason = TextOf<(typeof DISABLED_REASONS)[number]>;

export const EVENT_TYPES = ['TRANSACTION', 'WITHDRAWAL', 'DISPUTE', 'SUBSCRIPTION', 'ALL'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const WEBHOOK_STATUSES = ['ACTIVE', 'DISABLED'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Webhooks per seller. */
export const MAX_WEBHOOKS = 20;

export interface WebhookKey {
  readonly sellerId: string;
  readonly id: string;
}

export interface Webhook extends WebhookKey {
  readonly url: string;
  readonly eventType: EventType;
  readonly description: string | null;
  readonly encryptedSecret: string;
  readonly createdAt: Date;
  /** Null while it is ACTIVE, as is `disabledReason`. */
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
}

export interface WebhookChanges {
  readonly url?: string;
  readonly eventType?: EventType;
  readonly description?: string | null;
  readonly status?: WebhookStatus;
}
