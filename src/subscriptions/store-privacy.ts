import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { CustomerData, NamingRecords, TransactionKey } from '#privacy/personal-data.ts';
import type { SearchQuery } from '#privacy/search-query.ts';
import type { CustomerInput } from './payer.ts';

/** Locks a subscription. Returns its payer; undefined if its customer record was deleted. */
export async function findNaming(
  trx: DatabaseTransaction,
  { sellerId, id }: TransactionKey,
): Promise<NamingRecords | undefined> {
  const { rows } = await sql<{ payer: CustomerInput | null; createdAt: Date; updatedAt: Date }>`
    SELECT coalesce(s.customer, (
        SELECT json_build_object('name', c.name, 'email', c.email, 'phone', c.phone, 'document', c.document,
          'documentType', c.document_type, 'externalRef', c.external_ref)
        FROM customers c WHERE c.seller_id = ${sellerId} AND c.id = s.customer_id)) AS payer,
      s.created_at AS "createdAt", s.updated_at AS "updatedAt"
    FROM subscriptions s WHERE s.seller_id = ${sellerId} AND s.id = ${id} FOR UPDATE OF s`.execute(trx);
  const [row] = rows;
  if (row === undefined || row.payer === null) return undefined;
  const { payer, createdAt, updatedAt } = row;
  return {
    person: payer,
    documentType: payer.documentType,
    records: { sellerId, id, recordIds: [id], changeTimes: [createdAt, updatedAt] },
  };
}

export async function findSubscribers(
  db: Db,
  query: SearchQuery,
  limit: number,
): Promise<readonly CustomerData[]> {
  const [ofSubscription, ofCustomer] =
    'document' in query
      ? [sql`s.customer->>'document' = ${query.document}`, sql`c.document = ${query.document}`]
      : [
          sql`lower(s.customer->>'email') = ${query.email.toLowerCase()}`,
          sql`lower(c.email) = ${query.email.toLowerCase()}`,
        ];
  const { rows } = await sql<CustomerData>`
    SELECT s.seller_id AS "sellerId", s.id, s.customer, s.customer_id AS "customerId", s.description,
      s.external_ref AS "externalRef", s.metadata, s.created_at AS "createdAt"
    FROM (
      (SELECT s.* FROM subscriptions s WHERE ${ofSubscription} AND s.customer IS NOT NULL LIMIT ${limit})
      UNION ALL
      (SELECT s.* FROM customers c
       JOIN subscriptions s ON s.seller_id = c.seller_id AND s.customer_id = c.id
         AND s.customer_id IS NOT NULL
       WHERE ${ofCustomer} LIMIT ${limit})) s
    LIMIT ${limit}`.execute(db);
  return rows;
}
