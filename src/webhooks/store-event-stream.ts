import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { minIdAt } from '#platform/kit/ids.ts';

/** An event as it is read by a seller that keeps no server for webhooks. */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly recordId: string;
  /** What a webhook is sent, byte for byte. */
  readonly payload: string;
  readonly createdAt: Date;
}

/** How far a reader has come: all events up to an id have been handed out, as far as they could be seen at a moment. */
export interface StreamPosition {
  readonly upTo: string;
  /** That moment as PostgreSQL tells it: which transactions had ended (`pg_snapshot`). */
  readonly snapshot: string;
  /** Ids of what was then still being written begin at this time or later, in milliseconds of the domain's clock. */
  readonly floorMs: number;
}

export interface EventPage {
  readonly events: readonly StreamedEvent[];
  readonly upTo: string;
  readonly snapshot: string;
  /** Whether there is more to read at once. */
  readonly more: boolean;
}

interface Row {
  readonly snapshot: string;
  readonly newest: string | null;
  readonly late: readonly EventRow[];
  readonly fresh: readonly EventRow[];
}

type EventRow = Omit<StreamedEvent, 'createdAt'> & { readonly createdAt: string };

/** More than can be under way at a moment: writers are few, and each writes a batch. */
const MAX_LATE_EVENTS = 10_000;

/**
 * Reads on after a position. An event's id begins with the time at which it was decided, but it is seen only once it is
 * committed, which may be after events with later ids. So beside what follows in the order of ids this reads what has been
 * committed late: ids before the position that belong to transactions which the last reading could not see. The row itself
 * says which transaction wrote it (`xmin`, 32 bits; the distance to the newest one makes it whole). Nothing is
 * missed and nothing comes twice, without a number that writers would have to queue for.
 * All of it is one statement and so one moment.
 */
export async function readEventsAfter(
  db: Db,
  sellerId: string,
  { upTo, snapshot, floorMs }: StreamPosition,
  types: readonly string[] | undefined,
  take: number,
): Promise<EventPage> {
  const columns = sql`e.id, e.type, e.record_id AS "recordId", e.payload, e.created_at AS "createdAt"`;
  const typeFilter = sql`(${types ?? null}::text[] IS NULL OR e.type = ANY (${types ?? null}::text[]))`;
  const { rows } = await sql<Row>`
    WITH moment AS MATERIALIZED (
      SELECT pg_current_snapshot() AS snapshot, pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next
    ), late AS (
      SELECT ${columns} FROM events e, moment m
      WHERE e.seller_id = ${sellerId} AND e.id >= ${minIdAt(floorMs)} AND e.id <= ${upTo} AND ${typeFilter}
        AND NOT pg_visible_in_snapshot(
          (m.next - (m.next - e.xmin::text::bigint) % 4294967296)::text::xid8, ${snapshot}::pg_snapshot)
      ORDER BY e.id LIMIT ${MAX_LATE_EVENTS}
    ), fresh AS (
      SELECT ${columns} FROM events e WHERE e.seller_id = ${sellerId} AND e.id > ${upTo} AND ${typeFilter}
      ORDER BY e.id LIMIT ${take + 1}
    )
    SELECT (SELECT snapshot::text FROM moment) AS snapshot,
      (SELECT id FROM events WHERE seller_id = ${sellerId} ORDER BY id DESC LIMIT 1) AS newest,
      (SELECT coalesce(json_agg(late ORDER BY id), '[]') FROM late) AS late,
      (SELECT coalesce(json_agg(fresh ORDER BY id), '[]') FROM fresh) AS fresh`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a statement without FROM answers one row');
  const fresh = row.fresh.slice(0, take);
  const more = row.fresh.length > take;
  const end = (more ? fresh.at(-1)?.id : row.newest) ?? upTo;
  return {
    events: [...row.late, ...fresh].map((event) => ({ ...event, createdAt: new Date(event.createdAt) })),
    upTo: end < upTo ? upTo : end,
    snapshot: row.snapshot,
    more,
  };
}

/** Where a reader begins that wants only what comes: after all that can be seen now. */
export async function findLatestPosition(db: Db, sellerId: string): Promise<Omit<StreamPosition, 'floorMs'>> {
  const { rows } = await sql<{ snapshot: string; newest: string | null }>`
    SELECT pg_current_snapshot()::text AS snapshot,
      (SELECT id FROM events WHERE seller_id = ${sellerId} ORDER BY id DESC LIMIT 1) AS newest`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a statement without FROM answers one row');
  return { upTo: row.newest ?? BEFORE_FIRST_EVENT, snapshot: row.snapshot };
}

/** Before every event. */
export const BEFORE_FIRST_EVENT = '00000000-0000-0000-0000-000000000000';
/** A moment at which no transaction had ended. */
export const EMPTY_SNAPSHOT = '1:1:';
