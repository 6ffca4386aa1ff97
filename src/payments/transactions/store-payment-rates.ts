import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { METHODS, type Method, type Status } from './transaction.ts';

/**
 * Of the charges of one method that were made in some time: those that have ended, and those of
 * them that were paid.
 */
export interface PaymentRate {
  readonly method: Method;
  readonly ended: number;
  readonly paid: number;
}

/** What was paid once, whatever became of the money. */
const PAID: readonly Status[] = ['PAID', 'REFUNDED', 'CHARGEDBACK', 'DISPUTE'];
const ENDED: readonly Status[] = [...PAID, 'FAILED', 'REFUSED'];

/** Read from transactions_by_status alone: ids begin with the time of creation. */
export async function findPaymentRates(
  db: Db,
  sellerId: string,
  { from, before }: { readonly from: Date; readonly before: Date },
): Promise<readonly PaymentRate[]> {
  const { rows } = await sql<PaymentRate>`
    SELECT k.method, sum(c.count)::bigint AS ended,
      coalesce(sum(c.count) FILTER (WHERE k.status = ANY (${[...PAID]}::text[])), 0)::bigint AS paid
    FROM (SELECT method, status FROM unnest(${[...METHODS]}::text[]) AS m (method),
      unnest(${[...ENDED]}::text[]) AS s (status)) k
    CROSS JOIN LATERAL (
      SELECT count(*) AS count FROM transactions t
      WHERE t.seller_id = ${sellerId} AND t.method = k.method AND t.status = k.status
        AND t.id >= ${minIdAt(from.getTime())} AND t.id < ${minIdAt(before.getTime())}
    ) c
    GROUP BY k.method`.execute(db);
  return rows;
}
