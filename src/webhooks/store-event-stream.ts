import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { onShardOf } from '#platform/database/shards/each-shard.ts';
import { MIN_ID, minIdAt } from '#platform/kit/ids.ts';

export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly recordId: string;
  /** The body of its webhook requests, byte for byte. */
  readonly payload: string;
  readonly createdAt: Date;
}

/**
 * The position of a reader. It has received all events up to `upTo` that were visible in
 * `snapshot`.
 */
export interface StreamPosition {
  readonly upTo: string;
  /**
   * The transactions that had ended (`pg_snapshot`), and the node if the database is distributed.
   */
  readonly snapshot: string;
  /**
   * Events that were not visible then have ids of this time or later, in ms of the domain clock.
   */
  readonly floorMs: number;
}

export interface EventPage {
  readonly events: readonly StreamedEvent[];
  readonly upTo: string;
  readonly snapshot: string;
  /** Whether more events can be read now. */
  readonly more: boolean;
}

export interface EventQuery {
  readonly sellerId: string;
  /** Event names. Undefined for all events. */
  readonly types: readonly string[] | undefined;
  readonly take: number;
}

interface PageRow {
  readonly snapshot: string;
  readonly newest: string | null;
  readonly late: readonly EventRow[];
  readonly next: readonly EventRow[];
}

type EventRow = Omit<StreamedEvent, 'createdAt'> & { readonly createdAt: string };

/**
 * Far more than can be uncommitted at one time: there are few writers, and each commits a batch.
 */
const MAX_LATE_EVENTS = 10_000;

/**
 * Reads the events after a position. The id of an event starts with the time of its change, but the
 * event becomes visible when it is committed, possibly after events with later ids. In addition to
 * the events that follow in id order, this reads those committed late: ids before the position
 * whose transactions were not visible in the snapshot of the last read. The row has the transaction
 * that wrote it (`xmin`, 32 bits, extended to 64 bits by its distance to the newest one). No event
 * is missed or read twice, without a sequence that writers would have to wait for. It is one
 * statement, and so one snapshot.
 */
export const readEventsAfter = (db: Db, query: EventQuery, position: StreamPosition): Promise<EventPage> =>
  onShardOf(db, query.sellerId, async (shard, node) => {
    const page = await readOnNode(shard, query, {
      ...position,
      snapshot: snapshotOn(node, position.snapshot),
    });
    return { ...page, snapshot: withNode(node, page.snapshot) };
  });

/**
 * A snapshot means nothing to another node: after a move, late events are read again from the
 * floor.
 */
const snapshotOn = (node: string, snapshot: string): string => {
  const [own = '', name = ''] = snapshot.split(' ');
  return name === node ? own : EMPTY_SNAPSHOT;
};

const withNode = (node: string, snapshot: string): string => (node === '' ? snapshot : `${snapshot} ${node}`);

async function readOnNode(
  db: Db,
  { sellerId, types, take }: EventQuery,
  { upTo, snapshot, floorMs }: StreamPosition,
): Promise<EventPage> {
  const columns = sql`e.id, e.type, e.record_id AS "recordId", e.payload, e.created_at AS "createdAt"`;
  const typeFilter = sql`(${types ?? null}::text[] IS NULL OR e.type = ANY (${types ?? null}::text[]))`;
  const { rows } = await sql<PageRow>`
    WITH current AS MATERIALIZED (
      SELECT pg_current_snapshot() AS snapshot,
        pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next_xid
    ), late_events AS (
      SELECT ${columns} FROM events e, current c
      WHERE e.seller_id = ${sellerId} AND e.id >= ${minIdAt(floorMs)} AND e.id <= ${upTo} AND ${typeFilter}
        AND NOT pg_visible_in_snapshot(
          (c.next_xid - (c.next_xid - e.xmin::text::bigint) % 4294967296)::text::xid8,
          ${snapshot}::pg_snapshot)
      ORDER BY e.id LIMIT ${MAX_LATE_EVENTS}
    ), next_events AS (
      SELECT ${columns} FROM events e WHERE e.seller_id = ${sellerId} AND e.id > ${upTo} AND ${typeFilter}
      ORDER BY e.id LIMIT ${take + 1}
    )
    SELECT (SELECT snapshot::text FROM current) AS snapshot, (${newestId(sellerId)}) AS newest,
      (SELECT coalesce(json_agg(late_events ORDER BY id), '[]') FROM late_events) AS late,
      (SELECT coalesce(json_agg(next_events ORDER BY id), '[]') FROM next_events) AS next`.execute(db);
  const row = singleRow(rows);
  const next = row.next.slice(0, take);
  const more = row.next.length > take;
  const end = (more ? next.at(-1)?.id : row.newest) ?? upTo;
  return {
    events: [...row.late, ...next].map((event) => ({ ...event, createdAt: new Date(event.createdAt) })),
    upTo: end < upTo ? upTo : end,
    snapshot: row.snapshot,
    more,
  };
}

/** The position after all events that are visible now. */
export const findLatestPosition = (db: Db, sellerId: string): Promise<Omit<StreamPosition, 'floorMs'>> =>
  onShardOf(db, sellerId, async (shard, node) => {
    const { rows } = await sql<{ snapshot: string; newest: string | null }>`
      SELECT pg_current_snapshot()::text AS snapshot, (${newestId(sellerId)}) AS newest`.execute(shard);
    const { snapshot, newest } = singleRow(rows);
    return { upTo: newest ?? BEFORE_FIRST_EVENT, snapshot: withNode(node, snapshot) };
  });

const newestId = (sellerId: string) =>
  sql`SELECT id FROM events WHERE seller_id = ${sellerId} ORDER BY id DESC LIMIT 1`;

function singleRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a SELECT without FROM returned no row');
  return row;
}

/** An id before all events. */
export const BEFORE_FIRST_EVENT = MIN_ID;
/** A snapshot in which no transaction has ended. */
export const EMPTY_SNAPSHOT = '1:1:';
