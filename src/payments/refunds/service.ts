import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { runIdempotent, type IdempotentResult } from '#payments/idempotency/service.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type {
  ApplyResult,
  Transaction,
  TransactionKey,
  TransactionsService,
} from '#payments/transactions/service.ts';
import { remainingAmount } from '#payments/transactions/decisions.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import { retainedPartsOf, type RetainedPart } from '#payments/transactions/money-movements.ts';
import { findRefunds, insertRefund } from './store.ts';

/** PIX money can be returned until this long after its payment: BCB Resolution 1/2020, art. 41-B. */
const PIX_REFUND_WINDOW_MS = 90 * 24 * 3_600_000;

export interface RefundRequest {
  readonly key: TransactionKey;
  /** Cents; all that is left unless told. */
  readonly amount: number | null;
  readonly reason: string | null;
  readonly idempotencyKey: string;
  readonly bodyHash: Buffer;
}

export type RefundFailure =
  | Exclude<ApplyResult, { readonly kind: 'applied' }>
  | { readonly kind: 'too-late' };

export type RefundsService = ReturnType<typeof createRefundsService>;

export function createRefundsService(
  db: Db,
  clock: Clock,
  transactions: TransactionsService,
  providerOperations: ProviderOperations,
) {
  return {
    /** The refunds of a charge, the first one first. */
    listByTransaction: (key: TransactionKey) => findRefunds(db, key),

    /**
     * Returns money of a paid charge to its payer, whole or in part: refund, charge, ledger, event and the kept answer
     * stand or fall together. The charge is locked, so refunds that together exceed the payment cannot both pass.
     */
    async refund<Response>(
      { key, amount, reason, idempotencyKey, bodyHash }: RefundRequest,
      toResponse: (transaction: Transaction) => Response,
      isResponse: (stored: unknown) => stored is Response,
    ): Promise<IdempotentResult<Response, RefundFailure>> {
      // The key would be kept under whatever stands in the address, which need not be storable.
      if (!isUuid(key.id)) return { kind: 'refused', failure: { kind: 'unknown' } };
      const now = clock.now();
      const id = newId(now.getTime());
      const operation = idempotencyOperation(key);
      const request = {
        sellerId: key.sellerId,
        operation,
        key: idempotencyKey,
        bodyHash,
        recordId: id,
        now,
        isResponse,
      };
      const terms = await transactions.termsOf(key.sellerId);
      const result = await runIdempotent<Response, RefundFailure>(db, request, async (trx) => {
        let refundAmount = 0;
        let expired = false;
        let retained: readonly RetainedPart[] = [];
        // A provider of others that has the money returns it, and says when that is done.
        const source = await providerOperations.refundSource(trx, key);
        const applied = await transactions.applyEventInTransaction(
          trx,
          terms,
          key,
          (transaction) => {
            refundAmount = amount ?? remainingAmount(transaction);
            expired = isTooLate(transaction, now);
            retained = retainedPartsOf(transaction, refundAmount);
            return { kind: source === undefined ? 'REFUND' : 'REFUND_ORDER', amount: refundAmount };
          },
          'SELLER',
        );
        if (applied.kind !== 'applied') return { ok: false, failure: applied };
        if (expired) return { ok: false, failure: { kind: 'too-late' } };
        await insertRefund(trx, {
          ...key,
          id,
          transactionId: key.id,
          amount: refundAmount,
          reason,
          status: source === undefined ? 'DONE' : 'PENDING',
          retained: source === undefined ? null : retained,
          // As its entries are dated: they name the charge, and this is how they are told from those of another refund.
          createdAt: applied.transaction.updatedAt,
        });
        if (source !== undefined) {
          await providerOperations.createRefund(trx, key, { id, amount: refundAmount, at: now }, source);
        }
        return { ok: true, response: toResponse(applied.transaction) };
      });
      if (result.kind === 'done') {
        failPoint('refunds.committed');
        transactions.notifyWorker();
      }
      return result;
    },
  };
}

/** A key belongs to the refunds of one charge. */
export const idempotencyOperation = ({ id }: { readonly id: string }): string =>
  `transactions.refund ${id.toLowerCase()}`;

function isTooLate({ method, paidAt }: Transaction, now: Date): boolean {
  return method === 'PIX' && paidAt !== null && now.getTime() - paidAt.getTime() > PIX_REFUND_WINDOW_MS;
}
