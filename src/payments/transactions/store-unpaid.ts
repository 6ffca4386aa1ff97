import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { Method } from './transaction.ts';

/** Transactions of a payment method that ended without payment. */
export interface UnpaidCount {
  readonly method: Method;
  readonly count: number;
}

/**
 * Counts a seller's transactions that were created on some days and have failed or been refused.
 */
export async function countUnpaid(
  db: Db,
  sellerId: string,
  { fromDay, beforeDay }: { readonly fromDay: string; readonly beforeDay: string },
): Promise<readonly UnpaidCount[]> {
  const { rows } = await sql<UnpaidCount>`
    SELECT method, sum(transactions)::bigint AS count FROM unpaid_totals
    WHERE seller_id = ${sellerId} AND day >= ${fromDay}::date AND day < ${beforeDay}::date
    GROUP BY method`.execute(db);
  return rows;
}
