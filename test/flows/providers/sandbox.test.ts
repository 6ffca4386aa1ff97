import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { readConfig } from '#app/config.ts';
import type { Environment } from '#platform/config/settings-reader.ts';
import type { Demo } from '#app/demo.ts';
import { startGateway } from '#app/gateway.ts';
import { hashCredential, newApiKey } from '#platform/kit/ids.ts';
import { createLogger } from '#platform/kit/log.ts';
import { createClient, type Client } from '#test/support/client.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { errorBody } from '#test/support/errors.ts';

const SECRETS = {
  JWT_SECRET: randomBytes(32).toString('hex'),
  ENCRYPTION_KEY: randomBytes(32).toString('hex'),
};

interface Node {
  readonly demo: Demo | undefined;
  readonly client: Client;
  stop(): Promise<void>;
}

interface Place {
  readonly database: TestDatabase;
  readonly dataDir: string;
}

async function startNode({ database, dataDir }: Place, environment: Environment = {}): Promise<Node> {
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    MODE: 'sandbox',
    LOG_LEVEL: 'silent',
    ...SECRETS,
    ...environment,
  });
  const gateway = await startGateway({
    config,
    databaseUrl: database.url,
    log: createLogger('silent'),
    api: true,
    worker: true,
  });
  const client = createClient(`${config.publicUrl}/v1`, gateway.demo?.apiKey ?? '');
  return { demo: gateway.demo, client, stop: () => gateway.stop() };
}

async function signIn(client: Client, who: { readonly email: string; readonly password: string }) {
  const { email, password } = who;
  const response = await client.post('/login', { email, password }, { credential: 'none' });
  expect(response.status).toBe(200);
  return String(response.body.accessToken);
}

