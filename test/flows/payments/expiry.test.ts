import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readConfig } from '#app/config.ts';
import { startGateway, type Gateway } from '#app/gateway.ts';
import { createLogger } from '#platform/kit/log.ts';
import { putStatus } from '#test/support/database.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

const SECRETS = { JWT_SECRET: 'j'.repeat(64), ENCRYPTION_KEY: randomBytes(32).toString('hex') };

/** Due work happens within this time after the clock was advanced. */
const PROMPTLY = { timeout: 2_000, interval: 20 };
const DAY = 24 * 3600;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: SECRETS });
});
afterAll(async () => {
  await gateway.stop();
});

async function charge(expiration: number, at: TestGateway = gateway): Promise<string> {
  const created = await at.charge({ expiration });
  expect(created.status).toBe(201);
  return String(created.body.data.id);
}

async function read(id: string, at: TestGateway = gateway) {
  return (await at.get(`/transactions/${id}`)).body.data;
}

const pay = (id: string, at: TestGateway = gateway) => at.post(`/sandbox/transactions/${id}/pay`);

async function available(at: TestGateway = gateway): Promise<number> {
  return (await at.get('/seller-wallet/gestao')).body.data.availableBalance;
}

interface ReportRow {
  kind: string;
  amount: string | null;
  outcome: string;
}

function reportsOf(id: string, at: TestGateway = gateway): Promise<readonly ReportRow[]> {
  return at.database.query<ReportRow>(
    `SELECT kind, amount, outcome FROM provider_events WHERE record_id = $1
      ORDER BY received_at, provider_event_id`,
    [id],
  );
}

function historyOf(id: string) {
  return gateway.database.query<{ from_status: string | null; to_status: string; actor: string }>(
    `SELECT from_status, to_status, actor FROM transaction_history WHERE transaction_id = $1
      ORDER BY position`,
    [id],
  );
}

async function count(table: 'ledger_entries' | 'events', id: string): Promise<number> {
  const rows = await gateway.database.query<{ count: string }>(
    `SELECT count(*) FROM ${table} WHERE record_id = $1`,
    [id],
  );
  return Number(rows[0]?.count);
}

async function expectBalanced(at: TestGateway = gateway): Promise<void> {
  const check = await at.get('/admin/ledger/check', { token: await at.adminToken() });
  expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
}

/** Another process with a worker on the same database. */
async function startWorker(at: TestGateway): Promise<Gateway> {
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: join(tmpdir(), 'gateway-second-node'),
    DATABASE_URL: at.database.url,
    MODE: 'sandbox',
    LOG_LEVEL: 'silent',
    ...SECRETS,
  });
  return startGateway({
    config,
    databaseUrl: at.database.url,
    log: createLogger('silent'),
    api: false,
    worker: true,
  });
}

describe('the expiration of a transaction', () => {
  it('is an hour by default', async () => {
    const created = await gateway.charge();
    const { createdAt, expiresAt, pix } = created.body.data;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(3600_000);
    expect(pix.expirationDate).toBe(expiresAt);
  });

  it.each([1, 86_400, 365 * DAY])('can be set to %i seconds', async (expiration) => {
    const created = await gateway.charge({ expiration });
    const { createdAt, expiresAt } = created.body.data;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(expiration * 1000);
  });

  it.each([
    [0, 'expiration must not be less than 1'],
    [-5, 'expiration must not be less than 1'],
    [365 * DAY + 1, `expiration must not be greater than ${365 * DAY}`],
    [1.5, 'expiration must be an integer number'],
    ['60', 'expiration must be an integer number'],
  ])('rejects %j', async (expiration, message) => {
    const refused = await gateway.charge({ expiration });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual([message]);
  });
});

