import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';

import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { Demo } from '#app/demo.ts';
import { startBalancer, type Balancer } from '#test/support/balancer.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { freePort } from '#test/support/free-port.ts';
import { makePlace, sleep, untilHealthy, type Place, type Run } from '#test/support/process.ts';
import { Load } from './load.ts';
import { seedOfRun } from './seed.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const TIMEOUT = { timeout: 30_000, interval: 20 };

let database: TestDatabase;
let place: Place;
beforeAll(async () => {
  database = await cloneDatabase();
  place = await makePlace({ DATABASE_URL: database.url, MODE: 'sandbox', DRAIN_SECONDS: '3' });
});
afterAll(async () => {
  await place.remove();
  await database.drop();
});

async function startApi(port: number): Promise<Run> {
  const started = place.run(['api'], { PORT: String(port) });
  await untilHealthy(started, port);
  return started;
}

async function ask(client: Client, path: string) {
  const { statusCode, headers, body } = await client.request({ path, method: 'GET' });
  return { statusCode, connection: headers['connection'], text: await body.text() };
}

describe('two API processes behind nginx and HAProxy', () => {
  let ports: readonly [number, number];
  let runs: Run[];
  let balancers: readonly Balancer[];
  beforeAll(async () => {
    ports = [place.port, await freePort()];
    runs = [await startApi(ports[0]), await startApi(ports[1]), place.run(['worker'])];
    balancers = [await startBalancer('nginx', ports), await startBalancer('haproxy', ports)];
  });
  afterAll(async () => {
    await Promise.all(balancers.map((balancer) => balancer.close()));
    for (const started of runs) started.signal('SIGKILL');
    await Promise.all(runs.map((started) => started.exit()));
  });

  /** Resolves when both balancers route requests to both processes, which started seconds apart. */
  async function untilBothServe(): Promise<void> {
    const seen = balancers.map(async ({ baseUrl }) => {
      const starts: number[] = [];
      await vi.waitFor(async () => {
        const health = await fetch(`${baseUrl}/health`);
        const { data }: { data: { uptimeSeconds: number } } = JSON.parse(await health.text());
        starts.push(Date.now() / 1000 - data.uptimeSeconds);
        expect(Math.max(...starts) - Math.min(...starts)).toBeGreaterThan(1.1);
      }, TIMEOUT);
    });
    await Promise.all(seen);
  }

  it('get the headers that both set, and both reject what no gateway accepts', async () => {
    for (const { origin } of balancers) {
      expect((await fetch(`${origin}/metrics`)).status).toBe(404);
      const rejected = await fetch(`${origin}/v1/transactions`, { headers: { 'x-request-id': 'mine' } });
      expect([rejected.status, rejected.headers.get('x-request-id')]).toEqual([401, 'mine']);
      expect(rejected.headers.get('content-security-policy')).toContain("default-src 'none'");
      const sent = request(`${origin}/v1/transactions`, {
        method: 'POST',
        headers: { 'content-length': 18 * 2 ** 20 },
      });
      sent.on('error', () => undefined).write('a'.repeat(64 * 1024));
      const [response]: IncomingMessage[] = await once(sent, 'response');
      expect(response?.statusCode).toBe(413);
      sent.destroy();
    }
  });

  it('are restarted in turn without a failed request, and killed without a loss', async () => {
    const demo: Demo = JSON.parse(await readFile(join(place.dataDir, 'demo.json'), 'utf8'));
    const loads: Load[] = [];
    for (const { baseUrl } of balancers) {
      loads.push(await Load.prepare({ demo: { ...demo, baseUrl }, sellers: 1, seed: seedOfRun() }));
    }
    let over = false;
    const callers = loads.map((load) => load.drive(4, () => over));
    for (const [n, port] of ports.entries()) {
      await untilBothServe();
      runs[n]?.signal('SIGTERM');
      expect(await runs[n]?.exit(10_000)).toMatchObject({ code: 0, signal: null, stderr: '' });
      await untilMore(loads);
      runs[n] = await startApi(port);
    }
    await untilBothServe();
    const failed = loads.map(({ cutOff, lastCutOff, unavailableAtBalancer }) => {
      return { cutOff, lastCutOff, unavailableAtBalancer };
    });
    const none = { cutOff: 0, lastCutOff: undefined, unavailableAtBalancer: 0 };
    expect(failed).toEqual([none, none]);
    runs[0]?.signal('SIGKILL');
    await untilMore(loads);
    over = true;
    await Promise.all(callers);
    // Each request without a response is repeated with its key.
    for (const load of loads) expect(await load.differences()).toEqual([]);
  });
});

/** Resolves when each load has created some more transactions. */
async function untilMore(loads: readonly Load[]): Promise<void> {
  const before = loads.map((load) => load.acknowledged.created);
  await vi.waitFor(() => {
    for (const [n, load] of loads.entries()) {
      expect(load.acknowledged.created).toBeGreaterThan((before[n] ?? 0) + 20);
    }
  }, TIMEOUT);
}

describe('an API process that receives a signal', () => {
  it('reports on SIGTERM that it is stopping, serves until the drain ends, and exits with 0', async () => {
    const started = await startApi(place.port);
    const origin = `http://127.0.0.1:${place.port}`;
    const [kept, other] = [new Client(origin), new Client(origin)];
    // A connection from before the signal.
    expect(await ask(kept, '/v1/health')).toMatchObject({ statusCode: 200, connection: 'keep-alive' });
    const asked = performance.now();
    started.signal('SIGTERM');
    await vi.waitFor(async () => {
      const health = await ask(other, '/v1/health');
      expect(health).toMatchObject({ statusCode: 503, connection: 'close' });
      expect(JSON.parse(health.text)).toMatchObject({ data: { status: 'stopping', database: 'ok' } });
    }, TIMEOUT);
    expect(await ask(kept, '/docs/')).toMatchObject({ statusCode: 200, connection: 'close' });
    // And a new connection.
    expect(await ask(kept, '/docs/')).toMatchObject({ statusCode: 200, connection: 'close' });
    expect(await started.exit(10_000)).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(performance.now() - asked).toBeGreaterThan(1_000);
    await Promise.all([kept.destroy(), other.destroy()]);
  });

  it('exits at once on SIGINT, without draining', async () => {
    const started = place.run(['api'], { DRAIN_SECONDS: '60' });
    await untilHealthy(started, place.port);
    started.signal('SIGTERM');
    await sleep(300);
    expect(started.isAlive()).toBe(true);
    const asked = performance.now();
    started.signal('SIGINT');
    expect(await started.exit(20_000)).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(performance.now() - asked).toBeLessThan(15_000);
  });
});

describe('a process with API and worker that receives SIGTERM', () => {
  it('reports that it is stopping, serves until the drain ends, and exits with 0', async () => {
    const started = place.run(['start']);
    await untilHealthy(started, place.port);
    const asked = performance.now();
    process.kill(started.pid, 'SIGTERM');
    const statuses = new Set<number>();
    for (const until = asked + 800; performance.now() < until; await sleep(20)) {
      const response = await fetch(`http://127.0.0.1:${place.port}/v1/health`);
      statuses.add(response.status);
      await response.body?.cancel();
    }
    expect(statuses).toContain(503);
    expect(await started.exit(15_000)).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(performance.now() - asked).toBeGreaterThan(1_000);
  });
});
