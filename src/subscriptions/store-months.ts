import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { MonthTotals, Movement } from './revenue.ts';

/**
 * Adds a change to the month. It locks the row of the seller until the end of the transaction, so
 * it comes last in it.
 */
export async function addToMonth(
  trx: DatabaseTransaction,
  sellerId: string,
  { day, revenue, subscriptions, ended, recovered, recoveredAmount }: Movement,
): Promise<void> {
  await sql`
    INSERT INTO subscription_months AS m (seller_id, month, revenue, subscriptions, ended, recovered,
      recovered_amount)
    VALUES (${sellerId}, ${`${day.slice(0, 7)}-01`}::date, ${revenue}, ${subscriptions}, ${ended},
      ${recovered}, ${recoveredAmount})
    ON CONFLICT (seller_id, month) DO UPDATE SET revenue = m.revenue + excluded.revenue,
      subscriptions = m.subscriptions + excluded.subscriptions, ended = m.ended + excluded.ended,
      recovered = m.recovered + excluded.recovered,
      recovered_amount = m.recovered_amount + excluded.recovered_amount`.execute(trx);
}

/** The months in which something changed, oldest first; more than anybody has. */
export async function findMonths(db: Db, sellerId: string): Promise<readonly MonthTotals[]> {
  const { rows } = await sql<MonthTotals>`
    SELECT to_char(month, 'YYYY-MM') AS month, revenue, subscriptions, ended, recovered,
      recovered_amount AS "recoveredAmount"
    FROM subscription_months WHERE seller_id = ${sellerId} ORDER BY month LIMIT 1200`.execute(db);
  return rows;
}
