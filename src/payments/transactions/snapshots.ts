import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { saveResponse, type IdempotencyKey } from '#payments/idempotency/store.ts';
import {
  RISK_STATUSES,
  STATUSES,
  toInitialTransaction,
  type CardPayment,
  type Transaction,
} from './transaction.ts';

/**
 * The part of a creation's response that later changes of the record may overwrite. A replay takes
 * everything else from the record, so that no card data is stored twice.
 */
const Snapshot = Type.Object({
  status: Type.Enum([...STATUSES]),
  statusReason: Type.Union([Type.String(), Type.Null()]),
  amount: Type.Integer(),
  feeAmount: Type.Integer(),
  paidAt: Type.Union([Type.String(), Type.Null()]),
  updatedAt: Type.String(),
  riskStatus: Type.Optional(Type.Union([Type.Enum([...RISK_STATUSES]), Type.Null()])),
  card: Type.Optional(
    Type.Object({
      authorizationCode: Type.Union([Type.String(), Type.Null()]),
      nsu: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});

/** Stores the state in which the creation returns a transaction. */
export async function saveSnapshot(
  trx: DatabaseTransaction,
  key: IdempotencyKey,
  transaction: Transaction,
): Promise<void> {
  await saveResponse(trx, key, toSnapshot(transaction));
}

/** The state of a transaction as JSON. */
export function toSnapshot(transaction: Transaction): string {
  const { status, statusReason, amount, feeAmount, paidAt, updatedAt, riskStatus } = transaction;
  const card = transaction.card === null ? undefined : codesOf(transaction.card);
  return JSON.stringify({ status, statusReason, amount, feeAmount, paidAt, updatedAt, riskStatus, card });
}

const codesOf = ({ authorizationCode, nsu }: CardPayment) => ({ authorizationCode, nsu });
const NO_CODES = { authorizationCode: null, nsu: null };

/**
 * The transaction in the state in which its creation returned it. Without a snapshot that is the
 * initial state.
 */
export function restoreSnapshot(transaction: Transaction, snapshot: unknown): Transaction {
  const known = transaction.card;
  const initial = toInitialTransaction({ ...transaction, card: known && { ...known, ...NO_CODES } });
  if (snapshot === null) return initial;
  if (!Value.Check(Snapshot, snapshot))
    throw new Error(`the snapshot of transaction ${transaction.id} is malformed`);
  // A code that was issued after a review is not part of the first response.
  const issuedLater = snapshot.riskStatus === 'REVIEW' ? { pix: null, boleto: null } : {};
  return {
    ...initial,
    ...issuedLater,
    ...snapshot,
    riskStatus: snapshot.riskStatus ?? null,
    card: initial.card && { ...initial.card, ...snapshot.card },
    paidAt: snapshot.paidAt === null ? null : new Date(snapshot.paidAt),
    updatedAt: new Date(snapshot.updatedAt),
  };
}
