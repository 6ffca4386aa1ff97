import { sql } from 'kysely';

import type { PersonalDataTable } from '#privacy/personal-data.ts';

export { SUBSCRIBER_RECORDS } from './store-privacy.ts';

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
