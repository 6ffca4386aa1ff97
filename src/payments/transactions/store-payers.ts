import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type {
  ErasureBlockReason,
  LockedPayer,
  PayerRecords,
  PayerScan,
  RelatedRecords,
  ScanLimits,
} from '#privacy/personal-data.ts';
import { ERASED_PAYER, erasedDocument } from '#privacy/redaction.ts';
import type { SearchQuery } from '#privacy/search-query.ts';
import { deleteFromSearchIndex } from '#payments/search/service.ts';
import type { TransactionKey } from './transaction.ts';

/** The payers of transactions, for the privacy module. */
export const PAYER_RECORDS: PayerRecords = { scan, lock, erase, findRelatedRecords };

interface ScannedRow {
  readonly seller_id: string;
  readonly transaction_id: string;
  readonly matches: boolean;
  readonly scanned: number;
}

/**
 * Scans payers by their primary key. There is no index by document or email, because every
 * creation would have to write it.
 */
async function scan(
  db: Db,
  query: SearchQuery,
  after: TransactionKey | undefined,
  { maxPayers, maxMatches }: ScanLimits,
): Promise<PayerScan> {
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`(seller_id, transaction_id) > (${after.sellerId}::uuid, ${after.id}::uuid)`;
  const matchesQuery =
    'document' in query
      ? sql`document = ${query.document}`
      : sql`lower(email) = ${query.email.toLowerCase()}`;
  const { rows } = await sql<ScannedRow>`
    WITH scanned_payers AS MATERIALIZED (
      SELECT seller_id, transaction_id, erased_at IS NULL AND ${matchesQuery} AS matches,
        row_number() OVER (ORDER BY seller_id, transaction_id) AS position
      FROM transaction_customers WHERE ${isAfter} ORDER BY seller_id, transaction_id LIMIT ${maxPayers}
    ), total AS (SELECT count(*) AS scanned FROM scanned_payers)
    SELECT seller_id, transaction_id, matches, scanned FROM scanned_payers, total
    WHERE matches OR position = scanned
    ORDER BY position LIMIT ${maxMatches + 1}`.execute(db);
  const matches = rows.filter((row) => row.matches).slice(0, maxMatches);
  const hasAllMatches = rows.length <= maxMatches;
  const last = hasAllMatches ? rows.at(-1) : matches.at(-1);
  const isEnd = hasAllMatches && (rows[0]?.scanned ?? 0) < maxPayers;
  return {
    matches: matches.map(toKey),
    next: isEnd || last === undefined ? undefined : toKey(last),
  };
}

const toKey = ({ seller_id: sellerId, transaction_id: id }: ScannedRow): TransactionKey => ({
  sellerId,
  id,
});

/**
 * Every table is restricted to the seller, because a distributed database locks rows of one node
 * only.
 */
async function lock(
  trx: DatabaseTransaction,
  { sellerId, id }: TransactionKey,
): Promise<LockedPayer | undefined> {
  const { rows } = await sql<
    LockedPayer['person'] & {
      readonly status: string;
      readonly documentType: string;
      readonly blockReason: ErasureBlockReason | null;
    }
  >`
    SELECT t.status, c.document_type AS "documentType", c.name, c.email, c.phone, c.document,
      c.external_ref AS "externalRef",
      CASE
        -- A boleto names its payer while it can be paid, and so does the file that registers it.
        WHEN t.method = 'BOLETO' AND (t.status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING') OR EXISTS (
          SELECT 1 FROM boleto_registrations b WHERE b.seller_id = ${sellerId} AND b.transaction_id = ${id}
            AND b.stage IN ('TO_SHIP', 'WRITING_OFF'))) THEN 'BOLETO_OPEN'
        WHEN EXISTS (
          SELECT 1 FROM provider_operations o
          WHERE o.seller_id = ${sellerId} AND o.transaction_id = ${id} AND o.state = 'OPEN')
          THEN 'PROVIDER_PENDING'
        WHEN t.status = 'DISPUTE' OR EXISTS (
          SELECT 1 FROM disputes d WHERE d.seller_id = ${sellerId} AND d.transaction_id = ${id}
            AND d.status IN ('OPEN', 'UNDER_REVIEW')) THEN 'DISPUTED'
      END AS "blockReason"
    FROM transactions t
    JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    WHERE t.seller_id = ${sellerId} AND t.id = ${id} AND c.erased_at IS NULL
    FOR UPDATE OF t, c`.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { status, documentType, blockReason, ...person } = row;
  return { status, documentType, blockReason, person };
}

async function erase(
  trx: DatabaseTransaction,
  { sellerId, id }: TransactionKey,
  documentType: string,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('transaction_customers')
    .set({ ...ERASED_PAYER, document: erasedDocument(documentType), external_ref: null, erased_at: at })
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: id }))
    .execute();
  await deleteFromSearchIndex(trx, 'TRANSACTION', { sellerId, id });
}

async function findRelatedRecords(db: Db, key: TransactionKey): Promise<RelatedRecords> {
  const ofTransaction = sql`seller_id = ${key.sellerId} AND transaction_id = ${key.id}`;
  const { rows } = await sql<{ id: string | null; at: Date }>`
    SELECT NULL::uuid AS id, at FROM transaction_history WHERE ${ofTransaction}
    UNION ALL SELECT subscription_id, created_at FROM transactions
      WHERE seller_id = ${key.sellerId} AND id = ${key.id} AND subscription_id IS NOT NULL
    UNION ALL SELECT id, created_at FROM refunds WHERE ${ofTransaction}
    UNION ALL SELECT id, booked_at FROM refunds WHERE ${ofTransaction} AND booked_at IS NOT NULL
    UNION ALL SELECT id, created_at FROM disputes WHERE ${ofTransaction}
    UNION ALL SELECT id, updated_at FROM disputes WHERE ${ofTransaction}`.execute(db);
  return {
    ...key,
    recordIds: [...new Set([key.id, ...rows.flatMap((row) => row.id ?? [])])],
    changeTimes: rows.map((row) => row.at),
  };
}
