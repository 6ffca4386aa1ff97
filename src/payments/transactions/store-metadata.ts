import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { onShardOf } from '#platform/database/shards/each-shard.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { countMatches, matchingIds, metadataField, type SearchScope } from '#payments/search/service.ts';
import { conditionsOf, kindsOf, type TransactionFilter } from './store-filters.ts';
import { ALL_METHOD_STATUSES, LISTED_SQL, type ListedTransaction } from './summary.ts';
import type { Method, Status } from './transaction.ts';

/** Transactions by a key of their metadata, and a part of its value. */
export type MetadataFilter = TransactionFilter & { readonly metadataKey: string };

/**
 * Finds transactions in the search index, newest first; one more than a page if there is a next
 * page.
 */
export async function findByMetadata(
  db: Db,
  sellerId: string,
  filter: MetadataFilter,
  { after, skip, take }: Page,
): Promise<readonly ListedTransaction[]> {
  const matching = sql<ListedTransaction>`
    SELECT t.* FROM (
      SELECT id FROM (${matchingIds(scopeOf(sellerId, filter), skip + take + 1, after)}) AS newest
      ORDER BY id DESC OFFSET ${skip}
    ) AS page CROSS JOIN LATERAL (
      SELECT ${sql.raw(LISTED_SQL)} FROM transactions t WHERE t.seller_id = ${sellerId}
        AND t.id = page.id LIMIT 1
    ) AS t ORDER BY t.id DESC`;
  return onShardOf(db, sellerId, async (shard) => (await matching.execute(shard)).rows);
}

export const countByMetadata = (db: Db, sellerId: string, filter: MetadataFilter): Promise<ListCount> =>
  onShardOf(db, sellerId, (shard) => countMatches(shard, scopeOf(sellerId, filter)));

function scopeOf(sellerId: string, filter: MetadataFilter): SearchScope {
  const { metadataKey: key, metadataValue: text = '' } = filter;
  const kinds = kindsOf(filter);
  const methods: readonly Method[] = kinds.map(({ method }) => method);
  const statuses: readonly Status[] = kinds.map(({ status }) => status);
  const conditions = [...conditionsOf(filter, 'r')];
  if (kinds.length < ALL_METHOD_STATUSES.length)
    conditions.push(
      sql`r.method = ANY (${[...methods]}::text[]) AND r.status = ANY (${[...statuses]}::text[])`,
    );
  return {
    sellerId,
    kind: 'TRANSACTION',
    records: sql`transactions r`,
    matches: sql`strpos(r.metadata ->> ${key}, ${text}) > 0`,
    terms: [{ field: metadataField(key), text }],
    filter: conditions.length === 0 ? undefined : sql.join(conditions, sql` AND `),
  };
}
