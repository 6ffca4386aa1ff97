import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Agent } from 'undici';

import { openDatabase } from '#platform/database/connect.ts';
import { startEmbedded } from '#platform/database/embedded.ts';
import { dedicatedConnection } from '#platform/database/dedicated-connection.ts';
import { migrate } from '#platform/database/migrate.ts';
import { newId } from '#platform/kit/ids.ts';
import { readDataKeys } from '#platform/crypto/data-keys.ts';
import { openMasterKey } from '#platform/crypto/master-key.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';
import { newWebhookSecret } from '#webhooks/signature.ts';
import { claimDeliveries } from '#webhooks/store-deliveries.ts';
import { costLine, cpuTime } from './cpu.ts';
import { query } from './database.ts';
import { Comparison, median, ms, print, two, whole } from './figures.ts';
import type { Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { startReceiver, type BenchReceiver } from './receiver.ts';
import { makeSellers } from './sellers.ts';
import { dataOf, startServer, withDataDir, type Seller, type Server } from './server.ts';

const PAYLOAD_BYTES = 400;

interface Setting {
  readonly server: Server;
  readonly receiver: BenchReceiver;
  readonly secrets: SecretBox;
  readonly sellers: readonly Seller[];
  readonly options: BenchOptions;
}

/**
 * Deliveries per second compared with a bare loop of the same client, the effect of a hanging
 * endpoint, and the cost of a claim with a backlog.
 */
export async function benchWebhooks(options: BenchOptions, _load: Load): Promise<void> {
  await withDataDir(async (dataDir) => {
    const receiver = await startReceiver(dataDir);
    const key = randomBytes(32);
    try {
      const server = await startServer({
        dataDir,
        profileDir: options.profileDir,
        settings: { ENCRYPTION_KEY: key.toString('hex'), NODE_EXTRA_CA_CERTS: receiver.authorityFile },
      });
      try {
        const sellers = await makeSellers(server, options.smoke ? 3 : 20);
        const secrets = await readSecrets(server, key);
        const setting = { server, receiver, secrets, sellers, options };
        await throughput(setting);
        await fairness(setting);
        await fanOut(setting);
      } finally {
        await server.stop();
      }
    } finally {
      receiver.stop();
    }
  });
  await claims(options);
}

async function readSecrets({ databaseUrl }: Server, key: Buffer): Promise<SecretBox> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, onError: () => undefined });
  try {
    return await readDataKeys(database.db, openMasterKey({ setting: 'ENCRYPTION_KEY', keys: [key] }));
  } finally {
    await database.close();
  }
}

interface Endpoint {
  readonly seller_id: string;
  readonly id: string;
}

/** Registers endpoints beyond the limit of the API, distributed over the sellers. */
async function register(
  { server, receiver, secrets, sellers }: Setting,
  path: string,
  count: number,
): Promise<readonly Endpoint[]> {
  const rows = Array.from({ length: count }, (_, n) => {
    const sellerId = sellers[n % sellers.length]?.id ?? '';
    const id = newId(Date.now());
    const encryptedSecret = secrets.encrypt(newWebhookSecret(), `webhook ${sellerId} ${id}`);
    return {
      seller_id: sellerId,
      id,
      url: `${receiver.url}/${path}/${n}`,
      encrypted_secret: encryptedSecret,
    };
  });
  return query<Endpoint & Record<string, unknown>>(
    server.databaseUrl,
    `INSERT INTO webhooks (seller_id, id, url, event_type, encrypted_secret, created_at)
     SELECT seller_id, id, url, 'DISPUTE', encrypted_secret, now()
     FROM json_to_recordset($1::json) AS w (seller_id uuid, id uuid, url text, encrypted_secret text)
     RETURNING seller_id, id`,
    [JSON.stringify(rows)],
  );
}

/**
 * Inserts events with one delivery each, this many for each endpoint. Their ids start with the time, as
 * all ids do, so that the retention does not take them for old ones, and each has its own record.
 */
