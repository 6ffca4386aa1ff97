import { deleteCardTokensOf } from '#payments/card-tokens/service.ts';
import { deleteFromSearchIndex } from '#payments/search/service.ts';
import type { CustomerRecords } from '#privacy/personal-data.ts';
import type { CustomersDeps } from './service.ts';
import { findLinks, findNaming, findPersons } from './store-privacy.ts';
import { deleteCustomer, lockCustomer } from './store.ts';

/**
 * The customers of sellers, for the privacy module. `beforeDelete` ends what else ends with a
 * customer.
 */
export const createCustomerRecords = (beforeDelete: CustomersDeps['beforeDelete']): CustomerRecords => ({
  find: findPersons,
  findNaming,
  async erase(trx, key, actor, at) {
    const customer = await lockCustomer(trx, key);
    if (customer === undefined) return false;
    await beforeDelete(trx, customer, actor, at);
    for (const id of await findLinks(trx, key))
      await deleteFromSearchIndex(trx, 'PAYMENT_LINK', { sellerId: key.sellerId, id });
    await deleteCardTokensOf(trx, key);
    await deleteCustomer(trx, key);
    return true;
  },
});
