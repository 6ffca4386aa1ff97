import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import {
  normalizeText,
  type SearchRange,
  type SearchRecord,
  type SearchSource,
} from '#payments/search/service.ts';

/** Name, email and reference. */
export const CUSTOMER_FIELD = 'customer';

/** What is searched of customers. The document has an index of its own. */
export const CUSTOMER_SOURCE: SearchSource = { kind: 'CUSTOMER', table: 'customers', read: readRecords };

async function readRecords(
  db: Db,
  { sellerId, after, last }: SearchRange,
  limit: number,
): Promise<readonly SearchRecord[]> {
  const { rows } = await sql<{ id: string; name: string; email: string; reference: string | null }>`
    SELECT id, name, email, external_ref AS reference FROM customers
    WHERE (seller_id, id) > (${sellerId}::uuid, ${after}::uuid)
      AND (seller_id, id) <= (${sellerId}::uuid, ${last}::uuid)
    ORDER BY seller_id, id LIMIT ${limit}`.execute(db);
  return rows.map(({ id, name, email, reference }) => ({
    id,
    fields: [
      [
        CUSTOMER_FIELD,
        ...[name, email, reference].flatMap((text) => (text === null ? [] : [normalizeText(text)])),
      ],
    ],
  }));
}
