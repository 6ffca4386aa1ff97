import { sql } from 'kysely';

import { deleteCardToken } from '#payments/card-tokens/service.ts';
import type { CustomerRecords, PersonalDataTable } from '#privacy/personal-data.ts';
import { cancelSubscription } from './lifecycle.ts';
import { hasEnded } from './states.ts';
import { lockSubscription } from './store.ts';
import { findNaming, findSubscribers } from './store-privacy.ts';

/**
 * The payers of subscriptions, with and without a customer record. They are found before the first
 * transaction too. The subscription ends with them, and its saved card is deleted.
 */
export const SUBSCRIBER_RECORDS: CustomerRecords = {
  find: findSubscribers,
  findNaming,
  async erase(trx, key, actor, at) {
    const subscription = await lockSubscription(trx, key);
    if (subscription === undefined) return false;
    const { sellerId, cardTokenId, status } = subscription;
    if (!hasEnded(status)) await cancelSubscription(trx, subscription, actor, at);
    if (cardTokenId !== null) await deleteCardToken(trx, { sellerId, id: cardTokenId });
    return true;
  },
};

/** The tables of subscriptions with personal data of payers. */
export const SUBSCRIPTION_PERSONAL_DATA: readonly PersonalDataTable[] = [
  {
    table: 'subscriptions',
    key: ['id'],
    rows: ({ recordIds }) => sql`x.id = ANY (${[...recordIds]}::uuid[])`,
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
    rows: ({ recordIds }) => sql`x.subscription_id = ANY (${[...recordIds]}::uuid[])`,
    export: { member: 'subscriptionInvoices' },
  },
];
