import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countUpToCap } from '#platform/database/pagination.ts';
import { wholeDays, type Period } from '#platform/http/date-filters.ts';
import { COUNT_CAP, type ListCount, type Page } from '#platform/http/pagination.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { ORIGINS, type EntryCause, type LedgerAccount, type Origin } from './entries.ts';
import { countEntriesOfDays } from './store-daily-totals.ts';

export interface StatementFilter {
  readonly origin: Origin | undefined;
  readonly cause: EntryCause | undefined;
  readonly recordId: string | undefined;
  readonly period: Period;
}

/** An entry of a seller, with the balances after it. Amounts in cents. */
export interface Movement {
  readonly id: string;
  readonly origin: Origin;
  readonly cause: EntryCause;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly amount: number;
  readonly recordId: string;
  readonly createdAt: Date;
  /** Over all origins. */
  readonly availableAfter: number;
  readonly blockedAfter: number;
}

/**
 * Returns movements newest first, and one more than `take` if there is a next page. The ids of each
 * origin are read along an index and the three are merged; only the entries of the page are read.
 * The other two balances at that moment come from the last entry of each before it.
 */
export async function findMovements(
  db: Db,
  sellerId: string,
  filter: StatementFilter,
  page: Page,
): Promise<readonly Movement[]> {
  const { rows } = await sql<Movement>`
    WITH page AS MATERIALIZED (
      SELECT e.* FROM (
        ${filter.recordId === undefined ? merge(sellerId, filter, page) : ofRecord(sellerId, filter, page)}
        ORDER BY id DESC LIMIT ${page.take + 1} OFFSET ${page.skip}
      ) ids JOIN ledger_entries e
        ON e.seller_id = ${sellerId} AND e.origin = ids.origin AND e.id = ids.id
    )
    SELECT p.id, p.origin, p.cause, p.debit, p.credit, p.amount, p.record_id AS "recordId",
      p.created_at AS "createdAt",
      (p.available_after + others.available)::bigint AS "availableAfter",
      (p.blocked_after + others.blocked)::bigint AS "blockedAfter"
    FROM page p CROSS JOIN LATERAL (
      SELECT coalesce(sum(last.available_after), 0) AS available,
        coalesce(sum(last.blocked_after), 0) AS blocked
      FROM unnest(${[...ORIGINS]}::text[]) AS o (origin) CROSS JOIN LATERAL (
        SELECT available_after, blocked_after FROM ledger_entries
        WHERE seller_id = ${sellerId} AND origin = o.origin AND id < p.id ORDER BY id DESC LIMIT 1
      ) last
      WHERE o.origin <> p.origin
    ) others
    ORDER BY p.id DESC`.execute(db);
  return rows;
}

/** SQL: the newest entries of each origin, each in the order of its index. */
function merge(sellerId: string, filter: StatementFilter, { skip, take, after }: Page) {
  const parts = originsOf(filter).map(
    (origin) => sql`(
      SELECT origin, id FROM ledger_entries
      WHERE seller_id = ${sellerId} AND origin = ${origin} ${conditions(filter, after)}
      ORDER BY id DESC LIMIT ${skip + take + 1})`,
  );
  return sql`SELECT origin, id FROM (${sql.join(parts, sql` UNION ALL `)}) merged`;
}

/**
 * SQL: the entries of a record. Materialized, because PostgreSQL would search for the newest of
 * them along the primary key if it expects many.
 */
const ofRecord = (sellerId: string, filter: StatementFilter, { after }: Page) => sql`
  SELECT origin, id FROM (
    WITH entries AS MATERIALIZED (${entriesOfRecord(sellerId, filter)}) SELECT * FROM entries
  ) entries WHERE origin = ANY (${originsOf(filter)}::text[]) ${conditions(filter, after)}`;

const entriesOfRecord = (sellerId: string, { recordId }: StatementFilter) => sql`
  SELECT origin, id, cause, record_id FROM ledger_entries
  WHERE seller_id = ${sellerId} AND record_id = ${recordId}`;

const originsOf = ({ origin }: StatementFilter): readonly Origin[] =>
  origin === undefined ? [...ORIGINS] : [origin];

/**
 * Counts movements. Without a filter it reads the wallets' own counts, and by cause and whole days
 * the totals. All others are counted up to a limit.
 */
export async function countMovements(db: Db, sellerId: string, filter: StatementFilter): Promise<ListCount> {
  const { cause, recordId, period } = filter;
  if (recordId !== undefined) {
    return countUpToCap(db, ofRecord(sellerId, filter, { take: 0, skip: 0, after: undefined }));
  }
  const unfiltered = [cause, period.from, period.before].every((value) => value === undefined);
  if (unfiltered) return { count: await countAllMovements(db, sellerId, filter) };
  const days = wholeDays(period);
  if (days === undefined) {
    return countUpToCap(db, merge(sellerId, filter, { take: COUNT_CAP, skip: 0, after: undefined }));
  }
  return {
    count: await countEntriesOfDays(db, sellerId, { origins: originsOf(filter), cause, period, ...days }),
  };
}

async function countAllMovements(db: Db, sellerId: string, filter: StatementFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT coalesce(sum(entries), 0)::bigint AS count FROM wallets
    WHERE seller_id = ${sellerId} AND origin = ANY (${originsOf(filter)}::text[])`.execute(db);
  return rows[0]?.count ?? 0;
}

/** SQL conditions. Ids begin with the time, so a period is a range of the key. */
function conditions({ cause, period }: StatementFilter, after: string | undefined) {
  const parts = [
    after === undefined ? undefined : sql`AND id < ${after}`,
    period.from === undefined ? undefined : sql`AND id >= ${minIdAt(period.from.getTime())}`,
    period.before === undefined ? undefined : sql`AND id < ${minIdAt(period.before.getTime())}`,
    cause === undefined ? undefined : sql`AND cause = ${cause}`,
    // The condition of the index of causes.
    cause === undefined || cause === 'PAYMENT' || cause === 'PAYMENT_FEE'
      ? undefined
      : sql`AND cause NOT IN ('PAYMENT', 'PAYMENT_FEE')`,
  ];
  return sql.join(
    parts.filter((part) => part !== undefined),
    sql` `,
  );
}