describe('an unpaid transaction', () => {
  it('fails within two seconds of its expiration, with a reason', async () => {
    const id = await charge(3600);
    const before = await read(id);
    await gateway.advance(3600);
    await expect.poll(() => gateway.statusOf(id), PROMPTLY).toBe('FAILED');
    const after = await read(id);
    expect(after).toMatchObject({ statusReason: 'expired', paidAt: null });
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.pix.expirationDate));
    expect(after.createdAt).toBe(before.createdAt);
    expect(await historyOf(id)).toEqual([
      { from_status: null, to_status: 'PENDING', actor: 'SELLER' },
      { from_status: 'PENDING', to_status: 'FAILED', actor: 'WORKER' },
    ]);
    expect(await count('ledger_entries', id)).toBe(0);
    expect(await count('events', id)).toBe(1);
  });

  it('does not fail before its expiration', async () => {
    const [shorter, longer] = [await charge(600), await charge(630)];
    await gateway.advance(605);
    // The worker has run since the clock was advanced: the charge with the shorter expiration has
    // ended.
    await expect.poll(() => gateway.statusOf(shorter), PROMPTLY).toBe('FAILED');
    expect(await gateway.statusOf(longer)).toBe('PENDING');
    await gateway.advance(30);
    await expect.poll(() => gateway.statusOf(longer), PROMPTLY).toBe('FAILED');
  });

  it('also fails while it waits for the provider', async () => {
    const id = await charge(600);
    await putStatus(gateway.database, id, 'WAITING_PAYMENT');
    await gateway.advance(601);
    await expect.poll(() => gateway.statusOf(id), PROMPTLY).toBe('FAILED');
  });

  it('fails once among hundreds that expire at the same time', async () => {
    const ids: string[] = [];
    while (ids.length < 1_100)
      ids.push(...(await Promise.all(Array.from({ length: 100 }, () => charge(600)))));
    const others = await startWorker(gateway);
    try {
      await gateway.advance(601);
      await expect
        .poll(
          async () => {
            const rows = await gateway.database.query<{ left: string }>(
              "SELECT count(*) AS left FROM transactions WHERE id = ANY ($1) AND status <> 'FAILED'",
              [ids],
            );
            return Number(rows[0]?.left);
          },
          { timeout: 10_000, interval: 50 },
        )
        .toBe(0);
      const rows = await gateway.database.query<{ events: string; changes: string }>(
        `SELECT (SELECT count(*) FROM events WHERE record_id = ANY ($1)) AS events,
           (SELECT count(*) FROM transaction_history
             WHERE transaction_id = ANY ($1) AND to_status = 'FAILED') AS changes`,
        [ids],
      );
      expect(rows[0]).toEqual({ events: String(ids.length), changes: String(ids.length) });
    } finally {
      await others.stop();
    }
  });

  it.each(['pay', 'fail', 'refuse'])('keeps the status that the provider set by %s', async (action) => {
    const [id, control] = [await charge(600), await charge(600)];
    const simulated = await gateway.post(`/sandbox/transactions/${id}/${action}`);
    const { status, updatedAt } = simulated.body.data;
    await gateway.advance(601);
    await expect.poll(() => gateway.statusOf(control), PROMPTLY).toBe('FAILED');
    expect(await read(id)).toMatchObject({ status, updatedAt });
  });
});

