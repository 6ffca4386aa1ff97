import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { ACCENTS, type SearchQuery } from './lookup.ts';
import type { TransactionSummary } from './store-lists.ts';
import { METHODS, STATUSES } from './transaction.ts';

export interface FoundTransaction extends TransactionSummary {
  readonly description: string | null;
  readonly customer: { readonly name: string; readonly email: string };
}

export interface LookupResult {
  /** Newest first, at most 20. */
  readonly found: readonly FoundTransaction[];
  /** When the oldest charge was made that was looked at; null where all were. */
  readonly searchedSince: Date | null;
}

/** How many of the newest charges are looked at. */
const MAX_SCANNED = 20_000;
const MAX_RESULTS = 20;
const DEADLINE_MS = 2_000;
/** What PostgreSQL calls a statement that was ended at its deadline. */
const QUERY_CANCELED = '57014';

/**
 * Walks the newest charges along the primary key, so that its price is known whatever is looked for
 * and the hot path keeps no index for it. Undefined where the database did not get through them in
 * time.
 */
export async function lookUp(
  db: Db,
  sellerId: string,
  query: SearchQuery,
): Promise<LookupResult | undefined> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`SELECT set_config('statement_timeout', ${String(DEADLINE_MS)}, true), ${INDEX_SCAN_SETTINGS}`.execute(
        trx,
      );
      if (query.id !== undefined) {
        return { found: await findOne(trx, sellerId, query.id), searchedSince: null };
      }
      const boundary = await findScanBoundary(trx, sellerId);
      const found = await scan(trx, sellerId, boundary?.id ?? FIRST_ID, query);
      return { found, searchedSince: boundary?.created_at ?? null };
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED) return undefined;
    throw error;
  }
}

/** Both tables have one index in this order, and are read along it side by side. */
const INDEX_SCAN_SETTINGS = sql.join(
  ['enable_seqscan', 'enable_hashjoin', 'jit'].map((name) => sql`set_config(${name}, 'off', true)`),
);

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface ScanBoundary {
  readonly id: string;
  readonly created_at: Date;
}

/**
 * The oldest charge that is looked at; undefined where there are none beyond. Ids alone are gone
 * over.
 */
async function findScanBoundary(db: Db, sellerId: string): Promise<ScanBoundary | undefined> {
  const { rows } = await sql<ScanBoundary>`
    SELECT t.id, t.created_at FROM (
      SELECT id FROM transactions WHERE seller_id = ${sellerId} ORDER BY id DESC OFFSET ${MAX_SCANNED - 1} LIMIT 2
    ) last JOIN transactions t ON t.seller_id = ${sellerId} AND t.id = last.id
    ORDER BY t.id DESC`.execute(db);
  return rows.length === 2 ? rows[0] : undefined;
}

interface Row {
  readonly id: string;
  readonly amount: number;
  readonly fee_amount: number;
  readonly method: string;
  readonly status: string;
  readonly installments: number | null;
  readonly paid_at: Date | null;
  readonly created_at: Date;
  readonly description: string | null;
  readonly name: string;
  readonly email: string;
}

const COLUMNS = sql`t.id, t.amount, t.fee_amount, t.method, t.status, t.installments, t.paid_at, t.created_at, t.description, c.name, c.email`;

async function findOne(db: Db, sellerId: string, id: string): Promise<readonly FoundTransaction[]> {
  const { rows } = await sql<Row>`
    SELECT ${COLUMNS} FROM transactions t JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    WHERE t.seller_id = ${sellerId} AND t.id = ${id}`.execute(db);
  return rows.map(toFoundTransaction);
}

/**
 * The range is told in whole keys: told as a seller and a range of ids, PostgreSQL would walk
 * transactions_by_id, through what others have. The texts of a charge are compared as one (OFFSET 0
 * has them put together once); what separates them is typed by nobody. Only those that are not all
 * ASCII are taken apart to lose their accents, which is the dear part. strpos knows no wildcards
 * and takes no longer for some texts than for others.
 */
async function scan(
  db: Db,
  sellerId: string,
  boundaryId: string,
  { amounts, text }: SearchQuery,
): Promise<readonly FoundTransaction[]> {
  const from = sql`(${sellerId}::uuid, ${boundaryId}::uuid)`;
  const to = sql`(${sellerId}::uuid, ${LAST_ID}::uuid)`;
  const { rows } = await sql<Row>`
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
    ORDER BY t.seller_id DESC, t.id DESC LIMIT ${MAX_RESULTS}`.execute(db);
  return rows.map(toFoundTransaction);
}

const toFoundTransaction = (row: Row): FoundTransaction => ({
  id: row.id,
  amount: row.amount,
  feeAmount: row.fee_amount,
  method: METHODS.find((method) => method === row.method) ?? 'PIX',
  status: STATUSES.find((status) => status === row.status) ?? 'PENDING',
  installments: row.installments,
  paidAt: row.paid_at,
  createdAt: row.created_at,
  description: row.description,
  customer: { name: row.name, email: row.email },
});
