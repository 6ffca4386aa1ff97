import { sql } from 'kysely';

import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import {
  metadataField,
  metadataTexts,
  normalizeText,
  searchHash,
  type SearchRange,
  type SearchRecord,
  type SearchSource,
} from '#payments/search/service.ts';

/** Name, email and reference of the payer, the order number, and the description. */
export const PAYER_FIELD = 'payer';
export const AMOUNT_FIELD = 'amount';
/** Keyed hash of the payer's document. */
export const DOCUMENT_FIELD = 'document';
/** The last four digits of the card. */
export const CARD_FIELD = 'card';

/** What is searched of transactions. */
export const createTransactionSource = (secrets: SecretBox): SearchSource => ({
  kind: 'TRANSACTION',
  table: 'transactions',
  read: (db, range, limit) => readRecords(db, secrets, range, limit),
});

/** SQL for the payer of a transaction `r`. The limit makes PostgreSQL read it by its key. */
export const PAYER_OF_RECORD = sql`
  SELECT * FROM transaction_customers WHERE seller_id = r.seller_id AND transaction_id = r.id LIMIT 1`;

/** SQL for the card of a transaction `r`. */
export const CARD_OF_RECORD = sql`
  SELECT last_four FROM card_payments WHERE seller_id = r.seller_id AND transaction_id = r.id LIMIT 1`;

interface SearchedRow {
  readonly id: string;
  readonly amount: number;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly description: string | null;
  readonly reference: string | null;
  readonly orderRef: string | null;
  readonly document: string | null;
  readonly lastFour: string | null;
}

async function readRecords(
  db: Db,
  secrets: SecretBox,
  { sellerId, after, last }: SearchRange,
  limit: number,
): Promise<readonly SearchRecord[]> {
  const { rows } = await sql<SearchedRow>`
    SELECT r.id, r.amount, ${metadataTexts(sql`r.metadata`)} AS metadata,
      c.name, c.email, r.description, c.external_ref AS reference, r.external_ref AS "orderRef",
      c.document, k.last_four AS "lastFour"
    FROM transactions r
    LEFT JOIN LATERAL (${PAYER_OF_RECORD}) AS c ON true
    LEFT JOIN LATERAL (${CARD_OF_RECORD}) AS k ON r.method = 'CREDIT_CARD'
    WHERE (r.seller_id, r.id) > (${sellerId}::uuid, ${after}::uuid)
      AND (r.seller_id, r.id) <= (${sellerId}::uuid, ${last}::uuid)
    ORDER BY r.seller_id, r.id LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ id: row.id, fields: fieldsOf(row, secrets) }));
}

function* fieldsOf(
  { amount, metadata, document, lastFour, ...texts }: SearchedRow,
  secrets: SecretBox,
): Generator<readonly [string, ...string[]]> {
  const { name, email, description, reference, orderRef } = texts;
  for (const [key, value] of Object.entries(metadata ?? {})) yield [metadataField(key), value];
  const known = [name, email, description, reference, orderRef].filter((text) => text !== null);
  yield [PAYER_FIELD, ...known.map((text) => normalizeText(text))];
  yield [AMOUNT_FIELD, String(amount)];
  if (lastFour !== null) yield [CARD_FIELD, lastFour];
  if (document === null) return;
  yield [DOCUMENT_FIELD, searchHash(secrets, document)];
}
