import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { Load } from './load.ts';
import { seedOfRun } from './seed.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { sleep } from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let receiver: Receiver;
let gateway: TestGateway;
let load: Load;
beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startTestGateway({ receiverAuthorities: receiver.authority });
  load = await Load.prepare({ demo: gateway.demo, sellers: 1, seed: seedOfRun(), receiver });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

it('reports no difference in consistent data, and every kind of corruption', async () => {
  let over = false;
  const callers = load.drive(6, () => over);
  await vi.waitFor(() => {
    const { paid, refunded, withdrawn } = load.acknowledged;
    expect(Math.min(paid - 5, refunded, withdrawn)).toBeGreaterThan(0);
  }, 30_000);
  await sleep(200);
  over = true;
  await callers;
  expect(await load.differences()).toEqual([]);

  const corruptions: readonly (readonly [sql: string, found: RegExp])[] = [
    [
      `UPDATE transactions SET status = 'PENDING'
        WHERE id = (SELECT id FROM transactions WHERE status = 'PAID' AND method = 'PIX' LIMIT 1)`,
      /expected and not found: charge \S+ \d+ \d+ PAID/,
    ],
    [
      `UPDATE withdrawals SET amount = amount + 1 WHERE id = (SELECT id FROM withdrawals LIMIT 1)`,
      /expected and not found: withdrawal/,
    ],
    ['UPDATE wallets SET available = available + 1', /the wallet of \S+ shows/],
    [
      `UPDATE ledger_entries SET available_after = available_after + 1
        WHERE id = (SELECT id FROM ledger_entries WHERE cause = 'REFUND' LIMIT 1)`,
      /entry \S+ does not follow/,
    ],
    [
      `UPDATE ledger_entries SET amount = amount + 1
        WHERE id = (SELECT id FROM ledger_entries WHERE cause = 'PAYMENT' LIMIT 1)`,
      /found and not expected: \S+ PAYMENT \d+/,
    ],
    [
      `WITH one AS (SELECT id FROM events LIMIT 1),
          gone AS (DELETE FROM deliveries WHERE event_id IN (SELECT id FROM one))
       DELETE FROM events WHERE id IN (SELECT id FROM one)`,
      /expected and not found: \d events of/,
    ],
    [
      `DELETE FROM idempotency_keys
        WHERE key = (SELECT key FROM idempotency_keys WHERE operation = 'transactions.create' LIMIT 1)`,
      /a repeat of charge \S+ differs/,
    ],
  ];
  for (const [sql, found] of corruptions) {
    expect(await load.differences()).not.toContainEqual(expect.stringMatching(found));
    await gateway.database.query(sql);
    expect(await load.differences()).toContainEqual(expect.stringMatching(found));
  }
  expect(await load.differences()).toContainEqual(expect.stringMatching(/the ledger's check says/));
});
