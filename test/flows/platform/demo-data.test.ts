import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { makePlace, type Place, type Program } from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

const SCRIPT = 'demo-data/main.ts';
const CHARGES = 1_000;
const DAY_MS = 24 * 3_600_000;
const TIMEOUT = { timeout: 180_000 };

let database: TestDatabase;
let place: Place;
let program: Program;
let begun: Date;
let receiver: Receiver;
let webhookId: string;
beforeAll(async () => {
  database = await cloneDatabase();
  place = await makePlace({ DATABASE_URL: database.url, MODE: 'sandbox' });
  receiver = await startReceiver();
  const authority = join(place.dataDir, 'authority.pem');
  await writeFile(authority, receiver.authority);
  program = await place.start({ NODE_EXTRA_CA_CERTS: authority });
  const webhook = await program.client.post('/webhooks', { url: receiver.url, eventType: 'ALL' });
  webhookId = webhook.body.data.id;
  begun = new Date();
}, 60_000);
afterAll(async () => {
  await program.end();
  await receiver.close();
  await place.remove();
  await database.drop();
});

const count = async (text: string): Promise<number> =>
  Number((await database.query<{ count: string }>(`SELECT count(*) FROM ${text}`))[0]?.count);

describe('demo data', () => {
  it('covers a year of plausible history, written while the gateway is running', TIMEOUT, async () => {
    const run = place.runTool(SCRIPT, [String(CHARGES)], { PORT: '8080' });
    const { code, stdout, stderr } = await run.exit(170_000);
    expect(stderr).toMatch(/^mode [^\n]*\n$/);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d+ transactions of 5 sellers in \d+ s\n$/);
    const made = await count('transactions');
    // The sales of each of five sellers are rounded.
    expect(Math.abs(made - CHARGES)).toBeLessThan(5);

    // All of it is before the year's end, when the tool sets the seller's limits, although workers
    // with the current time run on the same tables.
    expect(await count(`transactions WHERE created_at < now() - interval '330 days'`)).toBeGreaterThan(10);
    expect(
      await count(`ledger_entries WHERE created_at < now() AND created_at >
        (SELECT updated_at FROM sellers WHERE id = '${program.demo.seller.id}')`),
    ).toBe(0);
    for (const status of ['PAID', 'FAILED', 'REFUSED', 'REFUNDED']) {
      expect(await count(`transactions WHERE status = '${status}'`)).toBeGreaterThan(0);
    }
    for (const method of ['PIX', 'BOLETO', 'CREDIT_CARD']) {
      expect(await count(`transactions WHERE method = '${method}'`)).toBeGreaterThan(CHARGES * 0.05);
    }
    for (const table of ['refunds', 'disputes', 'withdrawals', 'releases', 'provider_events', 'audit_log']) {
      expect(await count(table)).toBeGreaterThan(0);
    }
    expect(await count(`withdrawals WHERE status = 'PAID'`)).toBeGreaterThan(20);
    expect(await count(`withdrawals WHERE status = 'FAILED'`)).toBeGreaterThan(0);
    // A statement is read from the newest movement to the oldest; simultaneous ones may be in any
    // order.
    const unordered =
      await count(`(SELECT created_at < lag(created_at) OVER (PARTITION BY seller_id ORDER BY id) AS earlier
      FROM ledger_entries) e WHERE earlier`);
    expect(unordered).toBeLessThan((await count('ledger_entries')) * 0.03);
    const sellers = await database.query('SELECT seller_id FROM transactions GROUP BY seller_id');
    expect(sellers).toHaveLength(5);
  });

  it('passes the ledger check, and is visible to the demo seller', TIMEOUT, async () => {
    const { client, demo } = program;
    const signedIn = await client.post('/login', demo.admin, { credential: 'none' });
    const token = String(signedIn.body.accessToken);
    const check = await client.get('/admin/ledger/check', { token });
    expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
    const events = await client.get('/admin/provider-events?take=1', { token });
    expect(events.body.count).toBe(
      (await count('provider_events')) + (await count('unmatched_provider_events')),
    );
    const list = await client.get('/transactions?status=PAID');
    expect(list.body.count).toBeGreaterThan(CHARGES * 0.15);
    const [newest] = (await client.get('/seller-wallet/entries')).body.data;
    const wallet = (await client.get('/seller-wallet/gestao')).body.data;
    expect(newest.totalBalance).toBe(wallet.totalBalance);
    expect(Date.now() - Date.parse(newest.createdAt)).toBeLessThan(2 * DAY_MS);
    // The workers are running again.
    const made = await client.charge({ expiration: 1 });
    await expect
      .poll(async () => (await client.get(`/transactions/${made.body.data.id}`)).body.data.status, {
        timeout: 15_000,
      })
      .toBe('FAILED');
  });

  it('is not sent to a webhook, which receives later events at once', TIMEOUT, async () => {
    const { client } = program;
    expect((await client.get('/webhooks')).body.data).toMatchObject([{ id: webhookId, status: 'ACTIVE' }]);
    expect(await count(`events WHERE created_at < '${begun.toISOString()}'`)).toBeGreaterThan(CHARGES * 0.1);
    const made = await client.charge();
    await client.post(`/sandbox/transactions/${made.body.data.id}/pay`);
    await vi.waitFor(
      () => expect(receiver.received.map(({ body }) => body.data.id)).toContain(made.body.data.id),
      { timeout: 15_000 },
    );
    // No event of the demo data was sent before it.
    expect(await count(`deliveries WHERE created_at < '${begun.toISOString()}'`)).toBe(0);
    expect(await count(`deliveries WHERE status = 'HELD'`)).toBe(0);
  });

  it('keeps the address of the gateway in demo.json', async () => {
    // The tool ran without the gateway's PORT.
    const stored: unknown = JSON.parse(await readFile(join(place.dataDir, 'demo.json'), 'utf8'));
    expect(stored).toMatchObject({ baseUrl: program.demo.baseUrl, apiKey: program.demo.apiKey });
  });

  it('is written once', TIMEOUT, async () => {
    const before = await count('transactions');
    const { code, stderr } = await place.runTool(SCRIPT, ['100']).exit(60_000);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'the demo seller already has a history: start on an empty DATA_DIR for a new one',
    );
    expect(await count('transactions')).toBe(before);
  });

  it.each([
    [['0'], {}, 'demo-data takes a number of transactions from 1 to 10000000'],
    [
      [],
      {
        MODE: 'production',
        PUBLIC_URL: 'https://pay.example.com',
        JWT_SECRET: 'a secret of forty characters for tests!!',
        ENCRYPTION_KEY: '00112233445566778899aabbccddeeff'.repeat(2),
        ADMIN_EMAIL: 'a@example.com',
        ADMIN_PASSWORD: 'a long password',
      },
      'demo-data requires MODE=sandbox: the history must not be mixed with real payments',
    ],
  ])('is rejected for %j', TIMEOUT, async (args, settings, message) => {
    const { code, stderr } = await place.runTool(SCRIPT, args, settings).exit(60_000);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
