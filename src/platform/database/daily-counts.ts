import { sql, type RawBuilder } from 'kysely';

import type { DatabaseTransaction, Db } from './connect.ts';
import { wholeDays, type Period } from '#platform/http/date-filters.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { MAX_ID, MIN_ID, minIdAt } from '#platform/kit/ids.ts';
import { onEachShard } from './shards/each-shard.ts';
import { idDaySql } from './id-days.ts';

/**
 * Stored counts of lists by day. The worker adds rows that are old enough for every transaction
 * that could insert an older one to have ended; reads count the newer rows.
 */
export interface CountedList {
  readonly name: string;
  /**
   * SQL: a SELECT of `id` and `kind` of the rows with ids from the first one to before the second.
   * Ids begin with the time of creation, and rows are never deleted.
   */
  readonly rows: (from: RawBuilder<unknown>, before: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** Statements are canceled after half of this time, and clocks differ by at most as much. */
const MIN_AGE_MS = 60_000;

const DAY_OF_ID = sql.raw(idDaySql('id'));

/** Creates the job that adds new rows of the lists to their counts. */
export function createDailyCountsJob(
  { db, clock }: { readonly db: Db; readonly clock: Pick<Clock, 'nowMs'> },
  lists: readonly CountedList[],
): () => Promise<boolean> {
  return async () => {
    const before = minIdAt(clock.nowMs() - MIN_AGE_MS);
    for (const list of lists) await db.transaction().execute((trx) => addRows({ db, trx }, list, before));
    return false;
  };
}

interface DayCount {
  readonly day: string;
  readonly kind: string;
  readonly count: number;
}

/** A kind may be on several shards. */
async function addCounts(trx: DatabaseTransaction, name: string, counts: readonly DayCount[]): Promise<void> {
  await sql`
    INSERT INTO daily_counts AS c (list, day, kind, count)
    SELECT ${name}, day, kind, sum(count)
    FROM unnest(${counts.map(({ day }) => day)}::date[], ${counts.map(({ kind }) => kind)}::text[],
      ${counts.map(({ count }) => count)}::bigint[]) AS added (day, kind, count)
    GROUP BY day, kind
    ON CONFLICT (list, kind, day) DO UPDATE SET count = c.count + excluded.count`.execute(trx);
}

/**
 * Adds the rows before an id. After the clock was set back by more than the minimum age, new rows
 * may have ids that were counted before: all are counted again.
 */
async function addRows(
  { db, trx }: { readonly db: Db; readonly trx: DatabaseTransaction },
  { name, rows }: CountedList,
  before: string,
): Promise<void> {
  await trx
    .insertInto('daily_count_cursors')
    .values({ list: name, counted_before: MIN_ID })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const cursor = await trx
    .selectFrom('daily_count_cursors')
    .select('counted_before')
    .where('list', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const wasSetBack = cursor.counted_before > before;
  if (wasSetBack) await trx.deleteFrom('daily_counts').where('list', '=', name).execute();
  const from = wasSetBack ? MIN_ID : cursor.counted_before;
  const added = await onEachShard(db, async (shard) => {
    const counted = await sql<DayCount>`
      SELECT ${DAY_OF_ID}::text AS day, kind, count(*) AS count
      FROM (${rows(sql`${from}`, sql`${before}`)}) added GROUP BY 1, 2`.execute(shard);
    return counted.rows;
  });
  const counts = added.flat();
  if (counts.length > 0) await addCounts(trx, name, counts);
  await trx
    .updateTable('daily_count_cursors')
    .set({ counted_before: before })
    .where('list', '=', name)
    .execute();
}

/** Makes the job count all rows again. Required after rows with old ids were inserted. */
export async function resetDailyCounts(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The job also locks the cursors first.
    await trx.updateTable('daily_count_cursors').set({ counted_before: MIN_ID }).execute();
    await trx.deleteFrom('daily_counts').execute();
  });
}

/**
 * Counts the rows of a period, of one kind or of all. Returns undefined if the period begins or
 * ends within a day.
 */
export async function countRowsOfDays(
  db: Db,
  { name, rows }: CountedList,
  period: Period,
  kind: string | undefined,
): Promise<number | undefined> {
  const days = wholeDays(period);
  if (days === undefined) return undefined;
  const from = period.from === undefined ? MIN_ID : minIdAt(period.from.getTime());
  const before = period.before === undefined ? MAX_ID : minIdAt(period.before.getTime());
  const ofKind = kind === undefined ? sql`true` : sql`kind = ${kind}`;
  const counted = sql`coalesce(
    (SELECT counted_before FROM daily_count_cursors WHERE list = ${name}), ${MIN_ID}::uuid)`;
  const { rows: stored } = await sql<{ count: number; countedBefore: string }>`
    SELECT ${counted} AS "countedBefore", (
      SELECT coalesce(sum(count), 0) FROM daily_counts
      WHERE list = ${name} AND ${ofKind}
        AND day >= coalesce(${days.fromDay ?? null}::date, '-infinity')
        AND day < coalesce(${days.beforeDay ?? null}::date, 'infinity')
    )::bigint AS count`.execute(db);
  const { count = 0, countedBefore = MIN_ID } = stored[0] ?? {};
  const first = countedBefore > from ? countedBefore : from;
  const newer = await onEachShard(db, async (shard) => {
    const { rows: result } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM (${rows(sql`${first}::uuid`, sql`${before}`)}) new_rows
      WHERE ${ofKind}`.execute(shard);
    return result[0]?.count ?? 0;
  });
  return newer.reduce((sum, rowsOfShard) => sum + rowsOfShard, count);
}
