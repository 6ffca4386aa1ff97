import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import {
  metadataField,
  metadataTexts,
  normalizeText,
  type SearchRange,
  type SearchRecord,
  type SearchSource,
} from '#payments/search/service.ts';

/** Name of the payee, and the description. */
export const PAYEE_FIELD = 'payee';
export const AMOUNT_FIELD = 'amount';
/** Keyed hashes of the payee's account and document. */
export const PAYEE_HASH_FIELD = 'payee-hash';

/** What is searched of withdrawals. */
export const WITHDRAWAL_SOURCE: SearchSource = {
  kind: 'WITHDRAWAL',
  table: 'withdrawals',
  read: readRecords,
};

interface SearchedRow {
  readonly id: string;
  readonly amount: number;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly hashes: readonly string[];
}

async function readRecords(
  db: Db,
  { sellerId, after, last }: SearchRange,
  limit: number,
): Promise<readonly SearchRecord[]> {
  const { rows } = await sql<SearchedRow>`
    SELECT r.id, r.amount, ${metadataTexts(sql`r.metadata`)} AS metadata,
      r.beneficiary_name AS name, r.description, r.payee_hashes AS hashes
    FROM withdrawals r
    WHERE (r.seller_id, r.id) > (${sellerId}::uuid, ${after}::uuid)
      AND (r.seller_id, r.id) <= (${sellerId}::uuid, ${last}::uuid)
    ORDER BY r.seller_id, r.id LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ id: row.id, fields: [...fieldsOf(row)] }));
}

function* fieldsOf(row: SearchedRow): Generator<readonly [string, ...string[]]> {
  for (const [key, value] of Object.entries(row.metadata ?? {})) yield [metadataField(key), value];
  const known = [row.name, row.description].filter((text) => text !== null);
  yield [PAYEE_FIELD, ...known.map((text) => normalizeText(text))];
  yield [AMOUNT_FIELD, String(row.amount)];
  for (const hash of row.hashes) yield [PAYEE_HASH_FIELD, hash];
}
