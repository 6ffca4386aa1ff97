import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import {
  normalizeText,
  type SearchRange,
  type SearchRecord,
  type SearchSource,
} from '#payments/search/service.ts';

/** Title and reference. */
export const LINK_FIELD = 'link';

export const PAYMENT_LINK_SOURCE: SearchSource = {
  kind: 'PAYMENT_LINK',
  table: 'payment_links',
  read: readRecords,
};

async function readRecords(
  db: Db,
  { sellerId, after, last }: SearchRange,
  limit: number,
): Promise<readonly SearchRecord[]> {
  const { rows } = await sql<{ id: string; title: string; reference: string | null }>`
    SELECT id, title, external_ref AS reference FROM payment_links
    WHERE (seller_id, id) > (${sellerId}::uuid, ${after}::uuid)
      AND (seller_id, id) <= (${sellerId}::uuid, ${last}::uuid)
    ORDER BY seller_id, id LIMIT ${limit}`.execute(db);
  return rows.map(({ id, title, reference }) => {
    const texts = reference === null ? [title] : [title, reference];
    return { id, fields: [[LINK_FIELD, ...texts.map(normalizeText)]] };
  });
}
