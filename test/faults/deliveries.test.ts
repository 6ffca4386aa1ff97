import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { queryEachServer } from '#test/support/database.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { run, type Run } from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';
import { listenLocally } from '#test/support/free-port.ts';

/**
 * Kills workers at each step of a delivery; another worker takes over. No event may be lost, and
 * none sent twice without need.
 */

vi.setConfig({ testTimeout: 60_000 });

const SECRETS = { JWT_SECRET: 'j'.repeat(64), ENCRYPTION_KEY: randomBytes(32).toString('hex') };
const LEASE_SECONDS = 31;
const WAIT = { timeout: 20_000, interval: 10 };

let receiver: Receiver;
let proxy: BlockingProxy;
let gateway: TestGateway;
let seller: TestSeller;
let directory: string;
let worker: Run | undefined;

beforeAll(async () => {
  receiver = await startReceiver();
  proxy = await startBlockingProxy(Number(new URL(receiver.url).port));
  gateway = await startTestGateway({ worker: false, environment: SECRETS });
  seller = await newSeller(gateway);
  const url = `https://localhost:${proxy.port}/hook`;
  await gateway.post('/webhooks', { url, eventType: 'TRANSACTION' }, seller);
  directory = await mkdtemp(join(tmpdir(), 'gateway-worker-'));
  await writeFile(join(directory, 'authority.pem'), receiver.authority);
});
afterEach(async () => {
  proxy.block(false);
  receiver.respondWith((_request, response) => response.end('ok'));
  await kill();
});
afterAll(async () => {
  await gateway.stop();
  await proxy.close();
  await receiver.close();
  await rm(directory, { recursive: true, force: true });
});

/** A proxy in front of the receiver that can keep requests waiting. */
interface BlockingProxy {
  readonly port: number;
  readonly held: () => number;
  block(on: boolean): void;
  close(): Promise<void>;
}

async function startBlockingProxy(to: number): Promise<BlockingProxy> {
  let blocked = false;
  const inside = new Set<Socket>();
  const server: Server = createServer((socket) => {
    inside.add(socket);
    socket.on('close', () => inside.delete(socket)).on('error', () => undefined);
    if (blocked) return;
    const onward = connect(to, '127.0.0.1');
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  const port = await listenLocally(server);
  return {
    port,
    held: () => inside.size,
    block(on) {
      blocked = on;
      for (const socket of inside) socket.destroy();
    },
    close: () => {
      for (const socket of inside) socket.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function work(): void {
  worker = run(['worker'], {
    NODE_EXTRA_CA_CERTS: join(directory, 'authority.pem'),
    DATA_DIR: directory,
    DATABASE_URL: gateway.database.url,
    MODE: 'sandbox',
    LOG_LEVEL: 'silent',
    ...SECRETS,
  });
}

async function kill(): Promise<void> {
  worker?.signal('SIGKILL');
  await worker?.exit();
  worker = undefined;
}

async function paidCharge(): Promise<string> {
  const { id } = (await gateway.charge({}, seller)).body.data;
  await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, seller);
  return String(id);
}

interface Row {
  readonly status: string;
  readonly attempts: number;
  readonly leased: boolean;
}

async function rowOf(id: string): Promise<Row | undefined> {
  const rows = await gateway.database.query<Row & pg.QueryResultRow>(
    'SELECT status, attempts, lease_until IS NOT NULL AS leased FROM deliveries WHERE record_id = $1',
    [id],
  );
  expect(rows).toHaveLength(1);
  return rows[0];
}

const callsOf = (id: string) => receiver.received.filter((call) => call.body.data.id === id);

/** Another worker takes over when the lease has expired, not before. */
async function takenOver(id: string, callsSoFar: number): Promise<void> {
  expect(await rowOf(id)).toEqual({ status: 'PENDING', attempts: 0, leased: true });
  work();
  const next = await paidCharge();
  await vi.waitFor(() => expect(callsOf(next)).toHaveLength(1), WAIT);
  expect(callsOf(id)).toHaveLength(callsSoFar);
  await gateway.advance(LEASE_SECONDS);
  await vi.waitFor(async () => expect((await rowOf(id))?.status).toBe('DELIVERED'), WAIT);
  const calls = callsOf(id);
  expect(calls).toHaveLength(callsSoFar + 1);
  expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await rowOf(id))?.attempts).toBe(1);
}

describe('a worker is killed', () => {
  it('after claiming a delivery and before the request, and another sends it once', async () => {
    proxy.block(true);
    const id = await paidCharge();
    work();
    await vi.waitFor(() => expect(proxy.held()).toBeGreaterThan(0), WAIT);
    await kill();
    proxy.block(false);
    expect(callsOf(id)).toHaveLength(0);
    await takenOver(id, 0);
  });

  it('during the request, and another sends it again with the same id', async () => {
    receiver.respondWith(() => undefined);
    const id = await paidCharge();
    work();
    await vi.waitFor(() => expect(callsOf(id)).toHaveLength(1), WAIT);
    await kill();
    receiver.respondWith((_request, response) => response.end('ok'));
    await takenOver(id, 1);
  });

  it('after the response and before it is recorded; another sends it again with the same id', async () => {
    const id = await paidCharge();
    const [row] = await gateway.database.query('SELECT seller_id FROM transactions WHERE id = $1', [id]);
    const delivery = `seller_id = '${row?.seller_id}' AND record_id = '${id}'`;
    const recording = `wait_event_type = 'Lock' AND query LIKE '%UPDATE deliveries%'
      AND datname = current_database()`;
    const holder = new pg.Client({ connectionString: gateway.database.url });
    await holder.connect();
    try {
      // The worker can still claim the delivery, because that update precedes this lock.
      receiver.respondWith((_request, response) => {
        holder
          .query(`BEGIN; SELECT 1 FROM deliveries WHERE ${delivery} FOR UPDATE`)
          .then(() => response.end('ok'))
          .catch(() => response.destroy());
      });
      work();
      await vi.waitFor(() => expect(callsOf(id)).toHaveLength(1), WAIT);
      // The response has arrived, and its record waits for the row.
      await vi.waitFor(async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE ${recording}`;
        expect(await queryEachServer(gateway.database, waiting)).toHaveLength(1);
      }, WAIT);
      await kill();
      // Its server process must end too, or it would still record the response.
      await queryEachServer(
        gateway.database,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${recording}`,
      );
      await holder.query('ROLLBACK');
    } finally {
      await holder.end();
    }
    receiver.respondWith((_request, response) => response.end('ok'));
    await takenOver(id, 1);
  });

  it('after recording the response, and nothing is sent again', async () => {
    const id = await paidCharge();
    work();
    await vi.waitFor(async () => expect((await rowOf(id))?.status).toBe('DELIVERED'), WAIT);
    await kill();
    work();
    await gateway.advance(LEASE_SECONDS);
    const next = await paidCharge();
    await vi.waitFor(() => expect(callsOf(next)).toHaveLength(1), WAIT);
    expect(callsOf(id)).toHaveLength(1);
  });
});
