import { sql, type RawBuilder, type SqlBool } from 'kysely';

import { onShardOf } from '#platform/database/shards/each-shard.ts';
import type { Db } from '#platform/database/connect.ts';
import { recordsOfEvent } from '#payments/provider-events/event-records.ts';
import type { SearchQuery } from '#payments/transactions/lookup.ts';
import {
  containsText,
  joinedTexts,
  matchingIds,
  MAX_LOOKUP_RESULTS,
  runLookup,
  type SearchScope,
} from '#payments/search/service.ts';
import { AMOUNT_FIELD, PAYEE_FIELD, PAYEE_HASH_FIELD } from './store-search.ts';
import { toWithdrawal } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

/** A search text, and the hashes of the account or document that it may be. */
export interface LookupQuery extends SearchQuery {
  readonly payeeHashes: readonly string[];
}

/** Finds withdrawals, newest first, at most 20. Returns undefined if the deadline is exceeded. */
export const lookUp = (
  db: Db,
  sellerId: string,
  query: LookupQuery,
): Promise<readonly Withdrawal[] | undefined> =>
  onShardOf(db, sellerId, (shard) =>
    runLookup(shard, async (trx) => {
      const rows = await trx
        .selectFrom('withdrawals')
        .selectAll()
        .where('seller_id', '=', sellerId)
        .where(sql<SqlBool>`id = ANY (ARRAY(${candidates(sellerId, query)}))`)
        .orderBy('id', 'desc')
        .limit(MAX_LOOKUP_RESULTS)
        .execute();
      return rows.map(toWithdrawal);
    }),
  );

/** SQL for the ids of what matches. A complete id may also be a random Pix key. */
function candidates(sellerId: string, query: LookupQuery): RawBuilder<unknown> {
  const { id, endToEndId } = query;
  const parts = [sql`(${matchingIds(scopeOf(sellerId, query), MAX_LOOKUP_RESULTS)})`];
  if (id !== undefined) parts.push(sql`SELECT ${id}::uuid`);
  if (endToEndId !== undefined) parts.push(sql`(${recordsOfEvent(sellerId, endToEndId)})`);
  return sql.join(parts, sql` UNION `);
}

function scopeOf(sellerId: string, { amounts, text, payeeHashes }: LookupQuery): SearchScope {
  return {
    sellerId,
    kind: 'WITHDRAWAL',
    records: sql`withdrawals r
      CROSS JOIN LATERAL (${joinedTexts(sql`r.beneficiary_name`, sql`r.description`)}) AS texts (whole)`,
    matches: sql`(
      r.amount = ANY (${[...amounts]}::bigint[])
      OR r.payee_hashes && ${[...payeeHashes]}::text[]
      OR ${containsText(sql`whole`, text)})`,
    terms: [
      { field: PAYEE_FIELD, text },
      ...amounts.map((amount) => ({ field: AMOUNT_FIELD, text: String(amount), whole: true })),
      ...payeeHashes.map((hash) => ({ field: PAYEE_HASH_FIELD, text: hash, whole: true })),
    ],
  };
}
