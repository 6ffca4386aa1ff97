import type { MantineColor } from '@mantine/core';

import type { MedStatus } from '../../../src/payments/disputes/med.ts';
import type { DisputeStatus } from '../../../src/payments/disputes/states.ts';
import type { MailStatus } from '../../../src/notifications/mail.ts';
import type { LineOutcome } from '../../../src/cnab/exchange/return-file.ts';
import type { ProviderEventOutcome } from '../../../src/payments/provider-events/provider-event.ts';
import type { ApplicationStatus } from '../../../src/onboarding/states.ts';
import type { ReversalStatus } from '../../../src/payouts/reversals/reversal.ts';
import type { LinkStatus } from '../../../src/payments/payment-links/link.ts';
import type { InvoiceStatus, SubscriptionStatus } from '../../../src/subscriptions/subscription.ts';
import type { Status } from '../../../src/payments/transactions/transaction.ts';
import type { WithdrawalStatus } from '../../../src/payouts/withdrawals/withdrawal.ts';

type Colors<Of extends string> = Readonly<Record<Of, MantineColor>>;
/** Requires a color for every status the gateway knows. */
interface Known {
  readonly charge: Colors<Status>;
  readonly withdrawal: Colors<WithdrawalStatus>;
  readonly 'operator.withdrawal': Colors<WithdrawalStatus>;
  readonly dispute: Colors<DisputeStatus>;
  readonly med: Colors<MedStatus>;
  readonly application: Colors<ApplicationStatus>;
  readonly link: Colors<LinkStatus>;
  readonly subscription: Colors<SubscriptionStatus>;
  readonly invoice: Colors<InvoiceStatus>;
  readonly 'operator.dispute': Colors<DisputeStatus>;
  readonly 'operator.reversal': Colors<ReversalStatus>;
  readonly 'operator.mail': Colors<MailStatus>;
  readonly 'operator.providerEvent': Colors<ProviderEventOutcome | LineOutcome | 'WAITING'>;
}

const WITHDRAWAL_COLORS = {
  PENDING: 'blue',
  APPROVED: 'blue',
  PROCESSING: 'blue',
  PAID: 'green',
  REJECTED: 'red',
  FAILED: 'red',
} as const;

