import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';

import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList } from '#platform/database/pagination.ts';
import type { Disputes } from '#platform/database/types.gen.ts';
import { toAuthor, type AuthorView } from '#platform/http/audit-actor.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';
import type { TransactionKey } from '#payments/transactions/service.ts';
import type { Dispute, DisputeFilter, DisputeKey } from './dispute.ts';
import { MED_STATUSES, MED_TYPES, type Med } from './med.ts';
import { DISPUTE_STATUSES, type DisputeStatus } from './states.ts';

export async function insertDispute(trx: DatabaseTransaction, { med, ...dispute }: Dispute): Promise<void> {
  await trx
    .insertInto('disputes')
    .values({
      ...toColumns({ ...dispute, updatedAt: dispute.createdAt }),
      ...toMedColumns(med),
      appealed_by: toJson(dispute.appealedBy),
    })
    .execute();
}

/** Updates a dispute. Returns false if it no longer has the status `from`. */
export async function updateDispute(
  trx: DatabaseTransaction,
  from: DisputeStatus,
  changed: Dispute,
  now: Date,
): Promise<boolean> {
  const { status, appealReason, appealedBy, resolvedAt, resolvedBy } = changed;
  const row = await trx
    .updateTable('disputes')
    .set({
      ...toColumns({ status, appealReason, resolvedAt, resolvedBy }),
      ...toMedColumns(changed.med),
      appealed_by: toJson(appealedBy),
      updated_at: now,
      // Only open disputes can be appealed.
      next_reminder_at: null,
    })
    .where((eb) => eb.and({ seller_id: changed.sellerId, id: changed.id, status: from }))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findDispute(db: Db, key: DisputeKey): Promise<Dispute | undefined> {
  const row = await byKey(db, key).executeTakeFirst();
  return row && toDispute(row);
}

/** Locks a dispute until the end of the transaction. */
export async function lockDispute(trx: DatabaseTransaction, key: DisputeKey): Promise<Dispute | undefined> {
  const row = await byKey(trx, key).forUpdate().executeTakeFirst();
  return row && toDispute(row);
}

const byKey = (db: Db, { sellerId, id }: DisputeKey) =>
  db.selectFrom('disputes').selectAll().where('seller_id', '=', sellerId).where('id', '=', id);

/** Finds a dispute of any seller by its id alone. */
export async function findDisputeById(db: Db, id: string): Promise<Dispute | undefined> {
  const row = await db.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toDispute(row);
}

/** The dispute of a transaction that is not closed. */
export async function findUnresolved(db: Db, { sellerId, id }: TransactionKey): Promise<Dispute | undefined> {
  const row = await db
    .selectFrom('disputes')
    .selectAll()
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: id }))
    .where('status', 'in', ['OPEN', 'UNDER_REVIEW'])
    .executeTakeFirst();
  return row && toDispute(row);
}

export async function findDisputeByProviderReference(
  db: Db,
  sellerId: string,
  provider: string,
  reference: string,
): Promise<Dispute | undefined> {
  const row = await db
    .selectFrom('disputes')
    .selectAll()
    .where((eb) => eb.and({ seller_id: sellerId, provider, provider_reference: reference }))
    .executeTakeFirst();
  return row && toDispute(row);
}

export async function findDisputes(
  db: Db,
  filter: DisputeFilter,
  page: Pick<Page, 'take' | 'skip'>,
): Promise<{ readonly items: readonly Dispute[]; readonly count: ListCount }> {
  const [rows, count] = await Promise.all([
    matchingDisputes(db, filter)
      .selectAll()
      .$call((query) =>
        filter.sort === undefined
          ? query.orderBy('id', 'desc')
          : query.orderBy('disputes.appeal_until').orderBy('disputes.id'),
      )
      .limit(page.take)
      .offset(page.skip)
      .execute(),
    countDisputes(db, filter),
  ]);
  return { items: rows.map(toDispute), count };
}

export function countDisputes(db: Db, filter: DisputeFilter): Promise<ListCount> {
  return countList(db, matchingDisputes(db, filter), { isExact: filter.transactionId === undefined });
}

export function matchingDisputes(db: Db, { sellerId, statuses, transactionId, from, before }: DisputeFilter) {
  let query = db.selectFrom('disputes');
  if (sellerId !== undefined) query = query.where('disputes.seller_id', '=', sellerId);
  if (statuses.length > 0) query = query.where('disputes.status', 'in', statuses);
  if (transactionId !== undefined) query = query.where('disputes.transaction_id', '=', transactionId);
  if (from !== undefined) query = query.where('disputes.created_at', '>=', from);
  if (before !== undefined) query = query.where('disputes.created_at', '<', before);
  return query;
}

