import { sql, type Selectable } from 'kysely';

import type { ReversalDetail } from './details.ts';
import { findBacklog, type Backlog } from '#platform/database/backlog.ts';
import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import { findDueBacklog, leaseRows, type Lease, type Leased } from '#platform/database/leases.ts';
import type { PaymentReversals } from '#platform/database/types.gen.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { METHODS, type Method } from '#payments/transactions/transaction.ts';
import { REVERSAL_REASONS, type NewReversal } from '#payments/provider-events/reversal-port.ts';
import { REVERSALS_TABLE } from './leased-table.ts';
import {
  REVERSAL_STATUSES,
  type PaymentReversal,
  type ReversalKey,
  type ReversalStatus,
} from './reversal.ts';

/** Creates a reversal in the transaction that stores the provider event of its payment. */
export async function insertReversal(
  trx: DatabaseTransaction,
  { eventId: providerEventId, ...reversal }: NewReversal,
): Promise<void> {
  const at = reversal.createdAt;
  await trx
    .insertInto('payment_reversals')
    .values(
      toColumns({ ...reversal, providerEventId, status: 'PENDING', attempts: 0, dueAt: at, updatedAt: at }),
    )
    .execute();
}

export interface DueReversal extends ReversalKey, Leased {
  readonly transactionId: string;
  readonly method: Method;
  readonly provider: string;
  readonly eventId: string;
  readonly amount: number;
  readonly attempts: number;
}

/** Leases reversals whose call is due. */
export const claimReversals = (db: Db, lease: Lease): Promise<readonly DueReversal[]> =>
  leaseRows<Omit<DueReversal, 'leasedBy'>>(db, lease, {
    ...REVERSALS_TABLE,
    columns: sql`seller_id AS "sellerId", id, transaction_id AS "transactionId", method, provider,
      provider_event_id AS "eventId", amount, attempts`,
  });

/** Reversals whose call is due. */
export const countDueReversals = (db: Db, now: Date): Promise<Backlog> =>
  findDueBacklog(db, REVERSALS_TABLE, now);

/** Reversals that require manual action. */
export const countManualReversals = (db: Db): Promise<Backlog> =>
  findBacklog(db, { table: 'payment_reversals', waiting: sql`status = 'MANUAL'`, since: 'created_at' });

/**
 * Records that the provider has accepted a reversal. A MANUAL reversal becomes SENT as well, so
 * that the operator does not send it again.
 */
export async function markSent(
  db: Db,
  reversal: DueReversal,
  reference: string | null,
  at: Date,
): Promise<void> {
  await db
    .updateTable('payment_reversals')
    .set({
      status: 'SENT',
      attempts: reversal.attempts + 1,
      lease_until: null,
      provider_reference: reference,
      sent_at: at,
      updated_at: at,
    })
    .where((eb) => eb.and({ seller_id: reversal.sellerId, id: reversal.id }))
    .where('status', '!=', 'SENT')
    .execute();
}

/** Records that a reversal requires manual action. */
export async function markManual(
  db: Db,
  reversal: ReversalKey,
  { detail, attempts, at }: { readonly detail: ReversalDetail; readonly attempts: number; readonly at: Date },
): Promise<void> {
  await db
    .updateTable('payment_reversals')
    .set({ status: 'MANUAL', attempts, lease_until: null, detail, updated_at: at })
    .where((eb) => eb.and({ seller_id: reversal.sellerId, id: reversal.id, status: 'PENDING' }))
    .execute();
}

/**
 * Schedules the next call of a reversal, unless it has been called since it was leased, or another
 * process has leased it.
 */
export async function postponeReversal(db: Db, reversal: DueReversal, dueAt: Date, now: Date): Promise<void> {
  await db
    .updateTable('payment_reversals')
    .set({ due_at: dueAt, lease_until: null, attempts: reversal.attempts + 1, updated_at: now })
    .where((eb) =>
      eb.and({
        seller_id: reversal.sellerId,
        id: reversal.id,
        status: 'PENDING',
        attempts: reversal.attempts,
        leased_by: reversal.leasedBy,
      }),
    )
    .execute();
}

/** Settles a MANUAL reversal. Returns undefined if it is not MANUAL. */
export async function settleReversal(
  trx: DatabaseTransaction,
  key: ReversalKey,
  settlement: { readonly userId: string; readonly note: string; readonly at: Date },
): Promise<PaymentReversal | undefined> {
  const row = await trx
    .updateTable('payment_reversals')
    .set({
      status: 'SENT',
      sent_at: settlement.at,
      settled_by: settlement.userId,
      note: settlement.note,
      updated_at: settlement.at,
    })
    .where((eb) => eb.and({ seller_id: key.sellerId, id: key.id, status: 'MANUAL' }))
    .returningAll()
    .executeTakeFirst();
  return row && toReversal(row);
}

/** Finds a reversal of any seller by its id alone. */
export async function findReversalById(db: Db, id: string): Promise<PaymentReversal | undefined> {
  const row = await db.selectFrom('payment_reversals').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toReversal(row);
}

export interface ReversalFilter {
  readonly status: ReversalStatus | undefined;
  readonly sellerId: string | undefined;
  readonly transactionId: string | undefined;
  readonly period: Period;
}

/** Reversals of all sellers, newest first. Returns up to `take + 1` rows. */
export async function findReversals(
  db: Db,
  filter: ReversalFilter,
  page: Page,
): Promise<readonly PaymentReversal[]> {
  const rows = await matching(db, filter).selectAll().$call(paginateNewestFirst(page)).execute();
  return rows.map(toReversal);
}

export function countReversals(db: Db, filter: ReversalFilter): Promise<ListCount> {
  const isExact = filter.sellerId === undefined && filter.transactionId === undefined;
  return countList(db, matching(db, filter), { isExact });
}

function matching(db: Db, { status, sellerId, transactionId, period }: ReversalFilter) {
  let query = db.selectFrom('payment_reversals');
  if (status !== undefined) query = query.where('status', '=', status);
  if (sellerId !== undefined) query = query.where('seller_id', '=', sellerId);
  if (transactionId !== undefined) query = query.where('transaction_id', '=', transactionId);
  // Ids begin with the creation time, so a period is a range of ids.
  if (period.from !== undefined) query = query.where('id', '>=', minIdAt(period.from.getTime()));
  if (period.before !== undefined) query = query.where('id', '<', minIdAt(period.before.getTime()));
  return query;
}

/** The fallbacks are never used: CHECK constraints permit only the known values. */
const toReversal = ({
  provider_event_id: eventId,
  ...row
}: Selectable<PaymentReversals>): PaymentReversal => ({
  ...toFields(row),
  eventId,
  method: METHODS.find((method) => method === row.method) ?? 'PIX',
  reason: REVERSAL_REASONS.find((reason) => reason === row.reason) ?? 'LATE',
  status: REVERSAL_STATUSES.find((status) => status === row.status) ?? 'MANUAL',
});