describe('the sandbox clock', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ environment: SECRETS });
  });
  afterAll(async () => {
    await gateway.stop();
  });

  /** The result of using a refresh token this many seconds after it was issued. */
  async function refreshed(seconds: number): Promise<number> {
    const { email, password } = gateway.demo.seller;
    const signedIn = await gateway.post('/login', { email, password }, { credential: 'none' });
    await move(seconds);
    const { refreshToken } = signedIn.body;
    return (await gateway.post('/auth/refresh', { refreshToken }, { credential: 'none' })).status;
  }

  const move = async (advanceSeconds: unknown) =>
    gateway.post('/sandbox/clock', { advanceSeconds }, { token: await gateway.adminToken() });

  it('advances by the given seconds, and returns the current time', async () => {
    const first = await move(10);
    expect(first.status).toBe(200);
    expect(first.body.status).toBe(true);
    const second = await move(90);
    expect(second.body.data.offsetSeconds - first.body.data.offsetSeconds).toBe(90);
    const ahead = Date.parse(second.body.data.now) - Date.now() - second.body.data.offsetSeconds * 1000;
    expect(Math.abs(ahead)).toBeLessThan(5_000);
  });

  it('determines the timestamps of new records', async () => {
    const { now } = (await move(3600)).body.data;
    const created = await gateway.charge();
    const age = Date.parse(created.body.data.createdAt) - Date.parse(now);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(10_000);
  });

  it('expires access tokens after an hour, and never API keys', async () => {
    const token = await signIn(gateway, gateway.demo.seller);
    await move(3500);
    expect((await gateway.get('/transactions', { token })).status).toBe(200);
    await move(101);
    const late = await gateway.get('/transactions', { token });
    expect(late.status).toBe(401);
    expect(late.body.message).toBe('Unauthorized');
    await move(366 * 24 * 3600);
    expect((await gateway.get('/transactions')).status).toBe(200);
  });

  it('expires refresh tokens after seven days', async () => {
    expect(await refreshed(7 * 24 * 3600 - 60)).toBe(200);
    expect(await refreshed(7 * 24 * 3600 + 1)).toBe(401);
  });

  it('adds up concurrent advances', async () => {
    const before = (await move(1)).body.data.offsetSeconds;
    const token = await gateway.adminToken();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => gateway.post('/sandbox/clock', { advanceSeconds: 60 }, { token })),
    );
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
    expect((await move(1)).body.data.offsetSeconds - before).toBe(601);
  });

  it.each([
    [0, 'advanceSeconds must not be less than 1'],
    [-60, 'advanceSeconds must not be less than 1'],
    [1.5, 'advanceSeconds must be an integer number'],
    ['60', 'advanceSeconds must be an integer number'],
    [null, 'advanceSeconds must be an integer number'],
    [undefined, 'advanceSeconds must be an integer number'],
  ])('rejects %j', async (advanceSeconds, message) => {
    const before = (await move(1)).body.data.offsetSeconds;
    const response = await move(advanceSeconds);
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual([message]);
    expect((await move(1)).body.data.offsetSeconds - before).toBe(1);
  });

  it('can be advanced by ADMIN only', async () => {
    const admin = await gateway.adminToken();
    const support = { name: 'Suporte', email: 'suporte@example.com', password: 'a long password' };
    const made = await gateway.post('/admin/users', { ...support, role: 'SUPPORT' }, { token: admin });
    expect(made.status).toBe(201);
    const before = (await move(1)).body.data.offsetSeconds;
    const body = { advanceSeconds: 60 };
    for (const options of [
      {},
      { token: await signIn(gateway, gateway.demo.seller) },
      { token: await signIn(gateway, support) },
    ]) {
      const refused = await gateway.post('/sandbox/clock', body, options);
      expect(refused.status).toBe(403);
      expect(refused.body.message).toBe('Forbidden resource');
    }
    expect((await gateway.post('/sandbox/clock', body, { credential: 'none' })).status).toBe(401);
    expect((await move(1)).body.data.offsetSeconds - before).toBe(1);
  });

  it('is the same on another node within two seconds, and after a restart', async () => {
    const place = { database: gateway.database, dataDir: join(tmpdir(), 'gateway-second-node') };
    const other = await startNode(place);
    const createdAt = async () => {
      const created = await other.client.charge({}, { apiKey: gateway.demo.apiKey });
      return Date.parse(created.body.data.createdAt);
    };
    const { now, offsetSeconds } = (await move(100_000)).body.data;
    await expect.poll(createdAt, { timeout: 2_000 }).toBeGreaterThanOrEqual(Date.parse(now));
    await other.stop();

    const restarted = await startNode(place);
    try {
      const created = await restarted.client.charge({}, { apiKey: gateway.demo.apiKey });
      expect(Date.parse(created.body.data.createdAt)).toBeGreaterThanOrEqual(Date.parse(now));
      const token = await signIn(restarted.client, gateway.demo.admin);
      const moved = await restarted.client.post('/sandbox/clock', { advanceSeconds: 5 }, { token });
      expect(moved.body.data.offsetSeconds - offsetSeconds).toBe(5);
    } finally {
      await restarted.stop();
    }
  });
});

describe('the simulation of provider events', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });

  it.each([
    ['OWNER', 200],
    ['DEVELOPER', 200],
    ['FINANCE', 403],
    ['VIEWER', 403],
  ])('by %s returns %i', async (role, status) => {
    const token = await gateway.adminToken();
    const path = `/admin/sellers/${gateway.demo.seller.id}/api-keys`;
    const { key } = (await gateway.post(path, { name: role, role }, { token })).body.data;
    const { id } = (await gateway.charge()).body.data;
    const simulated = await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, {
      apiKey: String(key),
    });
    expect(simulated.status).toBe(status);
    const read = await gateway.get(`/transactions/${id}`);
    expect(read.body.data.status).toBe(status === 200 ? 'PAID' : 'PENDING');
  });

  it('is refused without a credential and to the operator', async () => {
    const { id } = (await gateway.charge()).body.data;
    const path = `/sandbox/transactions/${id}/pay`;
    expect((await gateway.post(path, undefined, { credential: 'none' })).status).toBe(401);
    const operator = await gateway.post(path, undefined, { token: await gateway.adminToken() });
    expect(operator.status).toBe(403);
  });
});

