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
export const METHODS = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const;
