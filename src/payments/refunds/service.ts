import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { once, type OnceResult } from '#payments/idempotency/service.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type {
  HappenResult,
  Transaction,
  TransactionKey,
  TransactionsService,
} from '#payments/transactions/service.ts';
import { leftOf } from '#payments/transactions/decisions.ts';
import type { FollowUps } from '#payments/operations/service.ts';
import { retainedIn, type Retained } from '#payments/transactions/money.ts';
import { findRefunds, insertRefund } from './store.ts';

/** PIX money can be returned until this long after its payment: BCB Resolution 1/2020, art. 41-B. */
const PIX_REFUND_LIFE_MS = 90 * 24 * 3_600_000;

export interface RefundRequest {
  readonly key: TransactionKey;
  /** Cents; all that is left unless told. */
  readonly amount: number | null;
  readonly reason: string | null;
  readonly idempotencyKey: string;
  readonly bodyHash: Buffer;
}

export type RefundFailure =
  | Exclude<HappenResult, { readonly kind: 'applied' }>
  | { readonly kind: 'too-late' };

export type RefundsService = ReturnType<typeof createRefundsService>;

export function createRefundsService(
  db: Db,
  clock: Clock,
  transactions: TransactionsService,
  followUps: FollowUps,
) {
  return {
    /** The refunds of a charge, the first one first. */
    listOf: (key: TransactionKey) => findRefunds(db, key),

    /**
     * Returns money of a paid charge to its payer, whole or in part: refund, charge, ledger, event and the kept answer
     * stand or fall together. The charge is locked, so refunds that together exceed the payment cannot both pass.
     */
    async refund<Answer>(
      { key, amount, reason, idempotencyKey, bodyHash }: RefundRequest,
      answerOf: (transaction: Transaction) => Answer,
      isAnswer: (kept: unknown) => kept is Answer,
    ): Promise<OnceResult<Answer, RefundFailure>> {
      // The key would be kept under whatever stands in the address, which need not be storable.
      if (!isUuid(key.id)) return { kind: 'refused', failure: { kind: 'unknown' } };
      const now = clock.now();
      const id = newId(now.getTime());
      const operation = operationOf(key);
      const request = {
        sellerId: key.sellerId,
        operation,
        key: idempotencyKey,
        bodyHash,
        recordId: id,
        now,
        isAnswer,
      };
      const terms = await transactions.termsOf(key.sellerId);
      const result = await once<Answer, RefundFailure>(db, request, async (within) => {
        let returned = 0;
        let expired = false;
        let retained: readonly Retained[] = [];
        // A provider of others that has the money returns it, and says when that is done.
        const source = await followUps.refundSource(within, key);
        const happened = await transactions.happenWithin(
          within,
          terms,
          key,
          (transaction) => {
            returned = amount ?? leftOf(transaction);
            expired = isTooLate(transaction, now);
            retained = retainedIn(transaction, returned);
            return { kind: source === undefined ? 'REFUND' : 'REFUND_ORDER', amount: returned };
          },
          'SELLER',
        );
        if (happened.kind !== 'applied') return { ok: false, failure: happened };
        if (expired) return { ok: false, failure: { kind: 'too-late' } };
        await insertRefund(within, {
          ...key,
          id,
          transactionId: key.id,
          amount: returned,
          reason,
          status: source === undefined ? 'DONE' : 'PENDING',
          retained: source === undefined ? null : retained,
          // As its entries are dated: they name the charge, and this is how they are told from those of another refund.
          createdAt: happened.transaction.updatedAt,
        });
        if (source !== undefined) {
          await followUps.orderRefund(within, key, { id, amount: returned, at: now }, source);
        }
        return { ok: true, answer: answerOf(happened.transaction) };
      });
      if (result.kind === 'done') {
        failPoint('refunds.committed');
        transactions.told();
      }
      return result;
    },
  };
}

/** A key belongs to the refunds of one charge. */
export const operationOf = ({ id }: { readonly id: string }): string =>
  `transactions.refund ${id.toLowerCase()}`;

function isTooLate({ method, paidAt }: Transaction, now: Date): boolean {
  return method === 'PIX' && paidAt !== null && now.getTime() - paidAt.getTime() > PIX_REFUND_LIFE_MS;
}