const FILL = `
  WITH made AS MATERIALIZED (
    SELECT w.seller_id, w.id AS webhook_id, w.url,
      ($5 || right(gen_random_uuid()::text, 23))::uuid AS event_id,
      ($5 || right(gen_random_uuid()::text, 23))::uuid AS id
    FROM webhooks w CROSS JOIN generate_series(1, $2::integer) WHERE w.id = ANY ($1::uuid[])
  ), new_events AS (
    INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
    SELECT seller_id, event_id, 'PING', event_id, $3::text, $4::timestamptz FROM made
  )
  INSERT INTO deliveries (seller_id, id, event_id, event, record_id, webhook_id, endpoint, url, status,
    attempts, due_at, created_at, updated_at)
  SELECT seller_id, id, event_id, 'PING', event_id, webhook_id, webhook_id::text, url, 'PENDING', 0,
    $4, $4, $4 FROM made`;

function payloadOf(at: Date): string {
  const text = JSON.stringify({
    event: 'PING',
    data: { id: randomUUID(), sentAt: at.toISOString(), filling: '' },
  });
  return text.replace('"filling":""', `"filling":"${'x'.repeat(PAYLOAD_BYTES - text.length)}"`);
}

async function deliver(server: Server, endpoints: readonly Endpoint[], each: number): Promise<void> {
  const at = new Date();
  const idPrefix = newId(at.getTime()).slice(0, 13);
  await query(server.databaseUrl, FILL, [endpoints.map(({ id }) => id), each, payloadOf(at), at, idPrefix]);
}

async function throughput(setting: Setting): Promise<void> {
  const { server, receiver, options } = setting;
  const endpoints = await register(setting, 'throughput', options.smoke ? 50 : 10_000);
  const each = options.smoke ? 2 : 3;
  print(
    `${each * endpoints.length} deliveries to ${endpoints.length} endpoints; ` +
      'the bare client sends as many, 64 at once',
  );
  const comparison = new Comparison('deliveries', 'bare client');
  let received = 0;
  const spent = { gateway: 0, database: 0 };
  for (let round = 0; round < options.rounds; round += 1) {
    await deliver(server, endpoints, each);
    const [before, started] = [await cpuTime(server.pid), performance.now()];
    const wanted = received + each * endpoints.length;
    while ((await receiver.count('throughput')) < wanted) await sleep(20);
    const seconds = (performance.now() - started) / 1000;
    const after = await cpuTime(server.pid);
    spent.gateway += after.gateway - before.gateway;
    spent.database += after.database - before.database;
    received = wanted;
    comparison.add((each * endpoints.length) / seconds, await bareRate(receiver, each * endpoints.length));
  }
  comparison.close();
  print(costLine('delivery', { gateway: 0, database: 0 }, spent, received));
}

