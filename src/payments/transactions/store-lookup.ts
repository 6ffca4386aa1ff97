import { sql, type RawBuilder } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { onShardOf } from '#platform/database/shards/each-shard.ts';
import {
  containsText,
  joinedTexts,
  matchingIds,
  MAX_LOOKUP_RESULTS,
  runLookup,
  type SearchScope,
} from '#search/service.ts';
import { recordsOfEvent } from '#payments/provider-events/event-records.ts';
import type { SearchQuery } from './lookup.ts';
import { AMOUNT_FIELD, DOCUMENT_FIELD, PAYER_FIELD, PAYER_OF_RECORD } from './store-search.ts';
import type { ListedTransaction } from './summary.ts';

export interface FoundTransaction extends ListedTransaction {
  readonly customer: { readonly name: string; readonly email: string };
}

/** A search text, and the hashes of the document that it may be. */
export interface LookupQuery extends SearchQuery {
  readonly documentHashes: readonly string[];
}

/**
 * Finds transactions, newest first, at most 20. Returns undefined if the deadline is exceeded.
 */
export const lookUp = (
  db: Db,
  sellerId: string,
  query: LookupQuery,
): Promise<readonly FoundTransaction[] | undefined> =>
  onShardOf(db, sellerId, (shard) =>
    runLookup(shard, (trx) => {
      const { id } = query;
      return findByIds(trx, sellerId, id === undefined ? matchingTransactions(sellerId, query) : oneId(id));
    }),
  );

const oneId = (id: string) => sql`SELECT ${id}::uuid AS id`;

type FoundRow = ListedTransaction & { readonly email: string };

async function findByIds(
  trx: DatabaseTransaction,
  sellerId: string,
  ids: RawBuilder<unknown>,
): Promise<readonly FoundTransaction[]> {
  const { rows } = await sql<FoundRow>`
    SELECT t.id, t.amount, t.fee_amount AS "feeAmount", t.method, t.status, t.installments,
      t.paid_at AS "paidAt", t.created_at AS "createdAt", t.description, t.external_ref AS "externalRef",
      t.refunded_amount AS "refundedAmount", c.name AS "customerName", c.email
    FROM (${ids}) AS found
    JOIN transactions t ON t.seller_id = ${sellerId} AND t.id = found.id
    JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    ORDER BY t.id DESC LIMIT ${MAX_LOOKUP_RESULTS}`.execute(trx);
  return rows.map(({ email, ...row }) => ({ ...row, customer: { name: row.customerName, email } }));
}

function matchingTransactions(sellerId: string, query: LookupQuery): RawBuilder<unknown> {
  const { endToEndId } = query;
  const matching = matchingIds(scopeOf(sellerId, query), MAX_LOOKUP_RESULTS);
  if (endToEndId === undefined) return matching;
  return sql`(${matching}) UNION (${recordsOfEvent(sellerId, endToEndId)})`;
}

function scopeOf(sellerId: string, query: LookupQuery): SearchScope {
  const { amounts, text, document, documentHashes } = query;
  return {
    sellerId,
    kind: 'TRANSACTION',
    records: sql`transactions r
      CROSS JOIN LATERAL (${PAYER_OF_RECORD}) AS c
      CROSS JOIN LATERAL (
        ${joinedTexts(
          sql`c.name`,
          sql`c.email`,
          sql`r.description`,
          sql`c.external_ref`,
          sql`r.external_ref`,
        )}
      ) AS texts (whole)`,
    matches: sql`(
      r.amount = ANY (${[...amounts]}::bigint[])
      OR c.document = ${document ?? null}::text
      OR ${containsText(sql`whole`, text)})`,
    terms: [
      { field: PAYER_FIELD, text },
      ...amounts.map((amount) => ({ field: AMOUNT_FIELD, text: String(amount), whole: true })),
      ...documentHashes.map((hash) => ({ field: DOCUMENT_FIELD, text: hash, whole: true })),
    ],
  };
}
