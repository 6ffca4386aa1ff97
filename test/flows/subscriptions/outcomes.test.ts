import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { subscriptionsOf } from './setup.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // Without a worker, which would apply the outcomes.
  gateway = await startTestGateway({ worker: false });
});
afterAll(() => gateway.stop());

it('of a transaction that changes again has a later time, whatever the clock says', async () => {
  const { id } = await subscriptionsOf(gateway, {}).create({ startDate: '2090-01-01' });
  const created = await gateway.charge();
  const transaction = created.body.data.id;
  const [row] = await gateway.database.query<{ seller_id: string }>(
    `UPDATE transactions SET subscription_id = '${id}' WHERE id = '${transaction}' RETURNING seller_id`,
  );
  await gateway.database.query(`INSERT INTO subscription_outcomes (seller_id, transaction_id, changed_at)
    VALUES ('${row?.seller_id}', '${transaction}', '2090-01-01T00:00:00Z')`);
  expect((await gateway.post(`/sandbox/transactions/${transaction}/pay`, {})).status).toBe(200);
  const outcomes = await gateway.database.query<{ isLater: boolean }>(
    `SELECT changed_at > '2090-01-01T00:00:00Z' AS "isLater" FROM subscription_outcomes`,
  );
  expect(outcomes).toEqual([{ isLater: true }]);
});
