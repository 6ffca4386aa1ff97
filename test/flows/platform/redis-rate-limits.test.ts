import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ConfigError, readConfig } from '#app/config.ts';
import type { Environment } from '#platform/config/settings-reader.ts';
import { findRedisProblem } from '#platform/http/redis-rate-limiter.ts';
import type { ApiResponse, CallOptions, Client } from '#test/support/client.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import { startRedis, type TestRedis } from '#test/support/redis.ts';

const NO_CREDENTIAL: CallOptions = { credential: 'none' };
const PASSWORD = 'a long enough password';

let redis: TestRedis;
let one: TestGateway;
let two: TestNode;
let three: TestNode;
let admin: CallOptions;
/** The started processes, newest first; empty if Redis is not installed. */
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  redis = await startRedis();
  stops.unshift(() => redis.close());
  const environment = { ...SHARED_SECRETS, REDIS_URL: redis.url };
  one = await startTestGateway({ environment });
  stops.unshift(() => one.stop());
  const node = { databaseUrl: one.database.url, apiKey: one.demo.apiKey, environment };
  two = await startNode(node);
  stops.unshift(() => two.stop());
  three = await startNode(node);
  stops.unshift(() => three.stop());
  admin = { token: await one.adminToken() };
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

interface TestSeller {
  readonly id: string;
  readonly email: string;
  readonly as: CallOptions;
}

async function newSeller(rates: Readonly<Record<string, number>>): Promise<TestSeller> {
  const email = `${randomUUID()}@example.com`;
  const made = await one.post(
    '/admin/sellers',
    {
      name: 'Loja',
      documentType: 'CPF',
      document: '52998224725',
      ownerName: 'Ana',
      ownerEmail: email,
      ownerPassword: PASSWORD,
    },
    admin,
  );
  const id: string = made.body.data.id;
  expect((await one.patch(`/admin/sellers/${id}`, rates, admin)).status).toBe(200);
  const key = await one.post(`/admin/sellers/${id}/api-keys`, { name: 'test' }, admin);
  return { id, email, as: { apiKey: key.body.data.key } };
}

/** This many concurrent requests, distributed over the nodes. */
function onAll(
  nodes: readonly Client[],
  count: number,
  call: (node: Client, index: number) => Promise<ApiResponse>,
): Promise<readonly ApiResponse[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => call(nodes[index % nodes.length] ?? one, index)),
  );
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const header = (response: ApiResponse, name: string): number =>
  Number(response.headers.get(name) ?? Number.NaN);
const passed = (responses: readonly ApiResponse[]) => responses.filter((response) => response.status !== 429);
const warnings = (node: TestNode) => node.logged.filter((line) => line.level === 'warn');
const statuses = (responses: readonly ApiResponse[]) => new Set(responses.map((response) => response.status));
const list = (node: Client, options: CallOptions) => node.get('/transactions', options);

/** Sends requests until stopped; returns the highest latency and every status. */
function traffic(node: Client, as: CallOptions): { end(): Promise<{ slowest: number; seen: Set<number> }> } {
  const ended = new AbortController();
  const seen = new Set<number>();
  let slowest = 0;
  const caller = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const from = performance.now();
      seen.add((await list(node, as)).status);
      slowest = Math.max(slowest, performance.now() - from);
    }
  };
  const callers = [caller(), caller(), caller(), caller()];
  return {
    async end() {
      ended.abort();
      await Promise.all(callers);
      return { slowest, seen };
    },
  };
}

async function untilShared(as: CallOptions): Promise<void> {
  await expect
    .poll(
      async () => {
        const places = [];
        for (const node of [two, three, two])
          places.push(header(await list(node, as), 'ratelimit-remaining'));
        const [first = Number.NaN] = places;
        return places.every((place, index) => place === first - index);
      },
      { timeout: 10_000 },
    )
    .toBe(true);
}

