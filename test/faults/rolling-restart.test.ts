import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Demo } from '#app/demo.ts';
import { startBalancer } from '#test/support/balancer.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { freePort } from '#test/support/free-port.ts';
import { makePlace, sleep, untilHealthy, type Place, type Run } from '#test/support/process.ts';
import { Load } from './load.ts';
import { seedOfRun } from './seed.ts';

vi.setConfig({ testTimeout: 180_000 });

const TIMEOUT = { timeout: 30_000, interval: 20 };

let database: TestDatabase;
let place: Place;
beforeEach(async () => {
  database = await cloneDatabase();
  place = await makePlace({ DATABASE_URL: database.url, MODE: 'sandbox', DRAIN_SECONDS: '1' });
});
afterEach(async () => {
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

describe('two API processes behind a load balancer', () => {
  it('are restarted in turn under load, and no request fails', async () => {
    const ports = [place.port, await freePort()];
    const runs: Run[] = [];
    for (const port of ports) runs.push(await startApi(port));
    place.run(['worker']);
    const balancer = await startBalancer(ports);
    try {
      await vi.waitFor(() => expect(balancer.backends.every(({ ready }) => ready)).toBe(true), TIMEOUT);
      const demo: Demo = JSON.parse(await readFile(join(place.dataDir, 'demo.json'), 'utf8'));
      const behind = { ...demo, baseUrl: balancer.baseUrl };
      const load = await Load.prepare({ demo: behind, sellers: 2, seed: seedOfRun() });
      let over = false;
      const callers = load.drive(16, () => over);
      for (const [n, backend] of balancer.backends.entries()) {
        const before = backend.served;
        await vi.waitFor(() => expect(backend.served).toBeGreaterThan(before + 50), TIMEOUT);
        const run = runs[n];
        run?.signal('SIGTERM');
        expect(await run?.exit(10_000)).toMatchObject({ code: 0, signal: null, stderr: '' });
        await startApi(backend.port);
        const after = backend.served;
        await vi.waitFor(() => expect(backend.served).toBeGreaterThan(after + 50), TIMEOUT);
      }
      over = true;
      await callers;
      expect(balancer.failures).toEqual([]);
      // It was not rejected either, and each process reported that it was stopping before it
      // closed.
      expect(load.unavailable).toBe(0);
      for (const { said } of balancer.backends) expect(said.join(' ')).toMatch(/(^| )ok stopping gone ok$/);
      expect(await load.differences()).toEqual([]);
    } finally {
      await balancer.close();
    }
  });
});

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
      const answer = await fetch(`http://127.0.0.1:${place.port}/v1/health`);
      statuses.add(answer.status);
      await answer.body?.cancel();
    }
    expect(statuses).toContain(503);
    expect(await started.exit(15_000)).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(performance.now() - asked).toBeGreaterThan(1_000);
  });
});
