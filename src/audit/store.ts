import { sql, type Selectable } from 'kysely';

import { AUTHOR_KINDS, type Author } from '#platform/http/author.ts';
import type { Db } from '#platform/database/connect.ts';
import { countOf, newestFirst } from '#platform/database/listing.ts';
import type { AuditLog } from '#platform/database/types.gen.ts';
import type { Period } from '#platform/http/dates.ts';
import type { Page } from '#platform/http/pages.ts';
import { lowestIdAt } from '#platform/kit/ids.ts';
import type { Action, RecordType } from './actions.ts';
import type { Members } from './members.ts';

/** One row of the log, as it was written. */
export interface AuditRecord {
  readonly id: string;
  readonly at: Date;
  readonly actor: { readonly kind: Author['kind']; readonly id: string | null; readonly name: string | null };
  readonly action: string;
  readonly recordType: string;
  readonly recordId: string | null;
  readonly sellerId: string | null;
  readonly before: Members | null;
  readonly after: Members | null;
  readonly requestId: string | null;
}

export interface NewAuditRecord extends AuditRecord {
  readonly action: Action;
  readonly recordType: RecordType;
}

/** The one statement that writes the log; there is none that changes it. */
export async function insertAuditRecord(within: Db, record: NewAuditRecord): Promise<void> {
  await within
    .insertInto('audit_log')
    .values({
      id: record.id,
      at: record.at,
      actor_kind: record.actor.kind,
      actor_id: record.actor.id,
      actor_name: record.actor.name,
      action: record.action,
      record_type: record.recordType,
      record_id: record.recordId,
      seller_id: record.sellerId,
      before: json(record.before),
      after: json(record.after),
      request_id: record.requestId,
    })
    .execute();
}

export interface AuditFilter {
  readonly action: string | undefined;
  readonly actorId: string | undefined;
  readonly sellerId: string | undefined;
  readonly recordId: string | undefined;
  readonly period: Period;
}

/** Newest first; one more than asked for where there is a next page. */
export async function findAuditRecords(
  db: Db,
  filter: AuditFilter,
  page: Page,
): Promise<readonly AuditRecord[]> {
  const rows = await matching(db, filter).selectAll().$call(newestFirst(page)).execute();
  return rows.map(toRecord);
}

export function countAuditRecords(db: Db, filter: AuditFilter): Promise<number> {
  return countOf(matching(db, filter));
}

function matching(db: Db, { action, actorId, sellerId, recordId, period }: AuditFilter) {
  let query = db.selectFrom('audit_log');
  if (action !== undefined) query = query.where('action', '=', action);
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
  if (sellerId !== undefined) query = query.where('seller_id', '=', sellerId);
  if (recordId !== undefined) query = query.where('record_id', '=', recordId);
  // Ids begin with the time, so a period is a range of them.
  if (period.from !== undefined) query = query.where('id', '>=', lowestIdAt(period.from.getTime()));
  if (period.before !== undefined) query = query.where('id', '<', lowestIdAt(period.before.getTime()));
  return query;
}

const json = (members: Members | null) =>
  members === null ? null : sql<string>`${JSON.stringify(members)}::json`;

function toRecord(row: Selectable<AuditLog>): AuditRecord {
  return {
    id: row.id,
    at: row.at,
    actor: {
      kind: AUTHOR_KINDS.find((kind) => kind === row.actor_kind) ?? 'GATEWAY',
      id: row.actor_id,
      name: row.actor_name,
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}
