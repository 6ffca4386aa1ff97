import { randomUUID } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { countWaiting } from '#test/support/lock-table.ts';
import { SAMPLE_CARD } from '#test/support/sample-card.ts';
import { newSeller } from '#test/support/withdrawals.ts';
import { CUSTOMER, DAY_SECONDS, subscriptionsOf } from './setup.ts';

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

it('of two concurrent first payments of a link, the one too many leaves neither a subscription nor a card', async () => {
  const { id: sellerId, apiKey } = await newSeller(gateway);
  const subscription = { interval: 'MONTHLY' };
  const link = { title: 'Clube', amount: 4990, subscription, maxPayments: 1 };
  const idempotencyKey = randomUUID();
  const { id, code } = (await gateway.post('/payment-links', link, { apiKey, idempotencyKey })).body.data;
  const payment = { method: 'CREDIT_CARD', installments: 1, card: SAMPLE_CARD, customer: CUSTOMER };
  const path = `/public/payment-links/${code}/payments`;
  const pay = () => gateway.post(path, payment, { credential: 'none', idempotencyKey: randomUUID() });
  await locker.query('BEGIN');
  await locker.query('SELECT 1 FROM payment_links WHERE seller_id = $1 AND id = $2 FOR UPDATE', [
    sellerId,
    id,
  ]);
  const payments = [pay(), pay()];
  try {
    await expect.poll(() => countWaiting(gateway.database), { timeout: 20_000 }).toBe(2);
  } finally {
    await locker.query('COMMIT');
  }
  const statuses = (await Promise.all(payments)).map(({ status }) => status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 422]);
  const states = async () => {
    const { data } = (await gateway.get('/subscriptions', { apiKey })).body;
    return data.map(({ status }: { readonly status: string }) => status).toSorted();
  };
  await expect.poll(states, { timeout: 20_000 }).toEqual(['ACTIVE', 'EXPIRED']);
  const cards = await gateway.database.query('SELECT 1 FROM card_tokens WHERE seller_id = $1', [sellerId]);
  expect(cards).toHaveLength(1);
});
