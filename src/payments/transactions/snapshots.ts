import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { Db } from '#platform/database/connect.ts';
import { keepAnswer, type KeyName } from '#payments/idempotency/service.ts';
import { asCreated, STATUSES, type Transaction } from './transaction.ts';

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

export async function keepSnapshot(db: Db, name: KeyName, transaction: Transaction): Promise<void> {
  const { status, statusReason, amount, feeAmount, paidAt, updatedAt } = transaction;
  await keepAnswer(db, name, JSON.stringify({ status, statusReason, amount, feeAmount, paidAt, updatedAt }));
}

/** The charge as its creation answered it. */
export function restoreSnapshot(transaction: Transaction, kept: unknown): Transaction {
  const created = asCreated(transaction);
  if (kept === null) return created;
  if (!Value.Check(Snapshot, kept)) throw new Error('an idempotency key keeps a snapshot of another form');
  return {
    ...created,
    ...kept,
    paidAt: kept.paidAt === null ? null : new Date(kept.paidAt),
    updatedAt: new Date(kept.updatedAt),
  };
}
