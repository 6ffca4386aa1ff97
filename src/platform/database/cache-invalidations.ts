import { sql } from 'kysely';
import type pg from 'pg';

import { MAX_UNCONFIRMED_MS } from '#platform/kit/record-cache.ts';
import type { Database, DatabaseTransaction } from './connect.ts';
import type { NamedStatement } from './statements.ts';

/** A table whose rows are cached, and its column with the id of the record. */
export interface CachedTable {
  readonly table: string;
  readonly idColumn: string;
}

/**
 * Makes every process read these records again, within a second after the transaction is committed.
 */
export async function invalidateCaches(trx: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    INSERT INTO cache_invalidations (transaction_id, record_id)
    SELECT pg_current_xact_id(), unnest(${ids}::uuid[])
    ON CONFLICT DO NOTHING`.execute(trx);
}

const RETENTION_MS = 60_000;

/** More changes at once invalidate everything. */
const MAX_IDS = 10_000;

/** A poll that takes longer is abandoned, and its connection closed. */
const TIMEOUT_MS = 1_000;

/**
 * Polls run while caches are read at least this often. Values that are needed less often are read
 * again, which costs less than the polls.
 */
const UNUSED_MS = 1_500;

/** How often the cached tables are scanned for changes by SQL. */
const TABLE_SCAN_INTERVAL_MS = 300;

interface ChangedRow {
  readonly snapshot: string;
  readonly xmin: string;
  readonly ids: readonly string[];
}

/** The position of the polls of a connection. */
interface Position {
  /** Of the last poll. Changes that it could not see are new. */
  snapshot: string;
  /** Of the last poll that scanned the cached tables. */
  scannedSnapshot: string;
  scannedAt: number;
  /** Every transaction before this one had ended at the time. */
  retained: { readonly xmin: string; readonly at: number };
}

/**
 * Polls for the records that were changed since the last poll, on a connection of its own.
 *
 * Sequence numbers would miss transactions that commit late. Each poll therefore returns what the
 * snapshot of the previous one could not see. A snapshot means nothing to another server, so that
 * after a lost connection nothing from before counts as confirmed.
 *
 * Every change of a record calls `invalidateCaches`. Rows of the cached tables that were updated by
 * SQL are found too, by their `xmin`; deleted ones are not.
 */
export class CacheInvalidations {
  readonly #database: Database;
  readonly #onChange: (ids: ReadonlySet<string>) => void;
  readonly #tables: CachedTable[] = [];
  #client: pg.Client | undefined;
  #position: Position | undefined;
  #usedAt = -Infinity;
  /** Of the last use that soon followed another one. */
  #repeatedAt = performance.now();
  /** Of what was read earlier, changes may be unknown. */
  #since = Infinity;
  /** Every change that was committed before is known. */
  #confirmedAt = -Infinity;

  constructor(database: Database, onChange: (ids: ReadonlySet<string>) => void) {
    this.#database = database;
    this.#onChange = onChange;
  }

  watch(tables: readonly CachedTable[]): void {
    this.#tables.push(...tables);
  }

  /** Times are of `performance.now()`. */
  isConfirmed(readAt: number, now: number): boolean {
    if (now - this.#usedAt < UNUSED_MS) this.#repeatedAt = now;
    this.#usedAt = now;
    return readAt >= this.#since && now - this.#confirmedAt < MAX_UNCONFIRMED_MS;
  }

  async poll(): Promise<void> {
    if (this.#client !== undefined && performance.now() - this.#repeatedAt >= UNUSED_MS) {
      this.#pause();
      return;
    }
    try {
      this.#client ??= await this.#database.connectDedicated('cache invalidations');
      if (this.#position === undefined) await this.#begin(this.#client);
      else await this.#continue(this.#client, this.#position);
    } catch (error) {
      this.#pause();
      this.#client?.connection.stream.destroy();
      this.#client = undefined;
      throw error;
    }
  }

  #pause(): void {
    this.#since = Infinity;
    this.#position = undefined;
  }

  async #begin(client: pg.Client): Promise<void> {
    const { snapshot, xmin } = await query(client, FIND_INVALIDATIONS, [null]);
    const now = performance.now();
    this.#position = { snapshot, scannedSnapshot: snapshot, scannedAt: now, retained: { xmin, at: now } };
    this.#since = now;
  }

  async #continue(client: pg.Client, position: Position): Promise<void> {
    const startedAt = performance.now();
    const scans = this.#tables.length > 0 && startedAt - position.scannedAt >= TABLE_SCAN_INTERVAL_MS;
    const { snapshot, xmin, ids } = scans
      ? await query(client, findChanged(this.#tables), [position.snapshot, position.scannedSnapshot])
      : await query(client, FIND_INVALIDATIONS, [position.snapshot]);
    if (ids.length > MAX_IDS) this.#since = performance.now();
    else if (ids.length > 0) this.#onChange(new Set(ids));
    position.snapshot = snapshot;
    this.#confirmedAt = startedAt;
    if (scans) {
      position.scannedSnapshot = snapshot;
      position.scannedAt = startedAt;
    }
    if (startedAt - position.retained.at < RETENTION_MS) return;
    await query(client, DELETE_OLD, [position.retained.xmin]);
    position.retained = { xmin, at: startedAt };
  }
}

/** The id of a transaction that continues is at least the snapshot's `xmin`. */
const INVALIDATIONS = `
  SELECT record_id FROM cache_invalidations
  WHERE transaction_id >= pg_snapshot_xmin($1::pg_snapshot)
    AND NOT pg_visible_in_snapshot(transaction_id, $1)`;

const changedSql = (source: string): string => `
  SELECT pg_current_snapshot()::text AS snapshot, pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
    ARRAY(SELECT record_id::text FROM (${source}) AS c LIMIT ${MAX_IDS + 1}) AS ids`;

const FIND_INVALIDATIONS: NamedStatement = {
  name: 'find-cache-invalidations',
  text: changedSql(INVALIDATIONS),
};

/** Some of the rows had been changed before: the age in transactions is all that `xmin` shows. */
const findChanged = (tables: readonly CachedTable[]): NamedStatement => ({
  name: 'find-changed-records',
  text: changedSql(
    [
      INVALIDATIONS,
      ...tables.map(
        ({ table, idColumn }) => `
  SELECT ${idColumn} FROM ${table}
  WHERE age(xmin) <= (SELECT age(pg_snapshot_xmin($2::pg_snapshot)::xid))`,
      ),
    ].join(' UNION ALL'),
  ),
});

/**
 * Deletes changes that every process has read. A restored database may have rows of transactions
 * that this server has not reached.
 */
const DELETE_OLD: NamedStatement = {
  name: 'delete-cache-invalidations',
  text: `
    WITH deleted AS (
      DELETE FROM cache_invalidations
      WHERE transaction_id < $1::xid8 OR transaction_id >= pg_snapshot_xmax(pg_current_snapshot())
    )
    SELECT`,
};

async function query(
  client: pg.Client,
  statement: NamedStatement,
  values: readonly unknown[],
): Promise<ChangedRow> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(reject, TIMEOUT_MS, new Error('the poll for changed records got no response'));
  try {
    const response = client.query<ChangedRow>({ ...statement, values: [...values] });
    const { rows } = await Promise.race([response, expired]);
    const [row] = rows;
    if (row === undefined) throw new Error('the poll for changed records returned no row');
    return row;
  } finally {
    clearTimeout(timer);
  }
}
