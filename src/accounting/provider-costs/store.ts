import { sql } from 'kysely';

import type { CostRate } from '#accounting/ledger/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';

export const METHODS = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const;
export type Method = (typeof METHODS)[number];

/** A provider and a method of charges. */
export interface CostKey {
  readonly provider: string;
  readonly method: Method;
}

export interface ProviderCost extends CostKey {
  /** Cents for each charge. */
  readonly fixed: number;
  /** Of the amount, in hundredths of a percent. */
  readonly percentage: number;
  /** It applies to charges that are paid from then on. */
  readonly since: Date;
}

/** The latest cost of each provider and method. */
export async function findCosts(db: Db): Promise<readonly ProviderCost[]> {
  const { rows } = await sql<ProviderCost>`
    SELECT DISTINCT ON (provider, method) provider, method, fixed, percentage, since
    FROM provider_costs ORDER BY provider, method, since DESC`.execute(db);
  return rows;
}

/** All costs with the times between which they apply. */
export async function findRates(db: Db): Promise<readonly CostRate[]> {
  const { rows } = await sql<CostRate>`
    SELECT provider, CASE method WHEN 'CREDIT_CARD' THEN 'CARD' ELSE method END AS origin,
      fixed AS "fixedCents", percentage AS "basisPoints", since AS "from",
      lead(since) OVER (PARTITION BY provider, method ORDER BY since) AS before
    FROM provider_costs`.execute(db);
  return rows;
}

/** Serializes changes until the end of the transaction. */
export async function lockCosts(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('provider costs', 0))`.execute(trx);
}

export async function insertCost(
  trx: DatabaseTransaction,
  { provider, method, since, fixed, percentage }: ProviderCost,
): Promise<void> {
  await trx
    .insertInto('provider_costs')
    .values({ provider, method, since, fixed, percentage })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'method', 'since']).doUpdateSet({ fixed, percentage }),
    )
    .execute();
}
