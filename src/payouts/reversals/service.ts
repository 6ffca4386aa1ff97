import { recordAudit } from '#audit/service.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { PaymentReversal, ReversalStatus } from './reversal.ts';
import {
  countReversals,
  findReversalById,
  findReversals,
  settleReversal,
  type ReversalFilter,
} from './store.ts';

export { countDueReversals, countManualReversals, insertReversal as createReversal } from './store.ts';

interface ReversalsDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export type ReversalsService = ReturnType<typeof createReversalsService>;

export const createReversalsService = (deps: ReversalsDeps) =>
  bindDeps(deps, {
    list,
    settle,
    /** Finds a reversal by its id alone, which is all that a provider knows. */
    find: async ({ db }, id: string) => (isUuid(id) ? findReversalById(db, id) : undefined),
  });

/** A page of the reversals that match, newest first, and the number of all that match. */
function list({ db }: ReversalsDeps, filter: ReversalFilter, page: Page) {
  return countedPage(findReversals(db, filter, page), countReversals(db, filter));
}

type SettleResult =
  | { readonly kind: 'updated'; readonly reversal: PaymentReversal }
  | { readonly kind: 'unknown' }
  /** The reversal is not MANUAL. */
  | { readonly kind: 'impossible'; readonly from: ReversalStatus };

/** Records that a user has sent a MANUAL reversal by other means. */
async function settle(
  { db, clock }: ReversalsDeps,
  id: string,
  author: Caller,
  note: string,
): Promise<SettleResult> {
  const current = isUuid(id) ? await findReversalById(db, id) : undefined;
  if (current === undefined) return { kind: 'unknown' };
  const at = clock.now();
  const updated = await db.transaction().execute(async (trx) => {
    const after = await settleReversal(trx, current, { userId: author.id, note, at });
    if (after === undefined) return undefined;
    const { status, settledBy, sentAt } = after;
    await recordAudit(trx, author, {
      action: 'reversal.settled',
      recordType: 'reversal',
      recordId: after.id,
      sellerId: after.sellerId,
      before: { status: 'MANUAL', note: null, settledBy: null, sentAt: null },
      after: { status, note: after.note, settledBy, sentAt },
      at,
    });
    return after;
  });
  if (updated !== undefined) return { kind: 'updated', reversal: updated };
  const latest = await findReversalById(db, id);
  return { kind: 'impossible', from: latest?.status ?? current.status };
}