describe('the demo data', () => {
  let place: Place;
  const running: Node[] = [];
  beforeAll(async () => {
    place = { database: await cloneDatabase(), dataDir: await mkdtemp(join(tmpdir(), 'gateway-demo-')) };
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((node) => node.stop()));
  });
  afterAll(async () => {
    await place.database.drop();
    await rm(place.dataDir, { recursive: true, force: true });
  });

  async function start(at: Place = place, environment: Environment = {}): Promise<Node> {
    const node = await startNode(at, environment);
    running.push(node);
    return node;
  }

  const demoFile = (at: Place = place) => join(at.dataDir, 'demo.json');
  const readDemo = async (at: Place = place): Promise<Demo> =>
    JSON.parse(await readFile(demoFile(at), 'utf8'));

  async function expectUsable({ client, demo }: Node): Promise<void> {
    if (demo === undefined) throw new Error('no demo');
    const created = await client.charge({}, { apiKey: demo.apiKey });
    expect(created.status).toBe(201);
    expect(created.body.data.feeAmount).toBe(15);
    const seller = await signIn(client, demo.seller);
    expect((await client.get('/seller-wallet/gestao', { token: seller })).body.data.sellerId).toBe(
      demo.seller.id,
    );
    const admin = await signIn(client, demo.admin);
    expect((await client.get('/admin/sellers', { token: admin })).status).toBe(200);
  }

  it('contains a seller with fees, key and users, in a file that others cannot read', async () => {
    const node = await start();
    const kept = await readDemo();
    expect(kept).toEqual(node.demo);
    expect(kept).toEqual({
      baseUrl: node.client.baseUrl,
      apiKey: expect.stringMatching(/^sk_test_[0-9A-Za-z]{49}$/),
      seller: { id: expect.any(String), email: expect.stringContaining('@'), password: expect.any(String) },
      admin: { email: expect.stringContaining('@'), password: expect.any(String) },
    });
    expect(((await stat(demoFile())).mode & 0o777).toString(8)).toBe('600');
    await expectUsable(node);
  });

  it('is found again by the next start, with its records', async () => {
    const before = await readDemo();
    const node = await start();
    expect(node.demo).toEqual({ ...before, baseUrl: node.client.baseUrl });
    expect(await readDemo()).toEqual(node.demo);
    await expectUsable(node);
    const token = await signIn(node.client, before.admin);
    expect((await node.client.get('/admin/sellers', { token })).body.count).toBe(1);
    expect((await node.client.get('/transactions')).body.count).toBe(2);
    expect(((await stat(demoFile())).mode & 0o777).toString(8)).toBe('600');
  });

  it('is completed with the same credentials if the first start was interrupted', async () => {
    const cut = { database: await cloneDatabase(), dataDir: await mkdtemp(join(tmpdir(), 'gateway-demo-')) };
    try {
      // The file is written first, so this is the state after such a start.
      await writeFile(demoFile(cut), JSON.stringify(await readDemo()));
      const node = await start(cut);
      expect(node.demo).toMatchObject({ apiKey: (await readDemo()).apiKey });
      await expectUsable(node);
      expect(((await stat(demoFile(cut))).mode & 0o777).toString(8)).toBe('600');
      await running.pop()?.stop();
    } finally {
      await cut.database.drop();
      await rm(cut.dataDir, { recursive: true, force: true });
    }
  });

  it('is not created in a database that already has sellers', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-demo-'));
    try {
      const node = await start({ database: place.database, dataDir });
      expect(node.demo).toBeUndefined();
      await expect(stat(join(dataDir, 'demo.json'))).rejects.toThrow('ENOENT');
      const token = await signIn(node.client, (await readDemo()).admin);
      expect((await node.client.get('/admin/sellers', { token })).body.count).toBe(1);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('uses the operator in the settings', async () => {
    const named = {
      database: await cloneDatabase(),
      dataDir: await mkdtemp(join(tmpdir(), 'gateway-demo-')),
    };
    try {
      const admin = { email: 'Chefe@Example.com', password: 'a password of mine' };
      const node = await start(named, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
      expect(node.demo?.admin).toEqual({ email: 'chefe@example.com', password: admin.password });
      const token = await signIn(node.client, admin);
      expect((await node.client.get('/admin/sellers', { token })).status).toBe(200);
      await running.pop()?.stop();
    } finally {
      await named.database.drop();
      await rm(named.dataDir, { recursive: true, force: true });
    }
  });

  it('is created once by two nodes that start at once', async () => {
    const shared = {
      database: await cloneDatabase(),
      dataDir: await mkdtemp(join(tmpdir(), 'gateway-demo-')),
    };
    try {
      const nodes = await Promise.all([start(shared), start(shared)]);
      expect(nodes[0]?.demo?.apiKey).toBe(nodes[1]?.demo?.apiKey);
      for (const node of nodes) await expectUsable(node);
      const rows = await shared.database.query<{ sellers: string }>(
        'SELECT count(*) AS sellers FROM sellers',
      );
      expect(rows[0]?.sellers).toBe('1');
      await Promise.all(running.splice(0).map((node) => node.stop()));
    } finally {
      await shared.database.drop();
      await rm(shared.dataDir, { recursive: true, force: true });
    }
  });
});

describe('production', () => {
  /** The credentials that the test gateway uses for NO_DEMO. */
  const admin = { ADMIN_EMAIL: 'operator@example.com', ADMIN_PASSWORD: 'a long enough password' };
  let gateway: TestGateway;
  let dataDir: string;
  let token: string;
  let apiKey: string;
  let sellerId: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gateway-production-'));
    gateway = await startTestGateway({
      environment: {
        MODE: 'production',
        PUBLIC_URL: 'https://pay.example.com',
        DATA_DIR: dataDir,
        ...SECRETS,
        ...admin,
      },
    });
    token = await gateway.adminToken();
    const wanted = {
      name: 'Loja',
      documentType: 'CNPJ',
      document: '11222333000181',
      ownerName: 'Dona',
      ownerEmail: 'dona@example.com',
      ownerPassword: 'a long password',
    };
    sellerId = String((await gateway.post('/admin/sellers', wanted, { token })).body.data.id);
    const key = await gateway.post(`/admin/sellers/${sellerId}/api-keys`, { name: 'live' }, { token });
    apiKey = String(key.body.data.key);
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const id = randomUUID();
  const routes = [
    '/sandbox/clock',
    ...['pay', 'fail', 'refuse', 'processing', 'chargeback', 'dispute'].map(
      (action) => `/sandbox/transactions/${id}/${action}`,
    ),
    ...['pay', 'fail'].map((action) => `/sandbox/withdrawals/${id}/${action}`),
  ];

  it.each(routes)('has no %s', async (path) => {
    const missing = errorBody('route_not_found');
    for (const options of [{ credential: 'none' } as const, { apiKey }, { token }]) {
      const response = await gateway.post(path, { advanceSeconds: 60 }, options);
      expect(response.status).toBe(404);
      expect(response.body).toEqual(missing);
    }
  });

  it('has no sandbox operations in the OpenAPI documents', async () => {
    for (const path of ['/openapi.json', '/openapi-operator.json']) {
      const described = await fetch(new URL(path, gateway.baseUrl));
      expect(described.status).toBe(200);
      const text = await described.text();
      expect(text).toContain('/v1/');
      expect(text).not.toContain('/sandbox/');
    }
  });

  it('has no demo data in the database or on disk', async () => {
    await expect(stat(join(dataDir, 'demo.json'))).rejects.toThrow('ENOENT');
    const rows = await gateway.database.query<{ id: string }>('SELECT id FROM sellers');
    expect(rows).toEqual([{ id: sellerId }]);
    const users = await gateway.database.query<{ email: string }>('SELECT email FROM users ORDER BY email');
    expect(users.map((user) => user.email)).toEqual(['dona@example.com', 'operator@example.com']);
  });

  it('creates live keys, and rejects test keys', async () => {
    expect(apiKey).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
    expect((await gateway.get('/transactions', { apiKey })).status).toBe(200);
    const other = await gateway.post(`/admin/sellers/${sellerId}/api-keys`, { name: 'other' }, { token });
    const testKey = newApiKey('test');
    await gateway.database.query(
      `UPDATE api_keys SET key_hash = '\\x${hashCredential(testKey).toString('hex')}'
        WHERE id = '${other.body.data.id}'`,
    );
    expect((await gateway.get('/transactions', { apiKey: testKey })).status).toBe(401);
  });

  it('verifies documents and rejects private addresses by default', async () => {
    const hook = { url: 'https://10.0.0.1/hook', eventType: 'ALL' };
    expect((await gateway.post('/webhooks', hook, { apiKey })).status).toBe(400);
    const customer = {
      name: 'Ana Souza',
      email: 'ana@example.com',
      phone: '11987654321',
      documentType: 'CPF',
      document: '11111111111',
    };
    const refused = await gateway.charge({ customer }, { apiKey });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual([expect.stringMatching(/^customer\.document must be a valid CPF/)]);
  });
});