describe('a late payment', () => {
  it('is recorded for reversal, and changes neither balance nor status', async () => {
    const id = await charge(600);
    await gateway.advance(601);
    await expect.poll(() => gateway.statusOf(id), PROMPTLY).toBe('FAILED');
    const before = { charge: await read(id), wallet: await available() };

    const late = await pay(id);
    expect(late.status).toBe(200);
    expect(late.body.data).toMatchObject({ id, status: 'FAILED', paidAt: null });
    expect(await reportsOf(id)).toEqual([{ kind: 'PAYMENT', amount: '1500', outcome: 'LATE' }]);
    expect(await read(id)).toEqual(before.charge);
    expect(await available()).toBe(before.wallet);
    expect(await count('ledger_entries', id)).toBe(0);
    // The event of the expiration, and no other.
    expect(await count('events', id)).toBe(1);
  });

  it('is recorded each time it is reported', async () => {
    const id = await charge(600);
    await gateway.advance(601);
    await expect.poll(() => gateway.statusOf(id), PROMPTLY).toBe('FAILED');
    const responses = await Promise.all(Array.from({ length: 5 }, () => pay(id)));
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200, 200]);
    expect((await reportsOf(id)).map((report) => report.outcome)).toEqual(Array(5).fill('LATE'));
    expect(await count('ledger_entries', id)).toBe(0);
  });

  it.each(['fail', 'refuse'])('is recorded for a transaction that ended by %s', async (action) => {
    const id = await charge(600);
    await gateway.post(`/sandbox/transactions/${id}/${action}`);
    const wallet = await available();
    expect((await pay(id)).status).toBe(200);
    expect(await reportsOf(id)).toContainEqual({ kind: 'PAYMENT', amount: '1500', outcome: 'LATE' });
    expect(await available()).toBe(wallet);
  });

  it('is not credited, even if no worker has failed the transaction yet', async () => {
    const idle = await startTestGateway({ worker: false, environment: SECRETS });
    try {
      const id = await charge(600, idle);
      await idle.advance(601);
      const late = await pay(id, idle);
      expect(late.status).toBe(200);
      expect(late.body.data.status).not.toBe('PAID');
      expect(await available(idle)).toBe(0);
      expect(await reportsOf(id, idle)).toEqual([{ kind: 'PAYMENT', amount: '1500', outcome: 'LATE' }]);
      const worker = await startWorker(idle);
      await expect.poll(() => idle.statusOf(id), PROMPTLY).toBe('FAILED');
      await worker.stop();
      expect(await available(idle)).toBe(0);
      await expectBalanced(idle);
    } finally {
      await idle.stop();
    }
  });

  it('of a transaction that is processing at its expiration leads to a final status', async () => {
    const id = await charge(600);
    await gateway.post(`/sandbox/transactions/${id}/processing`);
    const wallet = await available();
    await gateway.advance(601);
    expect((await pay(id)).status).toBe(200);
    await expect.poll(() => gateway.statusOf(id), PROMPTLY).toMatch(/^(PAID|FAILED)$/);
    expect(await available()).toBe(wallet + ((await gateway.statusOf(id)) === 'PAID' ? 1485 : 0));
    await expectBalanced();
  });
});

describe('a race between payment and expiration', () => {
  it('ends with a credit or an expired transaction, never both', async () => {
    const before = await available();
    const ids: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const some = await Promise.all(Array.from({ length: 25 }, () => charge(600)));
      ids.push(...some);
      // The payments start before, during and after the advance of the clock.
      const paid = some.map(async (id, index) => {
        if (index % 3 === 1) await gateway.get('/health');
        if (index % 3 === 2) await gateway.get('/seller-wallet/gestao');
        return pay(id);
      });
      const [responses] = await Promise.all([Promise.all(paid), gateway.advance(600)]);
      expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
    }
    await expect
      .poll(async () => new Set(await Promise.all(ids.map((id) => gateway.statusOf(id)))), { timeout: 5_000 })
      .not.toContain('PENDING');
    let paid = 0;
    for (const id of ids) {
      const [status, reports] = [await gateway.statusOf(id), await reportsOf(id)];
      expect(['PAID', 'FAILED']).toContain(status);
      expect(reports.map((report) => report.outcome)).toEqual([status === 'PAID' ? 'APPLIED' : 'LATE']);
      expect(await count('ledger_entries', id)).toBe(status === 'PAID' ? 2 : 0);
      expect((await historyOf(id)).map((change) => change.to_status)).toEqual(['PENDING', status]);
      if (status === 'PAID') paid += 1;
    }
    expect(await available()).toBe(before + paid * 1485);
    await expectBalanced();
  });
});
