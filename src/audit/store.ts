import { sql, type Selectable } from 'kysely';

import { AUDIT_ACTOR_KINDS, type AuditActor } from '#platform/http/audit-actor.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { AuditLog } from '#platform/database/types.gen.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { isRecord } from '#platform/kit/records.ts';
import type { Action, RecordType } from './actions.ts';
import type { Members } from './members.ts';

export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly actor: {
    readonly kind: AuditActor['kind'];
    readonly id: string | null;
    readonly name: string | null;
    readonly role: string | null;
    readonly keyPrefix: string | null;
  };
  readonly action: string;
  readonly recordType: string;
  readonly recordId: string | null;
  readonly sellerId: string | null;
  readonly before: Members | null;
  readonly after: Members | null;
  readonly requestId: string | null;
}

export interface NewAuditEntry extends AuditEntry {
  readonly action: Action;
  readonly recordType: RecordType;
}

/** Appends an entry. Entries are never changed or deleted. */
export async function insertAuditEntry(trx: DatabaseTransaction, entry: NewAuditEntry): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      id: entry.id,
      at: entry.at,
      actor_kind: entry.actor.kind,
      actor_id: entry.actor.id,
      actor_name: entry.actor.name,
      actor_role: entry.actor.role,
      actor_key_prefix: entry.actor.keyPrefix,
      action: entry.action,
      record_type: entry.recordType,
      record_id: entry.recordId,
      seller_id: entry.sellerId,
      before: toJson(entry.before),
      after: toJson(entry.after),
      request_id: entry.requestId,
    })
    .execute();
}

export interface AuditFilter {
  readonly action: string | undefined;
  readonly actorId: string | undefined;
  readonly sellerId: string | undefined;
  readonly recordId: string | undefined;
  readonly requestId: string | undefined;
  readonly period: Period;
}

/** Newest first, with one extra row if there is a next page. */
export async function findAuditEntries(
  db: Db,
  filter: AuditFilter,
  page: Page,
): Promise<readonly AuditEntry[]> {
  const rows = await matching(db, filter).selectAll().$call(paginateNewestFirst(page)).execute();
  return rows.map(toEntry);
}

/** Entries of a seller's record with one of the actions, oldest first. */
export async function findEntriesOfRecord(
  db: Db,
  { sellerId, recordId }: { readonly sellerId: string; readonly recordId: string },
  { actions, limit }: { readonly actions: readonly Action[]; readonly limit: number },
): Promise<readonly AuditEntry[]> {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('record_id', '=', recordId)
    .where('seller_id', '=', sellerId)
    .where('action', 'in', actions)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

export function countAuditEntries(db: Db, filter: AuditFilter): Promise<ListCount> {
  const { period: _period, ...others } = filter;
  const isExact = Object.values(others).every((value) => value === undefined);
  return countList(db, matching(db, filter), { isExact });
}

function matching(db: Db, filter: AuditFilter) {
  const { action, actorId, sellerId, recordId, requestId, period } = filter;
  let query = db.selectFrom('audit_log');
  if (action !== undefined) query = query.where('action', '=', action);
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
  if (sellerId !== undefined) query = query.where('seller_id', '=', sellerId);
  if (recordId !== undefined) query = query.where('record_id', '=', recordId);
  if (requestId !== undefined) query = query.where('request_id', '=', requestId);
  // Ids start with the time, so a period is a range of ids.
  if (period.from !== undefined) query = query.where('id', '>=', minIdAt(period.from.getTime()));
  if (period.before !== undefined) query = query.where('id', '<', minIdAt(period.before.getTime()));
  return query;
}

const toJson = (members: Members | null) =>
  members === null ? null : sql<string>`${JSON.stringify(members)}::json`;

function toEntry(row: Selectable<AuditLog>): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: {
      kind: AUDIT_ACTOR_KINDS.find((kind) => kind === row.actor_kind) ?? 'GATEWAY',
      id: row.actor_id,
      name: row.actor_name,
      role: row.actor_role,
      keyPrefix: row.actor_key_prefix,
    },
    action: row.action,
    recordType: row.record_type,
    recordId: row.record_id,
    sellerId: row.seller_id,
    before: toMembers(row.before),
    after: toMembers(row.after),
    requestId: row.request_id,
  };
}

function toMembers(value: unknown): Members | null {
  return isRecord(value) ? value : null;
}