describe('nodes with the same REDIS_URL', () => {
  it('share one exact request limit under concurrency', async () => {
    const { as } = await newSeller({ requestsPerMinute: 50 });
    const responses = await onAll([one, two, three], 150, (node) => list(node, as));
    expect(statuses(responses)).toEqual(new Set([200, 429]));
    // Each remaining number was returned once, by one of the nodes.
    const places = passed(responses).map((response) => header(response, 'ratelimit-remaining'));
    expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, place) => place));
    for (const response of responses) expect(header(response, 'ratelimit-limit')).toBe(50);
  });

  it('share one creation limit, and store no record beyond it', async () => {
    const { as } = await newSeller({ requestsPerMinute: 1_000, creationsPerMinute: 20 });
    const responses = await onAll([one, two, three], 60, (node) => node.charge({}, as));
    expect(passed(responses)).toHaveLength(20);
    expect(statuses(passed(responses))).toEqual(new Set([201]));
    expect((await list(two, as)).body.count).toBe(20);
  });

  it('count an anonymous client’s address together', async () => {
    const left: number[] = [];
    for (const node of [one, two, three, one]) {
      left.push(header(await node.get('/nothing', NO_CREDENTIAL), 'ratelimit-remaining'));
    }
    const [first = Number.NaN] = left;
    expect(left).toEqual([first, first - 1, first - 2, first - 3]);
  });

  it('allow one request after Retry-After, by the clock of the server', async () => {
    const { id, as } = await newSeller({ requestsPerMinute: 1 });
    expect((await list(one, as)).status).toBe(200);
    // Shortens the window, so that the test does not wait for a minute.
    expect(await redis.command('PEXPIRE', `gateway:rate:seller:${id}`, '1400')).toBe(1);
    const refusal = await list(two, as);
    expect(refusal.status).toBe(429);
    const wait = header(refusal, 'retry-after');
    expect([1, 2]).toContain(wait);
    expect(header(refusal, 'ratelimit-reset')).toBe(wait);
    await sleep(wait * 1_000);
    expect((await list(three, as)).status).toBe(200);
    expect((await list(one, as)).status).toBe(429);
  });

  it('return the Retry-After after which a creation succeeds if both limits are used up', async () => {
    const { id, as } = await newSeller({ requestsPerMinute: 1, creationsPerMinute: 1 });
    expect((await one.charge({}, as)).status).toBe(201);
    await redis.command('PEXPIRE', `gateway:rate:seller:${id}`, '900');
    await redis.command('PEXPIRE', `gateway:rate:creations:${id}`, '2900');
    const refusal = await two.charge({}, as);
    expect(refusal.status).toBe(429);
    const wait = header(refusal, 'retry-after');
    expect([2, 3]).toContain(wait);
    await sleep(wait * 1_000);
    expect((await three.charge({}, as)).status).toBe(201);
  });

  it('allow ten failed sign-ins together under concurrency', async () => {
    const { email } = await newSeller({});
    const responses = await onAll([one, two, three], 45, (node) =>
      node.post('/login', { email, password: 'not the password' }, NO_CREDENTIAL),
    );
    expect(responses.filter((response) => response.status === 401)).toHaveLength(10);
    const refused = responses.filter((response) => response.status === 429);
    expect(refused).toHaveLength(35);
    for (const response of refused) {
      expect(header(response, 'retry-after')).toBeGreaterThan(880);
      expect(header(response, 'retry-after')).toBeLessThanOrEqual(900);
    }
  });

  it('store no personal data in Redis, and nothing beyond a window', async () => {
    const keys = await redis.command('KEYS', '*');
    if (!Array.isArray(keys)) throw new Error('KEYS must return a list');
    expect(keys.length).toBeGreaterThan(3);
    for (const key of keys.map(String)) {
      expect(key).toMatch(
        /^gateway:rate:(seller|creations|operator|address|login-email|login-address|audit):[\w.:-]+$/,
      );
      const ttl = Number(await redis.command('PTTL', key));
      expect(ttl).toBeGreaterThan(0);
      expect(ttl).toBeLessThanOrEqual(key.includes(':audit:') ? 3_600_000 : 900_000);
    }
  });
});

