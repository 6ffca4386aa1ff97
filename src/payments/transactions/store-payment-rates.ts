import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { METHODS, type Method, type Status } from './transaction.ts';

/** How many transactions of a payment method have ended, and how many of them were paid. */
export interface PaymentRate {
  readonly method: Method;
  readonly ended: number;
  readonly paid: number;
}

/** Statuses of transactions that were paid, even if the money went back later. */
const PAID: readonly Status[] = ['PAID', 'REFUNDED', 'CHARGEDBACK', 'DISPUTE'];
const ENDED: readonly Status[] = [...PAID, 'FAILED', 'REFUSED'];

/** Ids start with the time of creation, so that the index transactions_by_status suffices. */
export async function findPaymentRates(
  db: Db,
  sellerId: string,
  { from, before }: { readonly from: Date; readonly before: Date },
): Promise<readonly PaymentRate[]> {
  const { rows } = await sql<PaymentRate>`
    SELECT kinds.method, sum(c.count)::bigint AS ended,
      coalesce(sum(c.count) FILTER (WHERE kinds.status = ANY (${[...PAID]}::text[])), 0)::bigint AS paid
    FROM (SELECT method, status FROM unnest(${[...METHODS]}::text[]) AS m (method),
      unnest(${[...ENDED]}::text[]) AS s (status)) kinds
    CROSS JOIN LATERAL (
      SELECT count(*) AS count FROM transactions t
      WHERE t.seller_id = ${sellerId} AND t.method = kinds.method AND t.status = kinds.status
        AND t.id >= ${minIdAt(from.getTime())} AND t.id < ${minIdAt(before.getTime())}
    ) c
    GROUP BY kinds.method`.execute(db);
  return rows;
}
