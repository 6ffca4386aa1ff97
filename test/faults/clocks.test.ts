import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Load } from './load.ts';
import { LONG, seedOfRun } from './seed.ts';
import { System } from './system.ts';
import { createClient, type Client } from '#test/support/client.ts';
import { makePlaceOnServer, sleep } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const HOUR = 3_600_000;
/** The largest difference from the database's clock with which a process starts is 30 seconds. */
const JUMP = 28_000;
/** The offset of the clock from the real time after each jump. */
const JUMPS = LONG ? [-JUMP, 0, JUMP, 0, -JUMP, JUMP, -JUMP, 0, JUMP, -JUMP] : [JUMP, 0, -JUMP];

const SHIFTED = `--import=${fileURLToPath(new URL('shifted-clock.mjs', import.meta.url))}`;

let system: System;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-clock-'));
  await setClock(0);
  system = await System.start({
    NODE_OPTIONS: SHIFTED,
    CLOCK_SHIFT_FILE: join(directory, 'shift'),
  });
});
afterAll(async () => {
  await system.end();
  await rm(directory, { recursive: true, force: true });
});

let shiftMs = 0;
async function setClock(ms: number): Promise<void> {
  shiftMs = ms;
  await writeFile(join(directory, 'beside'), String(ms));
  await rename(join(directory, 'beside'), join(directory, 'shift'));
  await sleep(100);
}

/** A client that reads events until it is stopped; returns them in order. */
async function follow(
  client: Client,
  stopped: () => boolean,
  onRead: () => void = () => undefined,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const last = stopped();
    const response = await client.get(`/events?take=100${after}`).catch(() => undefined);
    if (response?.status === 200) {
      ids.push(...response.body.data.map(({ id }: { readonly id: string }) => id));
      after = `&after=${encodeURIComponent(response.body.nextCursor)}`;
      onRead();
      if (last && response.body.more !== true) return ids;
    }
    await sleep(200);
  }
}

it('loses, duplicates and delays no work while the clock moves back and forth', async () => {
  const demo = await system.demo();
  const load = await Load.prepare({ demo, sellers: 2, seed: seedOfRun(), receiver: system.receiver });
  const { client } = load;
  let over = false;
  let read = false;
  const callers = load.drive(6, () => over);
  let reads = 0;
  const follower = follow(
    client,
    () => read,
    () => (reads += 1),
  );
  for (const jump of JUMPS) {
    const before = load.acknowledged;
    await vi.waitFor(() => expect(load.acknowledged.paid).toBeGreaterThan(before.paid + 10), 60_000);
    // The deliveries it holds are leased until a time on the old clock.
    await system.kill('worker');
    await setClock(jump);
    await system.untilHealthy();
    // A client that reads nothing while the clock is behind cannot detect it.
    const readBefore = reads;
    await vi.waitFor(() => expect(reads).toBeGreaterThan(readBefore + 1), 60_000);
  }
  const { paid, withdrawn } = load.acknowledged;
  await vi.waitFor(() => {
    expect(load.acknowledged.paid).toBeGreaterThan(paid + 10);
    expect(load.acknowledged.withdrawn).toBeGreaterThan(withdrawn);
  }, 60_000);
  // A jump without a restart of the process.
  await setClock(shiftMs + JUMP);
  await sleep(500);
  over = true;
  await callers;
  expect(await load.differences()).toEqual([]);
  read = true;
  const followed = await follower;
  const all = await follow(client, () => true);
  expect(followed).toHaveLength(new Set(followed).size);
  expect(new Set(followed)).toEqual(new Set(all));
});

it('accepts no two-factor code twice, and never sends a Retry-After of a day', async () => {
  await setClock(0);
  const demo = await system.demo();
  const client = createClient(demo.baseUrl, demo.apiKey);
  const signIn = () => client.post('/login', demo.admin, { credential: 'none' });
  const as = { token: String((await signIn()).body.accessToken) };
  const { password } = demo.admin;
  const secret = (await client.post('/users/me/two-factor', { password }, as)).body.data.secret;
  const codeAt = (ms: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ms });
  const used = codeAt(0);
  const confirmed = await client.post('/users/me/two-factor/confirm', { code: used }, as);
  const [recovery] = confirmed.body.data.recoveryCodes;
  const prove = async (proof: object) => {
    const { challenge } = (await signIn()).body;
    return (await client.post('/login/two-factor', { challenge, ...proof }, { credential: 'none' })).status;
  };
  await setClock(-HOUR);
  // The code of that hour could have been observed then.
  expect(await prove({ code: codeAt(-HOUR) })).toBe(401);
  expect(await prove({ code: used })).toBe(401);
  expect(await prove({ recoveryCode: recovery })).toBe(200);
  await setClock(60_000);
  expect(await prove({ code: codeAt(60_000) })).toBe(200);

  await setClock(-24 * HOUR);
  const made = await client.charge();
  expect(Number(made.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60);
});

async function health(client: Client) {
  const { status, body } = await client.get('/health');
  return { status, clock: body.data.clock };
}

describe('a clock that is three hours ahead of the database', () => {
  it('makes the process not ready, and expires no open charge', async () => {
    await setClock(0);
    const { baseUrl, apiKey } = await system.demo();
    const client = createClient(baseUrl, apiKey);
    await vi.waitFor(async () => expect(await health(client)).toEqual({ status: 200 }), 30_000);
    const { id } = (await client.charge()).body.data;
    await setClock(3 * HOUR);
    await vi.waitFor(
      async () => expect(await health(client)).toEqual({ status: 503, clock: 'skewed' }),
      30_000,
    );
    await sleep(1_000);
    await setClock(0);
    await vi.waitFor(async () => expect(await health(client)).toEqual({ status: 200 }), 30_000);
    expect((await client.get(`/transactions/${id}`)).body.data.status).toBe('PENDING');
  });

  it('refuses a start, and a command that writes times', async () => {
    await writeFile(join(directory, 'other'), String(3 * HOUR));
    const place = await makePlaceOnServer();
    try {
      const exit = await place
        .run(['start'], { NODE_OPTIONS: SHIFTED, CLOCK_SHIFT_FILE: join(directory, 'other') })
        .exit(60_000);
      expect(exit.code).toBe(1);
      const refusal = /^gateway: this machine's clock differs from the database's by 1(0800|0799)/m;
      expect(exit.stderr).toMatch(refusal);
      const command = await place
        .run(['rotate-keys'], { NODE_OPTIONS: SHIFTED, CLOCK_SHIFT_FILE: join(directory, 'other') })
        .exit(60_000);
      expect(command.code).toBe(1);
      expect(command.stderr).toMatch(refusal);
    } finally {
      await place.remove();
    }
  });
});
