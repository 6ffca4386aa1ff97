import { Type } from 'typebox';
import { Value } from 'typebox/value';

import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { findUnresolved } from '#payments/disputes/store.ts';
import { runIdempotent, type IdempotentResult, type WorkResult } from '#payments/idempotency/service.ts';
import { createRefundOperation, type RefundSource } from '#payments/operations/refund.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import { remainingAmount, type Terms } from '#payments/transactions/decisions.ts';
import { retainedPartsOf, type RetainedPart } from '#payments/transactions/money-movements.ts';
import type {
  ApplyResult,
  Transaction,
  TransactionKey,
  TransactionsService,
} from '#payments/transactions/service.ts';
import { viewTransaction, type TransactionView } from '#payments/transactions/views.ts';
import { findRefund, findRefunds, insertRefund, type RefundKey } from './store.ts';

/** How long after its payment a Pix payment can be refunded: BCB Resolution 1/2020, art. 41-B. */
const PIX_REFUND_WINDOW_MS = 90 * 24 * 3_600_000;

export interface RefundsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly operations: ProviderOperations;
  /** Finds the source of a refund that the sandbox does not complete at once. */
  readonly findSandboxSource: (transaction: Transaction) => RefundSource | undefined;
  readonly publicUrl: string;
}

interface RefundRequest {
  readonly key: TransactionKey;
  /** In cents; null refunds the remaining amount. */
  readonly amount: number | null;
  readonly reason: string | null;
  readonly idempotencyKey: string;
  readonly bodyHash: Buffer;
  readonly actor: AuditActor;
}

type RefundFailure =
  | Exclude<ApplyResult, { readonly kind: 'applied' }>
  | { readonly kind: 'too-late' }
  /** The payer claims it back by MED. */
  | { readonly kind: 'claimed' };

export type RefundsService = ReturnType<typeof createRefundsService>;

export const createRefundsService = (deps: RefundsDeps) =>
  bindDeps(deps, {
    refund,
    async find({ db }, { sellerId, id }: RefundKey) {
      return isUuid(id) ? findRefund(db, { sellerId, id }) : undefined;
    },
    /** The refunds of a transaction, oldest first. */
    listByTransaction: ({ db }, key: TransactionKey) => findRefunds(db, key),
  });

/**
 * Refunds a paid transaction in full or in part. The refund, the transaction, the ledger entries,
 * the event and the idempotency key commit together. The transaction is locked, so concurrent
 * refunds cannot exceed the payment.
 */
async function refund(
  deps: RefundsDeps,
  request: RefundRequest,
): Promise<IdempotentResult<TransactionView, RefundFailure>> {
  const { db, clock, transactions } = deps;
  const { key, idempotencyKey, bodyHash } = request;
  // The id becomes part of the idempotency key's operation.
  if (!isUuid(key.id)) return { kind: 'refused', failure: { kind: 'unknown' } };
  const now = clock.now();
  const recordId = newId(now.getTime());
  const terms = await transactions.termsOf(key.sellerId);
  const result = await runIdempotent<TransactionView, RefundFailure>(
    db,
    {
      sellerId: key.sellerId,
      operation: idempotencyOperation(key),
      key: idempotencyKey,
      bodyHash,
      recordId,
      now,
      isResponse: isTransactionView,
    },
    (trx) => createRefund(deps, trx, request, { id: recordId, now, terms }),
  );
  if (result.kind === 'done') {
    failPoint('refunds.committed');
    transactions.notifyWorker();
  }
  return result;
}

async function createRefund(
  { transactions, operations, findSandboxSource, publicUrl }: RefundsDeps,
  trx: DatabaseTransaction,
  { key, amount: requestedAmount, reason, actor }: RefundRequest,
  { id, now, terms }: { readonly id: string; readonly now: Date; readonly terms: Terms },
): Promise<WorkResult<TransactionView, RefundFailure>> {
  let amount = 0;
  let tooLate = false;
  let retained: readonly RetainedPart[] = [];
  // An external provider executes the refund and reports its completion later.
  let source = await operations.findRefundSource(trx, key);
  const applied = await transactions.applyEventInTransaction(trx, key, {
    terms,
    actor: 'SELLER',
    event: (transaction) => {
      amount = requestedAmount ?? remainingAmount(transaction);
      tooLate = isTooLate(transaction, now);
      retained = retainedPartsOf(transaction, amount);
      source ??= findSandboxSource(transaction);
      return { kind: source === undefined ? 'REFUND' : 'REFUND_REQUEST', amount };
    },
  });
  if (applied.kind === 'impossible' && applied.from === 'DISPUTE') {
    const isClaimed = ((await findUnresolved(trx, key))?.med ?? null) !== null;
    if (isClaimed) return { kind: 'refused', failure: { kind: 'claimed' } };
  }
  if (applied.kind !== 'applied') return { kind: 'refused', failure: applied };
  if (tooLate) return { kind: 'refused', failure: { kind: 'too-late' } };
  await insertRefund(trx, {
    sellerId: key.sellerId,
    id,
    transactionId: key.id,
    amount,
    reason,
    status: source === undefined ? 'DONE' : 'PENDING',
    retained: source === undefined ? null : retained,
    createdBy: actor,
    // The time of the ledger entries, which refer to the transaction: it identifies the refund.
    createdAt: applied.transaction.updatedAt,
  });
  await recordAudit(trx, actor, {
    ...({
      action: 'transaction.refunded',
      recordType: 'transaction',
    } as const),
    recordId: key.id.toLowerCase(),
    sellerId: key.sellerId,
    before: null,
    after: {
      refundId: id,
      amount,
    },
    at: now,
  });
  if (source !== undefined) await createRefundOperation(trx, key, { id, amount, createdAt: now }, source);
  return { kind: 'done', response: viewTransaction(applied.transaction, publicUrl) };
}

/** The idempotency keys of refunds are scoped to their transaction. */
export const idempotencyOperation = ({ id }: { readonly id: string }): string =>
  `transactions.refund ${id.toLowerCase()}`;

function isTooLate({ method, paidAt }: Transaction, now: Date): boolean {
  return method === 'PIX' && paidAt !== null && now.getTime() - paidAt.getTime() > PIX_REFUND_WINDOW_MS;
}

const isTransactionView = (stored: unknown): stored is TransactionView =>
  Value.Check(Type.Object({ id: Type.String() }), stored);
