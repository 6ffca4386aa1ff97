import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';

import { Load } from './load.ts';
import { seedOfRun } from './seed.ts';
import { goodCharge } from '#test/support/client.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { countWaiting, lockTable } from '#test/support/lock-table.ts';
import { makePlace, sleep, type Place, type Program } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let place: Place;
let program: Program;
beforeEach(async () => {
  database = await cloneDatabase();
  place = await makePlace({ DATABASE_URL: database.url, MODE: 'sandbox' });
  program = await place.start();
});
afterEach(async () => {
  await place.remove();
  await database.drop();
});

it('completes requests in progress on shutdown', async () => {
  const unlock = await lockTable(database, 'idempotency_keys');
  try {
    const keys = Array.from({ length: 20 }, () => randomUUID());
    const responses = Promise.all(
      keys.map((idempotencyKey) => program.client.post('/transactions', goodCharge(), { idempotencyKey })),
    );
    while ((await countWaiting(database)) < 1) await sleep(10);
    await sleep(100);

    const asked = Date.now();
    program.signal('SIGTERM');
    await sleep(300);
    expect(program.isAlive()).toBe(true);
    await expect(program.client.get('/health')).rejects.toThrow('fetch failed');
    await unlock();

    const statuses = (await responses).map((response) => response.status);
    expect(statuses).toEqual(keys.map(() => 201));
    const exit = await program.exit(10_000);
    expect(Date.now() - asked).toBeLessThan(5_000);
    expect(exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    const kept = await database.query<{ key: string }>('SELECT key FROM idempotency_keys');
    expect(new Set(kept.map((row) => row.key))).toEqual(new Set(keys));
  } finally {
    await unlock();
  }
});

it('loses no acknowledged write on shutdown under load', async () => {
  const load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
  let over = false;
  const callers = load.drive(24, () => over);
  while (load.acknowledged.paid === 0) await sleep(20);
  await sleep(load.random(50, 500));
  const asked = Date.now();
  program.signal('SIGTERM');
  const exit = await program.exit(10_000);
  expect(Date.now() - asked).toBeLessThan(5_000);
  expect(exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  over = true;
  await callers;
  expect(load.acknowledged.created).toBeGreaterThan(0);
  expect(load.unavailable).toBe(0);

  program = await place.start();
  expect(await load.differences()).toEqual([]);
});

it('does not wait for a request that never completes', async () => {
  const stalled = connect(place.port, '127.0.0.1');
  stalled.on('error', () => undefined);
  stalled.write('POST /v1/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n');
  stalled.write('content-length: 100\r\n\r\n{');
  await sleep(200);
  const asked = Date.now();
  program.signal('SIGTERM');
  const exit = await program.exit(10_000);
  expect(Date.now() - asked).toBeLessThan(5_000);
  expect(exit).toMatchObject({ code: 0, signal: null, stderr: '' });
  stalled.destroy();
});

/** Standard outputs that take no line, or none after the first ones. */
const STUCK = {
  'a full file system': () => openSync('/dev/full', 'w'),
  'a pipe that nobody reads': () => {
    const pipe = join(place.dataDir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    return openSync(pipe, constants.O_RDWR);
  },
} as const;

it.runIf(process.platform === 'linux').each([
  ['a full file system', 'SIGTERM'],
  ['a pipe that nobody reads', 'SIGHUP'],
] as const)(
  'serves while standard output is %s, counts lost lines, and stops at %s',
  async (kind, signal) => {
    await program.end();
    const output = STUCK[kind]();
    const errors = openSync(join(place.dataDir, 'errors'), 'w');
    const child = spawn(process.execPath, [inject('program'), 'start'], {
      stdio: ['ignore', output, errors],
      env: { ...process.env, ...place.settings, LOG_LEVEL: 'debug' },
    });
    const ended = once(child, 'exit');
    try {
      const get = (path: string) => fetch(`http://127.0.0.1:${place.port}${path}`);
      const probe = () => get('/v1/health/live').then(({ status }) => status);
      await expect.poll(() => probe().catch(() => 0), { timeout: 45_000 }).toBe(200);
      const dropped = async () =>
        Number(/^log_lines_dropped_total (\d+)$/m.exec(await (await get('/metrics')).text())?.[1]);
      await expect
        .poll(
          async () => {
            await Promise.all(Array.from({ length: 100 }, probe));
            return dropped();
          },
          { timeout: 30_000, interval: 0 },
        )
        .toBeGreaterThan(0);
      const asked = Date.now();
      child.kill(signal);
      expect(await ended).toEqual([0, null]);
      expect(Date.now() - asked).toBeLessThan(5_000);
      expect(readFileSync(join(place.dataDir, 'errors'), 'utf8')).toBe('');
    } finally {
      child.kill('SIGKILL');
      closeSync(output);
      closeSync(errors);
    }
  },
);