describe('nodes whose Redis is unavailable', () => {
  it('allow requests, count separately, warn with the cause, and share again when it returns', async () => {
    const { as } = await newSeller({ requestsPerMinute: 1_000_000 });
    const few = await newSeller({ requestsPerMinute: 3 });
    const before = [warnings(two).length, warnings(three).length];
    const calls = traffic(two, as);
    await sleep(200);
    await redis.kill();
    await sleep(1_500);
    // Each node allows the limit of a single node.
    const alone = await onAll([two, three], 20, (node) => list(node, few.as));
    expect(passed(alone)).toHaveLength(6);
    const { slowest, seen } = await calls.end();
    expect(seen).toEqual(new Set([200]));
    expect(slowest).toBeLessThan(3_000);
    for (const [index, node] of [two, three].entries()) {
      const [lost, cause, ...more] = warnings(node).slice(before[index] ?? 0);
      expect(lost?.msg).toMatch(/Redis is unavailable/);
      expect(cause?.text).toContain('ECONNREFUSED');
      expect(more).toEqual([]);
    }

    await redis.start();
    await untilShared(as);
    expect(two.logged.at(-1)).toMatchObject({
      level: 'info',
      msg: 'Redis is available: rate limits are shared again',
    });
    const shared = await newSeller({ requestsPerMinute: 10 });
    expect(passed(await onAll([two, three], 40, (node) => list(node, shared.as)))).toHaveLength(10);
  });

  it('do not hang if the server hangs', async () => {
    const { as } = await newSeller({ requestsPerMinute: 1_000_000 });
    await untilShared(as);
    const before = warnings(two).length;
    redis.freeze();
    try {
      expect((await list(two, as)).status).toBe(200);
      // The first request waited for the deadline of a Redis call; later ones do not.
      const from = performance.now();
      for (let call = 0; call < 4; call += 1) expect((await list(two, as)).status).toBe(200);
      expect(performance.now() - from).toBeLessThan(4 * 250 * 0.8);
      for (let call = 0; call < 30; call += 1) expect((await list(two, as)).status).toBe(200);
      expect(warnings(two).length - before).toBe(1);
    } finally {
      redis.thaw();
    }
    await untilShared(as);
  });

  it('still throttle sign-ins, separately', async () => {
    const { email } = await newSeller({});
    await redis.kill();
    try {
      const node = await startNode({
        databaseUrl: one.database.url,
        environment: { REDIS_URL: redis.url },
      });
      try {
        const responses = await onAll([node], 20, (client) =>
          client.post('/login', { email, password: 'not the password' }, NO_CREDENTIAL),
        );
        expect(responses.filter((response) => response.status === 401)).toHaveLength(10);
      } finally {
        await node.stop();
      }
    } finally {
      await redis.start();
    }
  });

  it('start without it and stop at once, with one warning', async () => {
    const port = await freePort();
    const node = await startNode({
      databaseUrl: one.database.url,
      apiKey: one.demo.apiKey,
      environment: { REDIS_URL: `redis://127.0.0.1:${port}` },
    });
    const responses = await onAll([node], 20, (client) => list(client, {}));
    expect(statuses(responses)).toEqual(new Set([200]));
    expect(warnings(node)).toHaveLength(1);
    expect(warnings(node)[0]?.text).toContain('ECONNREFUSED');
    const from = performance.now();
    await node.stop();
    expect(performance.now() - from).toBeLessThan(2_000);
  });

  it('close their connection if startup fails', async () => {
    const connections = async (): Promise<number> =>
      String(await redis.command('CLIENT', 'LIST'))
        .split('\n')
        .filter((line) => line.includes('name=gateway')).length;
    await untilShared({});
    const before = await connections();
    expect(before).toBeGreaterThanOrEqual(3);
    const taken = new URL(one.baseUrl).port;
    const failed = startNode({
      databaseUrl: one.database.url,
      environment: { REDIS_URL: redis.url, PORT: taken },
    });
    await expect(failed).rejects.toThrow('EADDRINUSE');
    await expect.poll(connections).toBe(before);
  });

  it('stop at once if it hangs', async () => {
    const node = await startNode({ databaseUrl: one.database.url, environment: { REDIS_URL: redis.url } });
    redis.freeze();
    try {
      const from = performance.now();
      await node.stop();
      expect(performance.now() - from).toBeLessThan(2_000);
    } finally {
      redis.thaw();
    }
  });
});

function wrongLines(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
}

describe('REDIS_URL', () => {
  it('may contain a password, which is never logged', async () => {
    const locked = await startRedis('a-secret-password');
    const wrong = locked.url.replace('a-secret-password', 'another-password');
    const node = { databaseUrl: one.database.url, apiKey: one.demo.apiKey };
    const [good, bad] = [
      await startNode({ ...node, environment: { REDIS_URL: locked.url } }),
      await startNode({ ...node, environment: { REDIS_URL: wrong } }),
    ];
    try {
      expect((await list(good, {})).status).toBe(200);
      expect(Number(await locked.command('DBSIZE'))).toBeGreaterThan(0);
      expect(warnings(good)).toEqual([]);

      expect((await list(bad, {})).status).toBe(200);
      expect(warnings(bad)).toHaveLength(1);
      expect(warnings(bad)[0]?.text).toContain('WRONGPASS');
      expect(await findRedisProblem(wrong)).toMatch(/^WRONGPASS /);
      expect(JSON.stringify(bad.logged)).not.toContain('another-password');
    } finally {
      await Promise.all([good.stop(), bad.stop()]);
      await locked.close();
    }
  });

  it('aborts startup if invalid, with one line that does not quote it', () => {
    for (const url of [
      'http://:pw12345@localhost:6379',
      'redis://',
      'localhost:6379',
      'pw12345',
      'redis://:pw12345@localhost:6379/first',
      'redis://:pw12345@local host:6379',
    ]) {
      const lines = wrongLines({ ...SHARED_SECRETS, REDIS_URL: url });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^REDIS_URL must be/);
      expect(lines[0]).not.toContain('pw12345');
    }
  });

  it('accepts redis:// and rediss://, with and without optional parts', () => {
    for (const url of [
      'redis://localhost',
      'redis://cache:6380/3',
      'redis://:pw@cache:6379/0',
      'rediss://user:pw@cache.example.com:6379',
    ]) {
      expect(readConfig({ ...SHARED_SECRETS, REDIS_URL: url }).redisUrl).toBe(url);
    }
    expect(readConfig({ ...SHARED_SECRETS, REDIS_URL: ' ' }).redisUrl).toBeUndefined();
  });
});
