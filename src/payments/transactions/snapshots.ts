import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { saveResponse, type IdempotencyKey } from '#payments/idempotency/store.ts';
import { toInitialTransaction, STATUSES, type Transaction } from './transaction.ts';

/**
 * What of a charge that was decided at its creation (a card) cannot be told from its record later: the state it was
 * answered in. Everything else of the answer is rendered from the record, and no card data is kept twice.
 */
const Snapshot = Type.Object({
  status: Type.Enum([...STATUSES]),
  statusReason: Type.Union([Type.String(), Type.Null()]),
  amount: Type.Integer(),
  feeAmount: Type.Integer(),
  paidAt: Type.Union([Type.String(), Type.Null()]),
  updatedAt: Type.String(),
});

export async function saveSnapshot(
  trx: DatabaseTransaction,
  key: IdempotencyKey,
  transaction: Transaction,
): Promise<void> {
  const { status, statusReason, amount, feeAmount, paidAt, updatedAt } = transaction;
  await saveResponse(
    trx,
    key,
    JSON.stringify({ status, statusReason, amount, feeAmount, paidAt, updatedAt }),
  );
}

/** The charge as its creation answered it. */
export function restoreSnapshot(transaction: Transaction, saved: unknown): Transaction {
  const created = toInitialTransaction(transaction);
  if (saved === null) return created;
  if (!Value.Check(Snapshot, saved)) throw new Error('an idempotency key keeps a snapshot of another form');
  return {
    ...created,
    ...saved,
    paidAt: saved.paidAt === null ? null : new Date(saved.paidAt),
    updatedAt: new Date(saved.updatedAt),
  };
}
