import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '#app/config.ts';
import { startGateway, type Gateway } from '#app/gateway.ts';
import { createLogger } from '#platform/kit/log.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { run } from '#test/support/process.ts';
import { type Receiver } from '#test/support/receiver.ts';
import { type TestSeller as Seller } from '#test/support/sellers.ts';
import {
  SECRETS,
  receiver,
  authorities,
  newSeller,
  register,
  paidCharge,
  controlSeller,
  workerHasPolled,
  callsOf,
  waitForCalls,
  deliveriesOf,
  attemptsOf,
  setUp,
} from './deliveries-setup.ts';

setUp();

const portOf = (one: Receiver): string => new URL(one.url).port;

/** A process that sends deliveries for a gateway without a worker. */
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
    receiverAuthorities: authorities,
  });
}

describe('several workers', () => {
  let idle: TestGateway;
  let seller: Seller;
  let idleControl: string;
  const running: Gateway[] = [];
  beforeAll(async () => {
    idle = await startTestGateway({ worker: false, environment: SECRETS });
    seller = await newSeller(idle);
    await register(seller, receiver.url, 'TRANSACTION', idle);
    idleControl = await controlSeller(idle);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((worker) => worker.stop()));
  });
  afterAll(async () => {
    await idle.stop();
  });

  async function work(): Promise<Gateway> {
    const worker = await startWorker(idle);
    running.push(worker);
    return worker;
  }

  it('send each delivery once', async () => {
    const ids = await Promise.all(Array.from({ length: 150 }, () => paidCharge(seller, {}, idle)));
    await Promise.all([work(), work(), work()]);
    await vi.waitFor(
      async () => {
        const rows = await idle.database.query("SELECT id FROM deliveries WHERE status <> 'DELIVERED'");
        expect(rows).toEqual([]);
      },
      { timeout: 15_000, interval: 50 },
    );
    for (const id of ids) expect(callsOf(receiver, id)).toHaveLength(1);
  });

  it('do not claim leased deliveries until the lease has expired', async () => {
    const id = await paidCharge(seller, {}, idle);
    // The state that a worker leaves when it dies during its request.
    const [pending] = await idle.database.query<{ due_at: Date }>(
      `SELECT due_at FROM deliveries WHERE status = 'PENDING'`,
    );
    await idle.database.query(`UPDATE deliveries SET lease_until = $1 WHERE status = 'PENDING'`, [
      new Date(Number(pending?.due_at) + 60_000),
    ]);
    await work();
    await workerHasPolled(idle, idleControl);
    expect(callsOf(receiver, id)).toHaveLength(0);
    await idle.advance(45);
    await workerHasPolled(idle, idleControl);
    expect(callsOf(receiver, id)).toHaveLength(0);
    await idle.advance(20);
    await waitForCalls(receiver, id, 1);
    await vi.waitFor(async () =>
      expect(await deliveriesOf(id, idle)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]),
    );
  });

  it('take over from one that was killed during a request', async () => {
    receiver.respondWith(() => undefined);
    const id = await paidCharge(seller, {}, idle);
    const directory = await mkdtemp(join(tmpdir(), 'gateway-worker-'));
    try {
      const authority = join(directory, 'authorities.pem');
      await writeFile(authority, authorities);
      const killed = run(['worker'], {
        NODE_EXTRA_CA_CERTS: authority,
        DATA_DIR: directory,
        DATABASE_URL: idle.database.url,
        MODE: 'sandbox',
        LOG_LEVEL: 'silent',
        ...SECRETS,
      });
      await waitForCalls(receiver, id, 1);
      killed.signal('SIGKILL');
      await killed.exit();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    receiver.respondWith((_request, response) => response.end('ok'));
    expect(await deliveriesOf(id, idle)).toMatchObject([
      { status: 'PENDING', attempts: 0, lease_until: expect.any(Date) },
    ]);
    await work();
    await workerHasPolled(idle, idleControl);
    expect(callsOf(receiver, id)).toHaveLength(1);
    await idle.advance(31);
    const calls = await waitForCalls(receiver, id, 2);
    expect(calls[1]?.headers['webhook-id']).toBe(calls[0]?.headers['webhook-id']);
    await vi.waitFor(async () =>
      expect(await deliveriesOf(id, idle)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]),
    );
  });

  it('release their leases when they stop, without counting an attempt', async () => {
    receiver.respondWith(() => undefined);
    const worker = await work();
    const id = await paidCharge(seller, {}, idle);
    await waitForCalls(receiver, id, 1);
    const started = Date.now();
    await worker.stop();
    running.splice(0);
    expect(Date.now() - started).toBeLessThan(4_500);
    expect(await deliveriesOf(id, idle)).toMatchObject([
      { status: 'PENDING', attempts: 0, lease_until: null },
    ]);
    expect(await attemptsOf(id, idle)).toEqual([]);
    receiver.respondWith((_request, response) => response.end('ok'));
    await work();
    await waitForCalls(receiver, id, 2);
  });
});

describe('a private address', () => {
  let strict: TestGateway;
  beforeAll(async () => {
    strict = await startTestGateway({
      receiverAuthorities: authorities,
      environment: { ...SECRETS, WEBHOOK_ALLOW_PRIVATE: 'false' },
    });
  });
  afterAll(async () => {
    await strict.stop();
  });

  async function expectRefused(id: string): Promise<void> {
    const [attempt] = await vi.waitFor(
      async () => {
        const rows = await attemptsOf(id, strict);
        expect(rows).toHaveLength(1);
        return rows;
      },
      { timeout: 5_000 },
    );
    expect(attempt).toMatchObject({
      status_code: null,
      response_body: null,
      error: expect.stringMatching(/not public/),
    });
    // The seller sees the error: it must not contain the resolved address.
    expect(attempt?.error).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/);
    expect(await deliveriesOf(id, strict)).toMatchObject([{ status: 'PENDING', attempts: 1 }]);
    expect(callsOf(receiver, id)).toEqual([]);
  }

  it('is not called as a postbackUrl', async () => {
    const seller = await newSeller(strict);
    const id = await paidCharge(seller, { postbackUrl: receiver.url }, strict);
    await expectRefused(id);
    expect(callsOf(receiver, id)).toEqual([]);
  });

  it('is not called as a webhook URL', async () => {
    const seller = await newSeller(strict);
    await register(seller, 'https://93.184.215.14/hook', 'ALL', strict);
    await strict.database.query('UPDATE webhooks SET url = $2 WHERE seller_id = $1', [
      seller.id,
      `https://127.0.0.1:${portOf(receiver)}/hook`,
    ]);
    const id = await paidCharge(seller, {}, strict);
    await expectRefused(id);
    expect(callsOf(receiver, id)).toEqual([]);
  });
});
