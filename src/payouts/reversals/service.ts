import { recordAudit } from '#audit/service.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Page } from '#platform/http/pagination.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { PaymentReversal, ReversalStatus } from './reversal.ts';
import {
  countReversals,
  findReversalById,
  findReversals,
  settleReversal,
  type ReversalFilter,
} from './store.ts';

export { REVERSAL_STATUSES, type PaymentReversal } from './reversal.ts';
export { countDueReversals, countManualReversals, insertReversal as createReversal } from './store.ts';

export type SettleResult =
  | { readonly kind: 'settled'; readonly reversal: PaymentReversal }
  | { readonly kind: 'unknown' }
  /** It does not wait for the operator. */
  | { readonly kind: 'impossible'; readonly from: ReversalStatus };

export type ReversalsService = ReturnType<typeof createReversalsService>;

/** What the operator sees and does of money that goes back to payers. */
export function createReversalsService(db: Db, clock: Clock) {
  return {
    async list(
      filter: ReversalFilter,
      page: Page,
    ): Promise<{ readonly items: readonly PaymentReversal[]; readonly count: number }> {
      const [items, count] = await Promise.all([findReversals(db, filter, page), countReversals(db, filter)]);
      return { items, count };
    },

    /** Notes that a person has sent the money back. Of two who do so at once one is told that it was done. */
    async settle(id: string, author: Caller, note: string): Promise<SettleResult> {
      const current = isUuid(id) ? await findReversalById(db, id) : undefined;
      if (current === undefined) return { kind: 'unknown' };
      const at = clock.now();
      const settled = await db.transaction().execute(async (trx) => {
        const after = await settleReversal(trx, current, { userId: author.id, note, at });
        if (after === undefined) return undefined;
        await recordAudit(trx, author, {
          action: 'reversal.settled',
          recordType: 'return',
          recordId: after.id,
          sellerId: after.sellerId,
          // What waits for the operator has been settled by nobody.
          before: { status: 'MANUAL', note: null, settledBy: null, sentAt: null },
          after: auditedMembers(after),
          at,
        });
        return after;
      });
      if (settled !== undefined) return { kind: 'settled', reversal: settled };
      const latest = await findReversalById(db, id);
      return { kind: 'impossible', from: latest?.status ?? current.status };
    },
  };
}

const auditedMembers = ({ status, note, settledBy, sentAt }: PaymentReversal) => ({
  status,
  note,
  settledBy,
  sentAt,
});
