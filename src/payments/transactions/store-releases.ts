import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { Origin } from '#accounting/ledger/service.ts';

/** Retained money that becomes available on one day in São Paulo. */
export interface UpcomingRelease {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly origin: Origin;
  readonly amount: number;
  readonly releases: number;
}

/** Finds a seller's pending releases before a day, by day and origin, oldest day first. */
export async function findUpcomingReleases(
  db: Db,
  sellerId: string,
  before: LocalDate,
): Promise<readonly UpcomingRelease[]> {
  const { rows } = await sql<UpcomingRelease>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, origin, amount, releases FROM release_totals
    WHERE seller_id = ${sellerId} AND day < ${before}::date AND releases > 0
    ORDER BY release_totals.day, origin`.execute(db);
  return rows;
}

/** Sums a seller's pending releases from a day on, in cents. */
export async function sumReleasesFrom(db: Db, sellerId: string, from: LocalDate): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM release_totals
    WHERE seller_id = ${sellerId} AND day >= ${from}::date`.execute(db);
  return rows[0]?.amount ?? 0;
}
