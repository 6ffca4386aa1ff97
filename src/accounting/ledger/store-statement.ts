import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { Page } from '#platform/http/pagination.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { ORIGINS, type EntryCause, type LedgerAccount, type Origin } from './entries.ts';

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
 * Returns movements newest first, and one more than `take` if there is a next page. Each origin is
 * read along its own key and the three are merged. The other two balances at that moment come from
 * the last entry of each before it.
 */
export async function findMovements(
  db: Db,
  sellerId: string,
  filter: StatementFilter,
  page: Page,
): Promise<readonly Movement[]> {
  const origins = filter.origin === undefined ? [...ORIGINS] : [filter.origin];
  const needed = page.take + 1 + page.skip;
  const { rows } = await sql<Movement>`
    WITH page AS MATERIALIZED (
      SELECT e.* FROM unnest(${origins}::text[]) AS o (origin) CROSS JOIN LATERAL (
        SELECT * FROM ledger_entries
        WHERE seller_id = ${sellerId} AND origin = o.origin ${conditions(filter, page.after)}
        ORDER BY id DESC LIMIT ${needed}
      ) e
      ORDER BY e.id DESC LIMIT ${page.take + 1} OFFSET ${page.skip}
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

/**
 * Counts movements. Without a filter by cause, record or period it reads the wallets' own counts.
 */
export async function countMovements(db: Db, sellerId: string, filter: StatementFilter): Promise<number> {
  const origins = filter.origin === undefined ? [...ORIGINS] : [filter.origin];
  const { cause, recordId, period } = filter;
  const unfiltered = [cause, recordId, period.from, period.before].every((value) => value === undefined);
  const { rows } = unfiltered
    ? await sql<{ count: number }>`
          SELECT coalesce(sum(entries), 0)::bigint AS count FROM wallets
          WHERE seller_id = ${sellerId} AND origin = ANY (${origins}::text[])`.execute(db)
    : await sql<{ count: number }>`
          SELECT count(*) AS count FROM ledger_entries
          WHERE seller_id = ${sellerId} AND origin = ANY (${origins}::text[])
            ${conditions(filter, undefined)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** SQL conditions. Ids begin with the time, so a period is a range of the key. */
function conditions({ cause, recordId, period }: StatementFilter, after: string | undefined) {
  const parts = [
    after === undefined ? undefined : sql`AND id < ${after}`,
    period.from === undefined ? undefined : sql`AND id >= ${minIdAt(period.from.getTime())}`,
    period.before === undefined ? undefined : sql`AND id < ${minIdAt(period.before.getTime())}`,
    cause === undefined ? undefined : sql`AND cause = ${cause}`,
    recordId === undefined ? undefined : sql`AND record_id = ${recordId}`,
  ];
  return sql.join(
    parts.filter((part) => part !== undefined),
    sql` `,
  );
}