/** Badge colors. The labels and descriptions are in the texts of each language. */
export const STATUS_COLORS = {
  charge: {
    PENDING: 'blue',
    WAITING_PAYMENT: 'blue',
    PROCESSING: 'blue',
    AUTHORIZED: 'violet',
    PAID: 'green',
    FAILED: 'gray',
    REFUSED: 'red',
    REFUNDED: 'gray',
    CHARGEDBACK: 'red',
    DISPUTE: 'orange',
  },
  withdrawal: WITHDRAWAL_COLORS,
  dispute: { OPEN: 'orange', UNDER_REVIEW: 'blue', RESOLVED: 'green', REJECTED: 'red' },
  med: {
    CREATED: 'blue',
    TRACKED: 'blue',
    AWAITING_ANALYSIS: 'blue',
    ANALYSED: 'blue',
    REFUNDING: 'orange',
    COMPLETED: 'gray',
    CANCELLED: 'gray',
  },
  delivery: { PENDING: 'blue', DELIVERED: 'green', FAILED: 'red', HELD: 'orange' },
  application: {
    DRAFT: 'gray',
    SUBMITTED: 'blue',
    QUESTION: 'orange',
    APPROVED: 'green',
    REJECTED: 'red',
    EXPIRED: 'gray',
  },
  link: { ACTIVE: 'green', INACTIVE: 'gray', EXPIRED: 'orange', COMPLETED: 'blue' },
  subscription: {
    PENDING: 'blue',
    ACTIVE: 'green',
    PAST_DUE: 'orange',
    PAUSED: 'gray',
    CANCELLED: 'gray',
    COMPLETED: 'blue',
    REJECTED: 'red',
    EXPIRED: 'gray',
  },
  invoice: { SCHEDULED: 'blue', PENDING: 'blue', PAID: 'green', FAILED: 'red', CANCELLED: 'gray' },
  webhook: { ACTIVE: 'green', DISABLED: 'orange' },
  // Operator statuses, whose texts are loaded with the operator's screens.
  'operator.seller': { PENDING: 'blue', ACTIVE: 'green', SUSPENDED: 'orange', CLOSED: 'gray' },
  'operator.withdrawal': WITHDRAWAL_COLORS,
  'operator.dispute': { OPEN: 'blue', UNDER_REVIEW: 'orange', RESOLVED: 'green', REJECTED: 'gray' },
  'operator.reversal': { MANUAL: 'orange', PENDING: 'blue', SENT: 'green' },
  'operator.mail': { PENDING: 'blue', SENT: 'green', KEPT: 'gray', FAILED: 'red' },
  'operator.providerEvent': {
    APPLIED: 'green',
    LATE: 'orange',
    DUPLICATE: 'orange',
    WRONG_AMOUNT: 'orange',
    REJECTED: 'gray',
    UNMATCHED: 'red',
    PENDING: 'blue',
    NOTED: 'gray',
    REPEATED: 'gray',
    WAITING: 'blue',
  },
  'operator.day': { BALANCED: 'green', DIFFERENT: 'red', NO_FILE: 'orange', NO_FILE_DUE: 'gray' },
  'operator.check': { OK: 'green', WARNING: 'orange', FAILED: 'red' },
  'operator.component': { UP: 'green', DOWN: 'red' },
  'operator.provider': { CLOSED: 'green', HALF_OPEN: 'orange', OPEN: 'red' },
} as const satisfies Record<string, Record<string, MantineColor>> & Known;

const OUTCOMES: Readonly<Record<string, 'EXPIRED' | 'CANCELED'>> = {
  expired: 'EXPIRED',
  'authorization expired': 'EXPIRED',
  cancelled: 'CANCELED',
  voided: 'CANCELED',
};

/** The reason of a status, unless its label says the same; null if there is none. */
export const furtherReason = (reason: string | null): string | null =>
  reason === 'expired' || reason === 'cancelled' ? null : reason;

/**
 * The displayed status of a charge: FAILED splits by cause, a failed card payment is declined, and
 * a paid one may be refunded in part.
 */
export function chargeOutcome<S extends string>(
  method: string,
  status: S,
  reason: string | null,
  refundedAmount = 0,
) {
  if (status === 'PAID' && refundedAmount > 0) return 'PARTLY_REFUNDED';
  if (status !== 'FAILED' || reason === null) return status;
  return OUTCOMES[reason] ?? (method === 'CREDIT_CARD' ? 'DECLINED' : status);
}

export type Kind = keyof typeof STATUS_COLORS;

/** Statuses of a kind, in the order of the filters. */
function statusesOf<K extends Kind>(kind: K): readonly Extract<keyof (typeof STATUS_COLORS)[K], string>[] {
  const all: Extract<keyof (typeof STATUS_COLORS)[K], string>[] = [];
  for (const status in STATUS_COLORS[kind]) all.push(status);
  return all;
}

export const CHARGE_STATUSES = statusesOf('charge');
export const WITHDRAWAL_STATUSES = statusesOf('withdrawal');
export const DISPUTE_STATUSES = statusesOf('dispute');
export const DELIVERY_STATUSES = statusesOf('delivery');
export const SELLER_STATUSES = statusesOf('operator.seller');
export const APPLICATION_STATUSES = statusesOf('application');
export const REVERSAL_STATUSES = statusesOf('operator.reversal');
export const MAIL_STATUSES = statusesOf('operator.mail');
export const WITHDRAWAL_METHODS = ['PIX', 'TED', 'CRYPTO'] as const;
export { METHODS } from '../../../src/payments/transactions/transaction.ts';
