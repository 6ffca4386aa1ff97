import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { Origin } from '#accounting/ledger/service.ts';

/** Retained money that becomes available on one day in São Paulo. */
export interface UpcomingRelease {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly origin: Origin;
  readonly amount: number;
  readonly releases: number;
}

/**
 * Sums a seller's pending releases before a time by day and origin, oldest day first.
 *
 * A release does not record its origin. Boletos are released at the start of a day, which is a full
 * hour even with daylight saving time; cards at the millisecond of their payment. So only releases
 * at a full hour need their transaction.
 */
export async function findUpcomingReleases(
  db: Db,
  sellerId: string,
  before: Date,
): Promise<readonly UpcomingRelease[]> {
  const { rows } = await sql<UpcomingRelease>`
    SELECT to_char(r.due_at AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM-DD') AS day,
      CASE WHEN date_trunc('hour', r.due_at) <> r.due_at THEN 'CARD'
        ELSE (SELECT CASE t.method WHEN 'CREDIT_CARD' THEN 'CARD' ELSE t.method END FROM transactions t
          WHERE t.seller_id = ${sellerId} AND t.id = r.transaction_id) END AS origin,
      sum(r.amount)::bigint AS amount, count(*) AS releases
    FROM releases r
    WHERE r.seller_id = ${sellerId} AND r.status = 'PENDING' AND r.amount > 0 AND r.due_at < ${before}
    GROUP BY 1, 2 ORDER BY 1, 2`.execute(db);
  return rows;
}

/** Sums a seller's pending releases from a time on, in cents. */
export async function sumReleasesFrom(db: Db, sellerId: string, from: Date): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM releases
    WHERE seller_id = ${sellerId} AND status = 'PENDING' AND due_at >= ${from}`.execute(db);
  return rows[0]?.amount ?? 0;
}
