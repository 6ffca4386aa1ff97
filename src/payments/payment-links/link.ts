import type { Method } from '#payments/transactions/transaction.ts';

/** A link that anyone can pay. Amounts in cents. */
export interface PaymentLink {
  readonly sellerId: string;
  readonly id: string;
  /** Identifies the link in its public address. */
  readonly code: string;
  readonly title: string;
  readonly description: string | null;
  /** Null: the payer enters it. */
  readonly amount: number | null;
  readonly minAmount: number | null;
  readonly maxAmount: number | null;
  readonly methods: readonly Method[];
  readonly maxInstallments: number;
  /** Null: no limit. */
  readonly maxPayments: number | null;
  /** Payments so far, and their sum. */
  readonly paymentsCount: number;
  readonly paidAmount: number;
  /** As stored; see `linkStatus`. */
  readonly status: 'ACTIVE' | 'INACTIVE' | 'COMPLETED';
  readonly expiresAt: Date | null;
  readonly successUrl: string | null;
  readonly customerId: string | null;
  readonly externalRef: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly postbackUrl: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const LINK_STATUSES = ['ACTIVE', 'INACTIVE', 'EXPIRED', 'COMPLETED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

export interface LinkKey {
  readonly sellerId: string;
  readonly id: string;
}

/** What a seller chooses at the creation. */
export type LinkInput = Omit<
  PaymentLink,
  'sellerId' | 'id' | 'code' | 'paymentsCount' | 'paidAmount' | 'status' | 'createdAt' | 'updatedAt'
>;

export type LinkChanges = Partial<
  Pick<PaymentLink, 'title' | 'description' | 'expiresAt' | 'maxPayments'> & {
    readonly status: 'ACTIVE' | 'INACTIVE';
  }
>;

export function linkStatus({ status, expiresAt }: PaymentLink, now: Date): LinkStatus {
  return status === 'ACTIVE' && expiresAt !== null && expiresAt <= now ? 'EXPIRED' : status;
}

/** Applies changes. A raised `maxPayments` reactivates a completed link. */
export function changeLink(link: PaymentLink, changes: LinkChanges, updatedAt: Date): PaymentLink {
  const changed = { ...link, ...changes, updatedAt };
  const { maxPayments, paymentsCount } = changed;
  if (maxPayments !== null && paymentsCount >= maxPayments) return { ...changed, status: 'COMPLETED' };
  return changed.status === 'COMPLETED' ? { ...changed, status: 'ACTIVE' } : changed;
}
