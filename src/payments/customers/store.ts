import { sql, type RawBuilder } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { onShardOf } from '#platform/database/shards/each-shard.ts';
import { countUpToCap } from '#platform/database/pagination.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { MAX_ID, minIdAt } from '#platform/kit/ids.ts';
import {
  containsText,
  deleteFromSearchIndex,
  joinedTexts,
  matchingIds,
  MAX_LOOKUP_RESULTS,
  runLookup,
  type SearchScope,
} from '#payments/search/service.ts';
import { CUSTOMER_FIELD } from './store-search.ts';
import type { CustomerInput, CustomerKey, CustomerRecord } from './customer.ts';

export interface CustomerFilter {
  readonly externalRef: string | undefined;
  /** Of the creation. */
  readonly period: Period;
}

const COLUMNS = sql<CustomerRecord>`seller_id AS "sellerId", id, name, email, phone,
  document_type AS "documentType", document, external_ref AS "externalRef", address, metadata, notes,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

/**
 * Returns undefined after the insert, or the id of the customer that has this document, which is
 * locked: a deletion at the same time is before or after both.
 */
export async function insertCustomer(
  trx: DatabaseTransaction,
  customer: CustomerRecord,
): Promise<string | undefined> {
  const { id } = await trx
    .insertInto('customers')
    .values({
      seller_id: customer.sellerId,
      id: customer.id,
      ...toColumns(customer),
      created_at: customer.createdAt,
      updated_at: customer.updatedAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['seller_id', 'document'])
        .doUpdateSet((eb) => ({ document: eb.ref('customers.document') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id === customer.id ? undefined : id;
}

const toColumns = (input: CustomerInput) => ({
  name: input.name,
  email: input.email,
  phone: input.phone,
  document_type: input.documentType,
  document: input.document,
  external_ref: input.externalRef,
  address: json(input.address),
  metadata: json(input.metadata),
  notes: input.notes,
});

async function findIdByDocument(db: Db, sellerId: string, document: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('customers')
    .select('id')
    .where((eb) => eb.and({ seller_id: sellerId, document }))
    .executeTakeFirst();
  return row?.id;
}

/** Another customer of the seller with the document. */
export async function findOtherWithDocument(
  trx: DatabaseTransaction,
  { sellerId, id, document }: CustomerRecord,
): Promise<string | undefined> {
  const found = await findIdByDocument(trx, sellerId, document);
  return found === id ? undefined : found;
}

export async function findCustomer(
  db: Db,
  { sellerId, id }: CustomerKey,
): Promise<CustomerRecord | undefined> {
  const { rows } = await sql<CustomerRecord>`
    SELECT ${COLUMNS} FROM customers WHERE seller_id = ${sellerId} AND id = ${id}`.execute(db);
  return rows[0];
}

export async function lockCustomer(
  trx: DatabaseTransaction,
  { sellerId, id }: CustomerKey,
): Promise<CustomerRecord | undefined> {
  const { rows } = await sql<CustomerRecord>`
    SELECT ${COLUMNS} FROM customers WHERE seller_id = ${sellerId} AND id = ${id} FOR UPDATE`.execute(trx);
  return rows[0];
}

export async function updateCustomer(trx: DatabaseTransaction, customer: CustomerRecord): Promise<void> {
  const { sellerId, id, updatedAt } = customer;
  await trx
    .updateTable('customers')
    .set({ ...toColumns(customer), updated_at: updatedAt })
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .execute();
  await deleteFromSearchIndex(trx, 'CUSTOMER', { sellerId, id });
}

export async function deleteCustomer(trx: DatabaseTransaction, { sellerId, id }: CustomerKey): Promise<void> {
  await trx
    .deleteFrom('customers')
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .execute();
  await deleteFromSearchIndex(trx, 'CUSTOMER', { sellerId, id });
}

/** Finds customers, newest first; one more than a page if there is a next page. */
export async function findCustomers(
  db: Db,
  sellerId: string,
  filter: CustomerFilter,
  { take, skip, after }: Page,
): Promise<readonly CustomerRecord[]> {
  const { rows } = await sql<CustomerRecord>`
    SELECT ${COLUMNS} FROM customers WHERE ${matching(sellerId, filter, after)}
    ORDER BY ${orderOf(filter)} LIMIT ${take + 1} OFFSET ${skip}`.execute(db);
  return rows;
}

export const countCustomers = (db: Db, sellerId: string, filter: CustomerFilter): Promise<ListCount> =>
  countUpToCap(db, sql`SELECT id FROM customers WHERE ${matching(sellerId, filter, undefined)}`);

/** Names the columns of the index, so that PostgreSQL reads along it. */
const orderOf = ({ externalRef }: CustomerFilter) =>
  externalRef === undefined ? sql`id DESC` : sql`external_ref DESC, id DESC`;

function matching(
  sellerId: string,
  { externalRef, period }: CustomerFilter,
  after: string | undefined,
): RawBuilder<unknown> {
  const from = minIdAt(period.from?.getTime() ?? 0);
  const before = period.before === undefined ? MAX_ID : minIdAt(period.before.getTime());
  const end = after === undefined || before < after ? before : after;
  const range = sql`id >= ${from}::uuid AND id < ${end}::uuid`;
  if (externalRef === undefined) return sql`seller_id = ${sellerId} AND ${range}`;
  return sql`seller_id = ${sellerId} AND external_ref IS NOT NULL
    AND (external_ref, id) >= (${externalRef}, ${from}::uuid)
    AND (external_ref, id) < (${externalRef}, ${end}::uuid)`;
}

export interface CustomerQuery {
  /** Normalized. */
  readonly text: string;
  readonly document: string | undefined;
}

/**
 * Finds customers by a part of their texts or by their document, newest first, at most 20. Returns
 * undefined if the deadline is exceeded.
 */
export const lookUpCustomers = (
  db: Db,
  sellerId: string,
  query: CustomerQuery,
): Promise<readonly CustomerRecord[] | undefined> =>
  onShardOf(db, sellerId, (shard) => runLookup(shard, (trx) => findMatching(trx, sellerId, query)));

async function findMatching(
  trx: DatabaseTransaction,
  sellerId: string,
  { text, document }: CustomerQuery,
): Promise<readonly CustomerRecord[]> {
  const scope: SearchScope = {
    sellerId,
    kind: 'CUSTOMER',
    records: sql`customers r
      CROSS JOIN LATERAL (${joinedTexts(sql`r.name`, sql`r.email`, sql`r.external_ref`)}) AS texts (whole)`,
    matches: containsText(sql`whole`, text),
    terms: [{ field: CUSTOMER_FIELD, text }],
  };
  const byDocument =
    document === undefined
      ? sql``
      : sql`UNION SELECT id FROM customers WHERE seller_id = ${sellerId} AND document = ${document}`;
  const { rows } = await sql<CustomerRecord>`
    SELECT r.* FROM ((${matchingIds(scope, MAX_LOOKUP_RESULTS)}) ${byDocument}) AS found
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM customers WHERE seller_id = ${sellerId} AND id = found.id LIMIT 1
    ) AS r ORDER BY r.id DESC LIMIT ${MAX_LOOKUP_RESULTS}`.execute(trx);
  return rows;
}
