import type { Selectable } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countRows } from '#platform/database/pagination.ts';
import type { Disputes } from '#platform/database/types.gen.ts';
import { DISPUTE_STATUSES, type DisputeStatus } from './states.ts';

export interface Dispute {
  readonly sellerId: string;
  readonly id: string;
  readonly transactionId: string;
  readonly status: DisputeStatus;
  /** Cents held. */
  readonly amount: number;
  readonly reason: string;
  readonly createdBy: string;
  readonly appealReason: string | null;
  readonly appealUntil: Date;
  readonly resolvedAt: Date | null;
  readonly resolvedBy: string | null;
  readonly createdAt: Date;
  /** Who told of it and under which id, where a provider did. */
  readonly provider: string | null;
  readonly providerReference: string | null;
}

export interface DisputeKey {
  readonly sellerId: string;
  readonly id: string;
}

export async function insertDispute(db: Db, dispute: Dispute): Promise<void> {
  await db
    .insertInto('disputes')
    .values({
      seller_id: dispute.sellerId,
      id: dispute.id,
      transaction_id: dispute.transactionId,
      status: dispute.status,
      amount: dispute.amount,
      reason: dispute.reason,
      created_by: dispute.createdBy,
      appeal_reason: null,
      appeal_until: dispute.appealUntil,
      resolved_at: null,
      resolved_by: null,
      created_at: dispute.createdAt,
      provider: dispute.provider,
      provider_reference: dispute.providerReference,
      updated_at: dispute.createdAt,
    })
    .execute();
}

/** Changes a dispute that is still in the status the change was decided on; false where it has moved on. */
export async function updateDispute(
  db: Db,
  from: DisputeStatus,
  changed: Dispute,
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('disputes')
    .set({
      status: changed.status,
      appeal_reason: changed.appealReason,
      resolved_at: changed.resolvedAt,
      resolved_by: changed.resolvedBy,
      updated_at: now,
    })
    .where('seller_id', '=', changed.sellerId)
    .where('id', '=', changed.id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findDispute(db: Db, key: DisputeKey): Promise<Dispute | undefined> {
  const row = await db
    .selectFrom('disputes')
    .selectAll()
    .where('seller_id', '=', key.sellerId)
    .where('id', '=', key.id)
    .executeTakeFirst();
  return row === undefined ? undefined : toDispute(row);
}

/** The same, held until the end of the transaction, so that no appeal comes between. */
export async function lockDispute(db: Db, key: DisputeKey): Promise<Dispute | undefined> {
  const row = await db
    .selectFrom('disputes')
    .selectAll()
    .where('seller_id', '=', key.sellerId)
    .where('id', '=', key.id)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? undefined : toDispute(row);
}

/** The operator knows a dispute by its id alone. */
export async function findDisputeById(db: Db, id: string): Promise<Dispute | undefined> {
  const row = await db.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toDispute(row);
}

export async function findUnresolved(
  db: Db,
  sellerId: string,
  transactionId: string,
): Promise<Dispute | undefined> {
  const row = await db
    .selectFrom('disputes')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('transaction_id', '=', transactionId)
    .where('status', 'in', ['OPEN', 'UNDER_REVIEW'])
    .executeTakeFirst();
  return row === undefined ? undefined : toDispute(row);
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
    .where('seller_id', '=', sellerId)
    .where('provider', '=', provider)
    .where('provider_reference', '=', reference)
    .executeTakeFirst();
  return row === undefined ? undefined : toDispute(row);
}

export interface DisputeFilter {
  /** Absent: of every seller, for the operator. */
  readonly sellerId: string | undefined;
  /** Any where it is empty. */
  readonly statuses: readonly DisputeStatus[];
  readonly transactionId: string | undefined;
  readonly from: Date | undefined;
  readonly before: Date | undefined;
}

export async function findDisputes(
  db: Db,
  filter: DisputeFilter,
  page: { readonly take: number; readonly skip: number },
): Promise<{ readonly disputes: readonly Dispute[]; readonly count: number }> {
  const [rows, count] = await Promise.all([
    matchingDisputes(db, filter)
      .selectAll()
      .orderBy('id', 'desc')
      .limit(page.take)
      .offset(page.skip)
      .execute(),
    countDisputes(db, filter),
  ]);
  return { disputes: rows.map(toDispute), count };
}

export function countDisputes(db: Db, filter: DisputeFilter): Promise<number> {
  return countRows(matchingDisputes(db, filter));
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

/** Disputes that nobody appealed in time. */
export async function findUnappealed(db: Db, now: Date, limit: number): Promise<readonly Dispute[]> {
  const rows = await db
    .selectFrom('disputes')
    .selectAll()
    .where('status', '=', 'OPEN')
    .where('appeal_until', '<=', now)
    .orderBy('appeal_until')
    .limit(limit)
    .execute();
  return rows.map(toDispute);
}

export function toDispute(row: Selectable<Disputes>): Dispute {
  return {
    sellerId: row.seller_id,
    id: row.id,
    transactionId: row.transaction_id,
    status: DISPUTE_STATUSES.find((status) => status === row.status) ?? 'OPEN',
    amount: row.amount,
    reason: row.reason,
    createdBy: row.created_by,
    appealReason: row.appeal_reason,
    appealUntil: row.appeal_until,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    createdAt: row.created_at,
    provider: row.provider,
    providerReference: row.provider_reference,
  };
}
