import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller } from '#test/support/withdrawals.ts';
import { DAY_SECONDS, subscriptionsOf } from './setup.ts';

let gateway: TestGateway;
let locker: pg.Client;

beforeAll(async () => {
  gateway = await startTestGateway();
  locker = new pg.Client({ connectionString: gateway.database.ownerUrl });
  await locker.connect();
});
afterAll(async () => {
  await locker.end();
  await gateway.stop();
});

const tradeAsNewSeller = async () => {
  const { id: sellerId, apiKey } = await newSeller(gateway);
  return { sellerId, ...subscriptionsOf(gateway, { apiKey }) };
};

it('a subscription whose row is locked delays neither cycles nor retries of other sellers', async () => {
  const [locked, other] = [await tradeAsNewSeller(), await tradeAsNewSeller()];
  const startDate = locked.today(1);
  const waiting = await locked.create({ startDate });
  const retried = await locked.createCard({ cardTokenId: await locked.newToken('4000000000009995') });
  await locked.untilInvoices(retried.id, [{ attempts: [{ status: 'FAILED' }] }]);
  const opened = await other.create({ startDate });
  await locker.query('BEGIN');
  try {
    const ids = [waiting.id, retried.id];
    await locker.query('SELECT 1 FROM subscriptions WHERE seller_id = $1 AND id = ANY ($2) FOR UPDATE', [
      locked.sellerId,
      ids,
    ]);
    await gateway.advance(3 * DAY_SECONDS);
    await other.untilStatuses(opened.id, ['PENDING']);
    expect(await locked.invoicesOf(waiting.id)).toEqual([]);
  } finally {
    await locker.query('COMMIT');
  }
  await locked.untilStatuses(waiting.id, ['PENDING']);
  await locked.untilInvoices(retried.id, [{ attempts: [{ status: 'FAILED' }, { status: 'FAILED' }] }]);
});
