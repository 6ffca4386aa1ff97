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

/** A time, and others after it. */
export interface Slices {
  readonly from: Date;
  readonly ends: readonly Date[];
}

/**
 * Counts the entries of provider accounts from a time on and before each of some others, up to a
 * limit. Call `useIndexes` first, once for the transaction.
 */
export async function countProviderEntries(
  trx: DatabaseTransaction,
  { from, ends }: Slices,
  limit: number,
): Promise<readonly number[]> {
  const counts = ends.map(
    (end) => sql`(SELECT count(*) FROM (
      SELECT 1 AS entry FROM ledger_entries WHERE created_at >= ${from} AND created_at < ${end}
        AND (debit = 'provider' OR credit = 'provider') LIMIT ${limit}) AS found)`,
  );
  const { rows } = await sql<{ counts: readonly number[] }>`
    SELECT json_build_array(${sql.join(counts)}) AS counts`.execute(trx);
  return rows[0]?.counts ?? [];
}

/**
 * Returns the movements of a short period in the order in which differences are listed. Call
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
