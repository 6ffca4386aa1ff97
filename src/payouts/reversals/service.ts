import { audit } from '#audit/service.ts';
import type { Caller } from '#platform/http/author.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Page } from '#platform/http/pages.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { PaymentReturn, ReturnStatus } from './reversal.ts';
import { countReturns, findReturnById, findReturns, settleReturn, type ReturnFilter } from './store.ts';

export {
  RETURN_REASONS,
  RETURN_STATUSES,
  type NewReturn,
  type PaymentReturn,
  type ReturnReason,
} from './reversal.ts';
export {
  countDueReturns as dueReturns,
  countManualReturns as manualReturns,
  insertReturn as orderReturn,
} from './store.ts';

export type SettleResult =
  | { readonly kind: 'settled'; readonly settled: PaymentReturn }
  | { readonly kind: 'unknown' }
  /** It does not wait for the operator. */
  | { readonly kind: 'impossible'; readonly from: ReturnStatus };

export type ReturnsService = ReturnType<typeof createReturnsService>;

/** What the operator sees and does of money that goes back to payers. */
export function createReturnsService(db: Db, clock: Clock) {
  return {
    async list(
      filter: ReturnFilter,
      page: Page,
    ): Promise<{ readonly found: readonly PaymentReturn[]; readonly count: number }> {
      const [found, count] = await Promise.all([findReturns(db, filter, page), countReturns(db, filter)]);
      return { found, count };
    },

    /** Notes that a person has sent the money back. Of two who do so at once one is told that it was done. */
    async settle(id: string, author: Caller, note: string): Promise<SettleResult> {
      const found = isUuid(id) ? await findReturnById(db, id) : undefined;
      if (found === undefined) return { kind: 'unknown' };
      const at = clock.now();
      const settled = await db.transaction().execute(async (within) => {
        const after = await settleReturn(within, found, { userId: author.id, note, at });
        if (after === undefined) return undefined;
        await audit(within, author, {
          action: 'return.settled',
          recordType: 'return',
          recordId: after.id,
          sellerId: after.sellerId,
          // What waits for the operator has been settled by nobody.
          before: { status: 'MANUAL', note: null, settledBy: null, sentAt: null },
          after: membersOf(after),
          at,
        });
        return after;
      });
      if (settled !== undefined) return { kind: 'settled', settled };
      const now = await findReturnById(db, id);
      return { kind: 'impossible', from: now?.status ?? found.status };
    },
  };
}

const membersOf = ({ status, note, settledBy, sentAt }: PaymentReturn) => ({
  status,
  note,
  settledBy,
  sentAt,
});