const isUnappealed = (now: RawBuilder<unknown>) => sql<SqlBool>`status = 'OPEN' AND appeal_until <= ${now}`;
const isReminderDue = (now: RawBuilder<unknown>) => sql<SqlBool>`next_reminder_at <= ${now}`;

/** Whether the deadline of a dispute has passed, or a reminder of one is due. */
export const DISPUTE_DEADLINES_DUE: DueCondition = (now) => sql`coalesce(
  (SELECT 1 FROM disputes WHERE ${isUnappealed(now)} ORDER BY appeal_until LIMIT 1),
  (SELECT 1 FROM disputes WHERE ${isReminderDue(now)} ORDER BY next_reminder_at LIMIT 1))`;

/** OPEN disputes whose time for an appeal has passed, oldest deadline first. */
export async function findUnappealed(db: Db, now: Date, limit: number): Promise<readonly Dispute[]> {
  const rows = await db
    .selectFrom('disputes')
    .selectAll()
    .where(isUnappealed(sql`${now}`))
    .orderBy('appeal_until')
    .limit(limit)
    .execute();
  return rows.map(toDispute);
}

/** OPEN disputes of whose deadline the seller is to be reminded, the longest due first. */
export async function findDueReminders(db: Db, now: Date, limit: number): Promise<readonly Dispute[]> {
  const rows = await db
    .selectFrom('disputes')
    .selectAll()
    .where(isReminderDue(sql`${now}`))
    .orderBy('next_reminder_at')
    .limit(limit)
    .execute();
  return rows.map(toDispute);
}

export async function saveNextReminder(
  trx: DatabaseTransaction,
  { sellerId, id }: DisputeKey,
  at: Date | null,
): Promise<void> {
  await trx
    .updateTable('disputes')
    .set({ next_reminder_at: at })
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .execute();
}

/**
 * Stores the recovery of a transaction's disputes: the claimed one, and one of a lost part. An
 * earlier claim of the recovery that has ended keeps its own state.
 */
export async function saveMed(
  trx: DatabaseTransaction,
  { sellerId, transactionId }: Dispute,
  med: Med,
): Promise<void> {
  await trx
    .updateTable('disputes')
    .set(toMedColumns(med))
    .where((eb) =>
      eb.and({ seller_id: sellerId, transaction_id: transactionId, med_recovery_id: med.recoveryId }),
    )
    .where('med_recovery_id', 'is not', null)
    .where('med_status', 'not in', ['COMPLETED', 'CANCELLED'])
    .execute();
}

/** Completes the recovery that is refunding a transaction. */
export async function completeRefunded(db: Db, { sellerId, id }: TransactionKey, now: Date): Promise<void> {
  await db
    .updateTable('disputes')
    .set({ med_status: 'COMPLETED', updated_at: now })
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: id, med_status: 'REFUNDING' }))
    .where('med_recovery_id', 'is not', null)
    .execute();
}

export const toDispute = ({
  med_recovery_id: recoveryId,
  med_type: type,
  med_status: status,
  med_analysis_due_at: analysisDueAt,
  med_refund_due_at: refundDueAt,
  med_monitor_account: monitorAccount,
  med_accepted_amount: acceptedAmount,
  ...row
}: Selectable<Disputes>): Dispute => ({
  ...toFields(row),
  status: DISPUTE_STATUSES.find((known) => known === row.status) ?? 'OPEN',
  appealedBy: row.appealed_by === null ? null : toAuthor(row.appealed_by),
  med:
    recoveryId === null || analysisDueAt === null || refundDueAt === null
      ? null
      : {
          recoveryId,
          analysisDueAt,
          refundDueAt,
          acceptedAmount,
          type: MED_TYPES.find((known) => known === type) ?? 'UNKNOWN',
          status: MED_STATUSES.find((known) => known === status) ?? 'CREATED',
          monitorAccount: monitorAccount === true,
        },
});

const toMedColumns = (med: Med | null) => ({
  med_recovery_id: med?.recoveryId ?? null,
  med_type: med?.type ?? null,
  med_status: med?.status ?? null,
  med_analysis_due_at: med?.analysisDueAt ?? null,
  med_refund_due_at: med?.refundDueAt ?? null,
  med_monitor_account: med?.monitorAccount ?? null,
  med_accepted_amount: med?.acceptedAmount ?? null,
});

const toJson = (author: AuthorView | null): string | null =>
  author === null ? null : JSON.stringify(author);
