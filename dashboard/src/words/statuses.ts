import type { MantineColor } from '@mantine/core';

/** The one place that says which colour a status has. Its word and what it means stand in the words, beside it on the screen. */
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
  withdrawal: {
    PENDING: 'blue',
    APPROVED: 'blue',
    PROCESSING: 'blue',
    PAID: 'green',
    REJECTED: 'red',
    FAILED: 'red',
  },
  dispute: { OPEN: 'orange', UNDER_REVIEW: 'blue', RESOLVED: 'green', REJECTED: 'red' },
  delivery: { PENDING: 'blue', DELIVERED: 'green', FAILED: 'red', HELD: 'orange' },
  webhook: { ACTIVE: 'green', DISABLED: 'orange' },
  // Of the operator, whose words are fetched with its screens.
  'operator.seller': { PENDING: 'blue', ACTIVE: 'green', SUSPENDED: 'orange', CLOSED: 'gray' },
  'operator.dispute': { OPEN: 'blue', UNDER_REVIEW: 'orange', RESOLVED: 'green', REJECTED: 'gray' },
  'operator.return': { PENDING: 'blue', SENT: 'green', MANUAL: 'orange' },
  'operator.report': {
    APPLIED: 'green',
    LATE: 'orange',
    DUPLICATE: 'orange',
    WRONG_AMOUNT: 'orange',
    REJECTED: 'gray',
    UNMATCHED: 'red',
    NOTED: 'gray',
    REPEATED: 'gray',
    WAITING: 'blue',
  },
  'operator.day': { BALANCED: 'green', DIFFERENT: 'red', NO_FILE: 'gray' },
  'operator.part': { UP: 'green', DOWN: 'red' },
  'operator.provider': { CLOSED: 'green', HALF_OPEN: 'orange', OPEN: 'red' },
} as const satisfies Record<string, Record<string, MantineColor>>;

export type Kind = keyof typeof STATUS_COLORS;

export const CHARGE_STATUSES = [
  'PENDING',
  'WAITING_PAYMENT',
  'PROCESSING',
  'AUTHORIZED',
  'PAID',
  'FAILED',
  'REFUSED',
  'REFUNDED',
  'CHARGEDBACK',
  'DISPUTE',
] as const;
export const WITHDRAWAL_STATUSES = [
  'PENDING',
  'APPROVED',
  'PROCESSING',
  'PAID',
  'REJECTED',
  'FAILED',
] as const;
export const DISPUTE_STATUSES = ['OPEN', 'UNDER_REVIEW', 'RESOLVED', 'REJECTED'] as const;
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'HELD'] as const;
export const WITHDRAWAL_METHODS = ['PIX', 'TED', 'CRYPTO'] as const;
export const METHODS = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const;
