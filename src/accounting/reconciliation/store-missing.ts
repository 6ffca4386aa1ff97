import { sql } from 'kysely';

import { providerMovements, type MovementWindow } from '#accounting/ledger/provider-movements.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';

/** What the ledger moved through a provider. Amount in cents. */
export interface Movement {
  readonly provider: string;
  readonly type: string;
  readonly sellerId: string;
  readonly recordId: string;
  readonly reference: string;
  readonly providerId: string | null;
  readonly cause: string;
  readonly amount: number;
  readonly at: Date;
}

/**
 * Counts the entries of provider accounts in a period, up to a limit. Call `useIndexes` first, once
 * for the transaction.
 */
export async function countProviderEntries(
  trx: DatabaseTransaction,
  { from, before }: Pick<MovementWindow, 'from' | 'before'>,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT 1 AS entry FROM ledger_entries WHERE created_at >= ${from} AND created_at < ${before}
        AND (debit = 'provider' OR credit = 'provider') LIMIT ${limit}
    ) AS found`.execute(trx);
  return rows[0]?.count ?? 0;
}

/**
 * Reads the movements of a short period, in the order in which differences are listed. Call
 * `useIndexes` first, too.
 */
export async function findMovements(
  trx: DatabaseTransaction,
  window: MovementWindow,
  provider: string | undefined,
): Promise<readonly Movement[]> {
  const { rows } = await sql<Movement>`
    SELECT provider, type, seller_id AS "sellerId", record_id AS "recordId", reference,
      provider_id AS "providerId", cause, amount, at
    FROM (${providerMovements(window)}) booked
    WHERE ${provider ?? null}::text IS NULL OR provider = ${provider ?? null}
    ORDER BY at, reference, cause COLLATE "C"`.execute(trx);
  return rows;
}
