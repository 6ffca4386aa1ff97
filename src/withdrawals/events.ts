import type { Withdrawal } from './withdrawal.ts';

const WITHDRAWAL_UPDATED = 'WITHDRAWAL_UPDATED';

/** What a seller's system is told of a withdrawal: the body of the webhook. Nothing of the payee stands in it. */
export function withdrawalUpdated(withdrawal: Withdrawal): {
  readonly type: string;
  readonly payload: string;
} {
  const data = {
    id: withdrawal.id,
    status: withdrawal.status,
    amount: withdrawal.amount,
    method: withdrawal.method,
    paidAt: withdrawal.paidAt,
  };
  return { type: WITHDRAWAL_UPDATED, payload: JSON.stringify({ event: WITHDRAWAL_UPDATED, data }) };
}
