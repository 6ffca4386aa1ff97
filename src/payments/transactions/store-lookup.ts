import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { ACCENTS, type SearchQuery } from './lookup.ts';
import type { TransactionSummary } from './summary.ts';

export interface FoundTransaction extends TransactionSummary {
  readonly description: string | null;
  readonly customer: { readonly name: string; readonly email: string };
}

export interface LookupResult {
  /** Newest first, at most 20. */
  readonly found: readonly FoundTransaction[];
  /** The creation time of the oldest searched transaction; null if all were searched. */
  readonly searchedSince: Date | null;
}

/** The newest transactions that are searched. */
const MAX_SEARCHED = 20_000;
const MAX_RESULTS = 20;
const DEADLINE_MS = 2_000;
/** PostgreSQL's error code for a statement that exceeds `statement_timeout`. */
const QUERY_CANCELED = '57014';

/**
 * Searches the newest transactions along the primary key. The cost is bounded whatever the query,
 * and the hot path maintains no index for it. Returns undefined if the deadline is exceeded.
 */
export async function lookUp(
  db: Db,
  sellerId: string,
  query: SearchQuery,
): Promise<LookupResult | undefined> {
  try {
    return await db.transaction().execute(async (trx) => {
      await setLocalSettings(trx);
      if (query.id !== undefined)
        return { found: await findOne(trx, sellerId, query.id), searchedSince: null };
      const boundary = await findBoundary(trx, sellerId);
      const found = await search(trx, sellerId, boundary?.id ?? MIN_ID, query);
      return { found, searchedSince: boundary?.createdAt ?? null };
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED) return undefined;
    throw error;
  }
}

/**
 * Sets the deadline, and makes PostgreSQL read both tables along their primary keys, which have the
 * same order.
 */
async function setLocalSettings(trx: DatabaseTransaction): Promise<void> {
  const disabled = ['enable_seqscan', 'enable_hashjoin', 'jit'].map(
    (name) => sql`set_config(${name}, 'off', true)`,
  );
  const timeout = sql`set_config('statement_timeout', ${String(DEADLINE_MS)}, true)`;
  await sql`SELECT ${sql.join([timeout, ...disabled])}`.execute(trx);
}

const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const MIN_ID = '00000000-0000-0000-0000-000000000000';

interface Boundary {
  readonly id: string;
  readonly createdAt: Date;
}

/**
 * Finds the oldest transaction to search, with an index-only scan; undefined if all are searched.
 */
async function findBoundary(trx: DatabaseTransaction, sellerId: string): Promise<Boundary | undefined> {
  const { rows } = await sql<Boundary>`
    SELECT t.id, t.created_at AS "createdAt" FROM (
      SELECT id FROM transactions WHERE seller_id = ${sellerId}
      ORDER BY id DESC OFFSET ${MAX_SEARCHED - 1} LIMIT 2
    ) last JOIN transactions t ON t.seller_id = ${sellerId} AND t.id = last.id
    ORDER BY t.id DESC`.execute(trx);
  return rows.length === 2 ? rows[0] : undefined;
}

type FoundRow = TransactionSummary & {
  readonly description: string | null;
  readonly name: string;
  readonly email: string;
};

const COLUMNS = sql`t.id, t.amount, t.fee_amount AS "feeAmount", t.method, t.status, t.installments,
  t.paid_at AS "paidAt", t.created_at AS "createdAt", t.description, c.name, c.email`;

async function findOne(
  trx: DatabaseTransaction,
  sellerId: string,
  id: string,
): Promise<readonly FoundTransaction[]> {
  const { rows } = await sql<FoundRow>`
    SELECT ${COLUMNS} FROM transactions t
    JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    WHERE t.seller_id = ${sellerId} AND t.id = ${id}`.execute(trx);
  return rows.map(toFoundTransaction);
}

/**
 * The range compares complete keys: with a seller and a range of ids PostgreSQL would scan
 * transactions_by_id, which contains the transactions of all sellers. The texts of a transaction
 * are concatenated once (OFFSET 0 prevents inlining), with a separator that cannot be typed. Only
 * texts that are not ASCII are normalized, which is expensive. strpos has no wildcards, so that no
 * search text is slower than another.
 */
async function search(
  trx: DatabaseTransaction,
  sellerId: string,
  minId: string,
  { amounts, text }: SearchQuery,
): Promise<readonly FoundTransaction[]> {
  const from = sql`(${sellerId}::uuid, ${minId}::uuid)`;
  const to = sql`(${sellerId}::uuid, ${MAX_ID}::uuid)`;
  const { rows } = await sql<FoundRow>`
    SELECT ${COLUMNS}
    FROM transactions t
    JOIN transaction_customers c ON (c.seller_id, c.transaction_id) = (t.seller_id, t.id)
    CROSS JOIN LATERAL (
      SELECT concat_ws(chr(31), c.name, c.email, t.description, c.external_ref) OFFSET 0
    ) AS texts (whole)
    WHERE (t.seller_id, t.id) >= ${from} AND (t.seller_id, t.id) <= ${to}
      AND (c.seller_id, c.transaction_id) >= ${from} AND (c.seller_id, c.transaction_id) <= ${to}
      AND (
        t.amount = ANY (${[...amounts]}::bigint[])
        OR strpos(CASE WHEN octet_length(whole) = length(whole) THEN lower(whole)
          ELSE lower(translate(normalize(whole, NFD), ${ACCENTS}, '')) END, ${text}) > 0
      )
    ORDER BY t.seller_id DESC, t.id DESC LIMIT ${MAX_RESULTS}`.execute(trx);
  return rows.map(toFoundTransaction);
}

const toFoundTransaction = ({ name, email, ...row }: FoundRow): FoundTransaction => ({
  ...row,
  customer: { name, email },
});
