import { sql, type RawBuilder } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { onEachShard, onShardOf } from '#platform/database/shards/each-shard.ts';
import {
  containsText,
  joinedTexts,
  matchingIds,
  MAX_LOOKUP_RESULTS,
  runLookup,
  type SearchScope,
} from '#payments/search/service.ts';
import { recordsOfEvent } from '#payments/provider-events/event-records.ts';
import type { SearchQuery } from './lookup.ts';
import {
  AMOUNT_FIELD,
  CARD_FIELD,
  CARD_OF_RECORD,
  DOCUMENT_FIELD,
  PAYER_FIELD,
  PAYER_OF_RECORD,
} from './store-search.ts';
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

/** A transaction that an operator looked up. */
export interface FoundOfSeller extends FoundTransaction {
  readonly sellerId: string;
  readonly sellerName: string;
}

/**
 * Finds transactions of all sellers in the same way. The cost depends on the number of sellers, and
 * on the number of their segments.
 */
export async function lookUpOfAll(db: Db, query: LookupQuery): Promise<readonly FoundOfSeller[] | undefined> {
  const pages = await onEachShard(db, (shard) =>
    runLookup(shard, (trx) => findOfAll(trx, query), OPERATOR_DEADLINE_MS),
  );
  if (pages.includes(undefined)) return undefined;
  const newest = pages.flatMap((page) => page ?? []).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return newest.slice(0, MAX_LOOKUP_RESULTS);
}

/** There are few operators, and more to read. */
const OPERATOR_DEADLINE_MS = 8_000;

async function findOfAll(trx: DatabaseTransaction, query: LookupQuery): Promise<readonly FoundOfSeller[]> {
  const { id } = query;
  const ids =
    id === undefined
      ? sql`SELECT s.id AS seller_id, m.id FROM sellers s
          CROSS JOIN LATERAL (${matchingTransactions(sql.ref('s.id'), query)}) AS m (id)
          ORDER BY m.id DESC LIMIT ${MAX_LOOKUP_RESULTS}`
      : sql`SELECT seller_id, id FROM transactions WHERE id = ${id}`;
  const { rows } = await sql<FoundRow & Pick<FoundOfSeller, 'sellerId' | 'sellerName'>>`
    SELECT ${FOUND_COLUMNS}, t.seller_id AS "sellerId", s.name AS "sellerName"
    FROM (${ids}) AS found
    JOIN transactions t ON t.seller_id = found.seller_id AND t.id = found.id
    JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    JOIN sellers s ON s.id = t.seller_id
    ORDER BY t.id DESC LIMIT ${MAX_LOOKUP_RESULTS}`.execute(trx);
  return rows.map(({ email, ...row }) => ({ ...row, customer: { name: row.customerName, email } }));
}

const oneId = (id: string) => sql`SELECT ${id}::uuid AS id`;

const FOUND_COLUMNS = sql`t.id, t.amount, t.fee_amount AS "feeAmount", t.method, t.status, t.installments,
  t.paid_at AS "paidAt", t.created_at AS "createdAt", t.description, t.external_ref AS "externalRef",
  t.refunded_amount AS "refundedAmount", t.refunding_amount AS "refundingAmount", c.name AS "customerName",
  c.email`;

type FoundRow = ListedTransaction & { readonly email: string };

async function findByIds(
  trx: DatabaseTransaction,
  sellerId: string,
  ids: RawBuilder<unknown>,
): Promise<readonly FoundTransaction[]> {
  const { rows } = await sql<FoundRow>`
    SELECT ${FOUND_COLUMNS}
    FROM (${ids}) AS found
    JOIN transactions t ON t.seller_id = ${sellerId} AND t.id = found.id
    JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
    ORDER BY t.id DESC LIMIT ${MAX_LOOKUP_RESULTS}`.execute(trx);
  return rows.map(({ email, ...row }) => ({ ...row, customer: { name: row.customerName, email } }));
}

function matchingTransactions(sellerId: SearchScope['sellerId'], query: LookupQuery): RawBuilder<unknown> {
  const { endToEndId } = query;
  const matching = matchingIds(scopeOf(sellerId, query), MAX_LOOKUP_RESULTS);
  if (endToEndId === undefined) return matching;
  return sql`(${matching}) UNION (${recordsOfEvent(sellerId, endToEndId)})`;
}

function scopeOf(sellerId: SearchScope['sellerId'], query: LookupQuery): SearchScope {
  const { amounts, text, document, documentHashes, lastFour } = query;
  // Other searches do not read cards.
  const cards =
    lastFour === undefined
      ? sql``
      : sql` LEFT JOIN LATERAL (${CARD_OF_RECORD}) AS k ON r.method = 'CREDIT_CARD'`;
  const hasCard = lastFour === undefined ? sql`` : sql`OR k.last_four = ${lastFour}`;
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
      ) AS texts (whole)${cards}`,
    matches: sql`(
      r.amount = ANY (${[...amounts]}::bigint[])
      OR c.document = ${document ?? null}::text ${hasCard}
      OR ${containsText(sql`whole`, text)})`,
    terms: [
      { field: PAYER_FIELD, text },
      ...amounts.map((amount) => ({ field: AMOUNT_FIELD, text: String(amount), whole: true })),
      ...(lastFour === undefined ? [] : [{ field: CARD_FIELD, text: lastFour, whole: true }]),
      ...documentHashes.map((hash) => ({ field: DOCUMENT_FIELD, text: hash, whole: true })),
    ],
  };
}
