import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { CustomerData, NamingRecords, TransactionKey } from '#privacy/personal-data.ts';
import type { SearchQuery } from '#privacy/search-query.ts';
import { lockCustomer } from './store.ts';

/** A customer, and the payment links that are for them. */
export async function findNaming(
  trx: DatabaseTransaction,
  key: TransactionKey,
): Promise<NamingRecords | undefined> {
  const customer = await lockCustomer(trx, key);
  if (customer === undefined) return undefined;
  const { sellerId, id, documentType } = customer;
  const records = { sellerId, id, recordIds: await findLinks(trx, key), changeTimes: [] };
  return { person: customer, documentType, records };
}

/** The payment links that are for a customer. */
export async function findLinks(
  trx: DatabaseTransaction,
  { sellerId, id }: TransactionKey,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM payment_links
    WHERE seller_id = ${sellerId} AND customer_id = ${id} AND customer_id IS NOT NULL`.execute(trx);
  return rows.map((row) => row.id);
}

/** The customers of all sellers with a document or an email. */
export async function findPersons(
  db: Db,
  query: SearchQuery,
  limit: number,
): Promise<readonly CustomerData[]> {
  const matches =
    'document' in query
      ? sql`document = ${query.document}`
      : sql`lower(email) = ${query.email.toLowerCase()}`;
  const { rows } = await sql<CustomerData>`
    SELECT seller_id AS "sellerId", id, name, email, phone, document, external_ref AS "externalRef", address,
      metadata, notes, created_at AS "createdAt" FROM customers WHERE ${matches} LIMIT ${limit}`.execute(db);
  return rows;
}
