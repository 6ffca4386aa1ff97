import { sql } from 'kysely';

import type { CustomerRecords, PersonalDataTable } from '#privacy/personal-data.ts';
import { cancelErased } from './lifecycle.ts';
import { eraseSubscriber, findSubscribers } from './store-privacy.ts';

/**
 * The payers of subscriptions that were created without a customer record. They are found before
 * the first transaction too. The subscription ends with them.
 */
export const SUBSCRIBER_RECORDS: CustomerRecords = {
  find: findSubscribers,
  async erase(trx, key, actor, at) {
    if (!(await eraseSubscriber(trx, key))) return false;
    await cancelErased(trx, key, actor, at);
    return true;
  },
};

/** The subscription that has charged a transaction. */
const subscriptionOf = (id: string) => sql`
  (SELECT t.subscription_id FROM transactions t WHERE t.seller_id = x.seller_id AND t.id = ${id})`;

/** The tables of subscriptions with personal data of payers. */
export const SUBSCRIPTION_PERSONAL_DATA: readonly PersonalDataTable[] = [
  {
    table: 'subscriptions',
    key: ['id'],
    rows: ({ id }) => sql`x.id = ${subscriptionOf(id)}`,
    texts: {
      description: 'text',
      customer: 'json',
      external_ref: 'text',
      metadata: 'json',
      postback_url: 'url',
    },
    export: { member: 'subscription', single: true },
  },
  {
    table: 'subscription_invoices',
    key: ['subscription_id', 'number'],
    rows: ({ id }) => sql`x.subscription_id = ${subscriptionOf(id)}`,
    export: { member: 'subscriptionInvoices' },
  },
];
