import type { Status } from './transaction.ts';

/** All transitions between the statuses of a transaction. */
export const TRANSITIONS: Readonly<Record<Status, readonly Status[]>> = {
  PENDING: ['WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED', 'PAID', 'FAILED', 'REFUSED'],
  WAITING_PAYMENT: ['PROCESSING', 'PAID', 'FAILED'],
  PROCESSING: ['AUTHORIZED', 'PAID', 'FAILED', 'REFUSED'],
  AUTHORIZED: ['PAID', 'FAILED'],
  PAID: ['REFUNDED', 'CHARGEDBACK', 'DISPUTE'],
  DISPUTE: ['PAID', 'CHARGEDBACK', 'REFUNDED'],
  FAILED: [],
  REFUSED: [],
  REFUNDED: [],
  CHARGEDBACK: [],
};

export function canTransition(from: Status, to: Status): boolean {
  return TRANSITIONS[from].includes(to);
}
