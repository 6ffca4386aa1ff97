import { sql } from 'kysely';

import { deleteCardTokensOf } from '#payments/card-tokens/service.ts';
import type { Db } from '#platform/database/connect.ts';
import type { CustomerData, CustomerRecords } from '#privacy/personal-data.ts';
import type { SearchQuery } from '#privacy/search-query.ts';
import type { CustomersDeps } from './service.ts';
import { deleteCustomer, lockCustomer } from './store.ts';

/**
 * The customers of sellers, for the privacy module. `beforeDelete` ends what else ends with a
 * customer.
 */
export const createCustomerRecords = (beforeDelete: CustomersDeps['beforeDelete']): CustomerRecords => ({
  find,
  async erase(trx, key, actor, at) {
    const customer = await lockCustomer(trx, key);
    if (customer === undefined) return false;
    await beforeDelete(trx, customer, actor, at);
    await deleteCardTokensOf(trx, key);
    await deleteCustomer(trx, key);
    return true;
  },
});

async function find(db: Db, query: SearchQuery, limit: number): Promise<readonly CustomerData[]> {
  const matches =
    'document' in query
      ? sql`document = ${query.document}`
      : sql`lower(email) = ${query.email.toLowerCase()}`;
  const { rows } = await sql<CustomerData>`
    SELECT seller_id AS "sellerId", id, name, email, phone, document, external_ref AS "externalRef", address,
      metadata, notes, created_at AS "createdAt" FROM customers WHERE ${matches} LIMIT ${limit}`.execute(db);
  return rows;
}
