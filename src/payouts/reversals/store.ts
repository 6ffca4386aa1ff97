import { sql, type Selectable } from 'kysely';

import { findBacklog, type Backlog } from '#platform/database/backlog.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countRows, paginateNewestFirst } from '#platform/database/pagination.ts';
import { findDueBacklog, leaseRows, type Lease } from '#platform/database/leases.ts';
import type { PaymentReversals } from '#platform/database/types.gen.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { Page } from '#platform/http/pagination.ts';
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

/** Creates a reversal in the transaction that stores the provider event of its payment, which is stored once. */
export async function insertReversal(trx: DatabaseTransaction, reversal: NewReversal): Promise<void> {
  await trx
    .insertInto('payment_reversals')
    .values({
      seller_id: reversal.sellerId,
      id: reversal.id,
      transaction_id: reversal.transactionId,
      method: reversal.method,
      provider: reversal.provider,
      provider_event_id: reversal.eventId,
      amount: reversal.amount,
      reason: reversal.reason,
      status: 'PENDING',
      attempts: 0,
      due_at: reversal.createdAt,
      created_at: reversal.createdAt,
      updated_at: reversal.createdAt,
    })
    .execute();
}

export interface DueReversal extends ReversalKey {
  readonly transactionId: string;
  readonly method: Method;
  readonly provider: string;
  readonly eventId: string;
  readonly amount: number;
  readonly attempts: number;
}

/** Takes returns whose call is due. */
export const claimReversals = (db: Db, until: Lease): Promise<readonly DueReversal[]> =>
  leaseRows<DueReversal>(db, until, {
    ...REVERSALS_TABLE,
    columns: sql`seller_id AS "sellerId", id, transaction_id AS "transactionId", method, provider,
      provider_event_id AS "eventId", amount, attempts`,
  });

/** PaymentReversals whose call is due. */
export const countDueReversals = (db: Db, now: Date): Promise<Backlog> =>
  findDueBacklog(db, REVERSALS_TABLE, now);

/** PaymentReversals that a person must send. */
export const countManualReversals = (db: Db): Promise<Backlog> =>
  findBacklog(db, { table: 'payment_reversals', waiting: sql`status = 'MANUAL'`, since: 'created_at' });

/**
 * The provider has taken it. Also where it waits for the operator by now: the word of a provider that sent the money is
 * the last one, so that nobody sends it again.
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
    .where('seller_id', '=', reversal.sellerId)
    .where('id', '=', reversal.id)
    .where('status', '!=', 'SENT')
    .execute();
}

/** No machine can send it: the operator must. `calls` were made in all. */
export async function markManual(
  db: Db,
  reversal: DueReversal,
  detail: string,
  calls: number,
  at: Date,
): Promise<void> {
  await db
    .updateTable('payment_reversals')
    .set({ status: 'MANUAL', attempts: calls, lease_until: null, detail, updated_at: at })
    .where('seller_id', '=', reversal.sellerId)
    .where('id', '=', reversal.id)
    .where('status', '=', 'PENDING')
    .execute();
}

/** What came of the call is not known: it is made again later. Changes nothing where another worker has made one meanwhile. */
export async function postponeReversal(db: Db, reversal: DueReversal, dueAt: Date, now: Date): Promise<void> {
  await db
    .updateTable('payment_reversals')
    .set({ due_at: dueAt, lease_until: null, attempts: reversal.attempts + 1, updated_at: now })
    .where('seller_id', '=', reversal.sellerId)
    .where('id', '=', reversal.id)
    .where('status', '=', 'PENDING')
    .where('attempts', '=', reversal.attempts)
    .execute();
}

/** The operator has sent it; false where it does not wait for that. */
export async function settleReversal(
  db: Db,
  key: ReversalKey,
  settled: { readonly userId: string; readonly note: string; readonly at: Date },
): Promise<PaymentReversal | undefined> {
  const row = await db
    .updateTable('payment_reversals')
    .set({
      status: 'SENT',
      sent_at: settled.at,
      settled_by: settled.userId,
      note: settled.note,
      updated_at: settled.at,
    })
    .where('seller_id', '=', key.sellerId)
    .where('id', '=', key.id)
    .where('status', '=', 'MANUAL')
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : toReversal(row);
}

/** The operator knows a return by its id alone. */
export async function findReversalById(db: Db, id: string): Promise<PaymentReversal | undefined> {
  const row = await db.selectFrom('payment_reversals').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toReversal(row);
}

export interface ReversalFilter {
  readonly status: ReversalStatus | undefined;
  readonly sellerId: string | undefined;
  readonly transactionId: string | undefined;
  readonly period: Period;
}

/** Of all sellers, newest first; one more than asked for where there is a next page. */
export async function findReversals(
  db: Db,
  filter: ReversalFilter,
  page: Page,
): Promise<readonly PaymentReversal[]> {
  const rows = await matching(db, filter).selectAll().$call(paginateNewestFirst(page)).execute();
  return rows.map(toReversal);
}

export function countReversals(db: Db, filter: ReversalFilter): Promise<number> {
  return countRows(matching(db, filter));
}

function matching(db: Db, { status, sellerId, transactionId, period }: ReversalFilter) {
  let query = db.selectFrom('payment_reversals');
  if (status !== undefined) query = query.where('status', '=', status);
  if (sellerId !== undefined) query = query.where('seller_id', '=', sellerId);
  if (transactionId !== undefined) query = query.where('transaction_id', '=', transactionId);
  // Ids begin with the time of creation, so a period is a range of them.
  if (period.from !== undefined) query = query.where('id', '>=', minIdAt(period.from.getTime()));
  if (period.before !== undefined) query = query.where('id', '<', minIdAt(period.before.getTime()));
  return query;
}

/** The table's CHECKs admit no other texts. */
function toReversal(row: Selectable<PaymentReversals>): PaymentReversal {
  return {
    sellerId: row.seller_id,
    id: row.id,
    transactionId: row.transaction_id,
    method: METHODS.find((method) => method === row.method) ?? 'PIX',
    provider: row.provider,
    eventId: row.provider_event_id,
    amount: row.amount,
    reason: REVERSAL_REASONS.find((reason) => reason === row.reason) ?? 'LATE',
    status: REVERSAL_STATUSES.find((status) => status === row.status) ?? 'MANUAL',
    attempts: row.attempts,
    providerReference: row.provider_reference,
    sentAt: row.sent_at,
    settledBy: row.settled_by,
    detail: row.detail,
    note: row.note,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
