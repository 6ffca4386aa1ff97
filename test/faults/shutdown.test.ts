import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Load } from './load.ts';
import { seedOfRun } from './seed.ts';
import { goodCharge } from '#test/support/client.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
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
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  try {
    await blocker.query('BEGIN; LOCK TABLE idempotency_keys IN EXCLUSIVE MODE');
    const keys = Array.from({ length: 20 }, () => randomUUID());
    const answers = Promise.all(
      keys.map((idempotencyKey) => program.client.post('/transactions', goodCharge(), { idempotencyKey })),
    );
    const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    while ((await database.query(waiting)).length < 1) await sleep(10);
    await sleep(100);

    const asked = Date.now();
    program.signal('SIGTERM');
    await sleep(300);
    expect(program.isAlive()).toBe(true);
    await expect(program.client.get('/health')).rejects.toThrow('fetch failed');
    await blocker.query('COMMIT');

    const statuses = (await answers).map((answer) => answer.status);
    expect(statuses).toEqual(keys.map(() => 201));
    const exit = await program.exit(10_000);
    expect(Date.now() - asked).toBeLessThan(5_000);
    expect(exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    const kept = await database.query<{ key: string }>('SELECT key FROM idempotency_keys');
    expect(new Set(kept.map((row) => row.key))).toEqual(new Set(keys));
  } finally {
    await blocker.end();
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