/** The same bytes from the same client to the same receiver, without the gateway. */
async function bareRate(receiver: BenchReceiver, count: number): Promise<number> {
  const ca = await readFile(receiver.authorityFile, 'utf8');
  const agent = new Agent({ connections: 64, allowH2: false, connect: { ca } });
  const body = payloadOf(new Date());
  let left = count;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (left > 0) {
        left -= 1;
        const response = await agent.request({
          origin: receiver.url,
          path: '/bare/1',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        await response.body.dump();
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  await agent.destroy();
  return count / seconds;
}

/**
 * Delay of other endpoints while one hangs on every call and has a backlog, compared with an idle
 * minute.
 */
async function fairness(setting: Setting): Promise<void> {
  const { server, receiver, options } = setting;
  const backlog = options.smoke ? 200 : 100_000;
  const others = await register(setting, 'quiet', 50);
  const reported = async (name: string): Promise<number> => {
    const before = (await receiver.delays(name)).length;
    const times = options.smoke ? 3 : 20;
    for (let i = 0; i < times; i += 1) {
      await deliver(server, others, 1);
      await sleep(250);
    }
    const delays = (await receiver.delays(name)).slice(before);
    if (delays.length < times * others.length * 0.9)
      throw new Error(`only ${delays.length} deliveries came in time`);
    return median(delays);
  };
  const quiet = await reported('quiet');
  const [hanging] = await register(setting, 'hang', 1);
  if (hanging === undefined) throw new Error('no endpoint');
  await deliver(server, [hanging], backlog);
  await sleep(500);
  const disturbed = await reported('quiet');
  print(
    `median delivery time ${ms(quiet)}; with ${backlog} deliveries waiting for a hanging endpoint ` +
      ms(disturbed),
  );
  await query(server.databaseUrl, `DELETE FROM deliveries WHERE webhook_id = $1`, [hanging.id]);
}

/** Time from a payment to its twenty receivers. */
async function fanOut({ server, receiver, sellers, options }: Setting): Promise<void> {
  const [seller] = sellers;
  if (seller === undefined) throw new Error('no seller');
  const call = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
      method,
      headers: {
        'x-api-key': seller.apiKey,
        'idempotency-key': randomUUID(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    return JSON.parse(await response.text());
  };
  await query(server.databaseUrl, 'DELETE FROM webhooks WHERE seller_id = $1', [seller.id]);
  for (let n = 0; n < 20; n += 1) {
    await call('POST', '/webhooks', { url: `${receiver.url}/fan/${n}`, eventType: 'TRANSACTION' });
  }
  const spans: number[] = [];
  for (let round = 0; round < (options.smoke ? 2 : 30); round += 1) {
    const wanted = (await receiver.count('fan')) + 20;
    const made = await call('POST', '/transactions', SAMPLE_TRANSACTION);
    const id = String(dataOf(made)['id']);
    const started = performance.now();
    await call('POST', `/sandbox/transactions/${id}/pay`);
    while ((await receiver.count('fan')) < wanted) await sleep(1);
    spans.push(performance.now() - started);
  }
  print(`from the report of a payment to the last of twenty receivers: ${ms(median(spans))}`);
}

/** Duration of a claim with few and very many due rows, for a thousand endpoints. */
async function claims({ smoke }: BenchOptions): Promise<void> {
  await withDataDir(async (dataDir) => {
    const directory = join(dataDir, 'postgres');
    await mkdir(directory, { recursive: true });
    const server = await startEmbedded({ directory });
    const database = openDatabase({ url: server.url, poolSize: 2, onError: () => undefined });
    const runStatement = dedicatedConnection(database, 'claims', { durable: false });
    try {
      await migrate(server.url);
      const sizes = smoke ? [6_000, 12_000] : [10_000, 1_000_000];
      const times: number[] = [];
      let waiting = 0;
      for (const size of sizes) {
        await query(server.url, BACKLOG, [size - waiting]);
        await query(server.url, 'VACUUM (ANALYZE) deliveries, events');
        waiting = size;
        const taken: number[] = [];
        let after = '';
        for (let round = 0; round < 15; round += 1) {
          const now = new Date();
          const started = performance.now();
          const { deliveries, lastEndpoint } = await claimDeliveries(runStatement, {
            now,
            leaseUntil: new Date(now.getTime() + 600_000),
            leasedBy: randomUUID(),
            after,
            maxEndpoints: 128,
            maxDeliveries: 256,
            maxPerEndpoint: 8,
            maxPerSeller: 64,
            activePerEndpoint: new Map(),
            activePerSeller: new Map(),
          });
          if (deliveries.length !== 256) throw new Error(`a claim took ${deliveries.length}`);
          taken.push(performance.now() - started);
          after = lastEndpoint ?? '';
        }
        times.push(median(taken));
      }
      const [few = 0, many = 0] = times;
      print(
        `a claim of 256: ${ms(few)} with ${whole(sizes[0] ?? 0)} due, ` +
          `${ms(many)} with ${whole(sizes[1] ?? 0)}, ratio ${two(many / few)}`,
      );
    } finally {
      await database.close();
      await server.stop();
    }
  });
}

const BACKLOG = `
  WITH made AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, gen_random_uuid() AS id,
      overlay('00000000-0000-4000-8000-000000000000'
        PLACING lpad((n % 1000 / 10)::text, 8, '0') FROM 1 FOR 8)::uuid AS seller_id,
      'endpoint ' || n % 1000 AS endpoint
    FROM generate_series(1, $1::integer) AS n
  ), new_events AS (
    INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
    SELECT seller_id, event_id, 'PING', event_id, '{}', now() - interval '1 minute' FROM made
  )
  INSERT INTO deliveries (seller_id, id, event_id, event, record_id, endpoint, url, status, attempts,
    due_at, created_at, updated_at)
  SELECT seller_id, id, event_id, 'PING', event_id, endpoint, 'https://localhost/', 'PENDING', 0,
    now() - interval '1 minute', now(), now()
  FROM made`;
