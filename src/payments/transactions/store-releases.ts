import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { addDays, type LocalDate } from '#formats/calendar/local-date.ts';
import type { Origin } from '#accounting/ledger/service.ts';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Method } from './transaction.ts';

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

/** Days in São Paulo, both inclusive. */
export interface ReleaseDays {
  readonly first: LocalDate;
  readonly last: LocalDate;
}

/** A pending release with the sale that it is of. */
export interface ReleasedSale {
  readonly transactionId: string;
  readonly number: number;
  readonly installments: number | null;
  readonly method: Method;
  readonly amount: number;
  readonly dueAt: Date;
  readonly saleAmount: number;
  readonly paidAt: Date | null;
  readonly customerName: string;
  readonly description: string | null;
  readonly externalRef: string | null;
}

/** Finds the pending releases of these days with their sales, earliest first. */
export async function findReleasedSales(
  db: Db,
  sellerId: string,
  { first, last }: ReleaseDays,
  { take, skip }: { readonly take: number; readonly skip: number },
): Promise<readonly ReleasedSale[]> {
  const from = startOfSaoPauloDay(first);
  const before = startOfSaoPauloDay(addDays(last, 1));
  // Only keys are skipped, which the index holds.
  const { rows } = await sql<ReleasedSale>`
    SELECT sale.* FROM (
      SELECT due_at, transaction_id, number FROM releases
      WHERE seller_id = ${sellerId} AND status = 'PENDING' AND due_at >= ${from} AND due_at < ${before}
      ORDER BY due_at, transaction_id, number LIMIT ${take} OFFSET ${skip}
    ) AS page CROSS JOIN LATERAL (
      SELECT r.transaction_id AS "transactionId", r.number, t.installments, t.method, r.amount,
        r.due_at AS "dueAt", t.amount AS "saleAmount", t.paid_at AS "paidAt", c.name AS "customerName",
        t.description, t.external_ref AS "externalRef"
      FROM releases r
      JOIN transactions t ON t.seller_id = r.seller_id AND t.id = r.transaction_id
      JOIN transaction_customers c ON c.seller_id = r.seller_id AND c.transaction_id = r.transaction_id
      WHERE r.seller_id = ${sellerId} AND r.transaction_id = page.transaction_id AND r.number = page.number
      LIMIT 1
    ) AS sale ORDER BY sale."dueAt", sale."transactionId", sale.number`.execute(db);
  return rows;
}

/** Counts and sums the pending releases of these days. */
export async function totalReleases(
  db: Db,
  sellerId: string,
  { first, last }: ReleaseDays,
): Promise<{ readonly count: number; readonly amount: number }> {
  const { rows } = await sql<{ count: number; amount: number }>`
    SELECT coalesce(sum(releases), 0)::bigint AS count, coalesce(sum(amount), 0)::bigint AS amount
    FROM release_totals
    WHERE seller_id = ${sellerId} AND day >= ${first}::date AND day <= ${last}::date`.execute(db);
  return rows[0] ?? { count: 0, amount: 0 };
}
