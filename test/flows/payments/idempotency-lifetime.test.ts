import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createClient, type ApiResponse } from '#test/support/client.ts';
import { startTestGateway } from '#test/support/gateway.ts';
import { run, untilHealthy } from '#test/support/process.ts';
import {
  gateway,
  advance,
  newSeller,
  nodeEnvironment,
  recordsOf,
  halfWritten,
  expectRepeat,
  expectCreated,
  setUp,
} from './idempotency-setup.ts';

setUp();

const DAY = 24 * 3600;

describe('a crash under load', () => {
  it('leaves record and key consistent when database connections are closed', async () => {
    const seller = await newSeller();
    const done = new AbortController();
    const cut = async (): Promise<void> => {
      while (!done.signal.aborted) {
        await gateway.database.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'gateway create%'`,
        );
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const keys = Array.from({ length: 400 }, () => randomUUID());
    const cutting = cut();
    const firsts = new Map<string, ApiResponse>();
    await runConcurrently(16, keys, async (idempotencyKey) => {
      firsts.set(idempotencyKey, await gateway.charge({}, { apiKey: seller.apiKey, idempotencyKey }));
    });
    done.abort();
    await cutting;
    for (const response of firsts.values()) expect([201, 503]).toContain(response.status);
    expect(await halfWritten()).toBe(0);
    await runConcurrently(16, keys, async (idempotencyKey) => {
      const again = await gateway.charge({}, { apiKey: seller.apiKey, idempotencyKey });
      const first = firsts.get(idempotencyKey);
      expect(again.status).toBe(201);
      if (first?.status === 201) expectRepeat(again, first);
    });
    expect(await recordsOf(seller.id)).toBe(keys.length);
  });

  it('leaves record and key consistent when the process is killed', async () => {
    const seller = await newSeller();
    const environment = await nodeEnvironment();
    const program = run(['api'], environment);
    await untilHealthy(program, Number(environment['PORT']));
    const client = createClient(`http://127.0.0.1:${environment['PORT']}/v1`, seller.apiKey);
    const asked: string[] = [];
    const firsts = new Map<string, ApiResponse>();
    const createUntilKilled = async (): Promise<void> => {
      for (;;) {
        const idempotencyKey = randomUUID();
        asked.push(idempotencyKey);
        try {
          firsts.set(idempotencyKey, await client.charge({}, { idempotencyKey }));
        } catch {
          return;
        }
        if (firsts.size === 150) program.signal('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 24 }, createUntilKilled));
    expect(await program.exit()).toMatchObject({ signal: 'SIGKILL' });
    expect(firsts.size).toBeGreaterThanOrEqual(150);
    expect(await halfWritten()).toBe(0);

    await runConcurrently(16, asked, async (idempotencyKey) => {
      const again = await gateway.charge({}, { apiKey: seller.apiKey, idempotencyKey });
      const first = firsts.get(idempotencyKey);
      expect(again.status).toBe(201);
      if (first !== undefined) expectRepeat(again, first);
    });
    expect(await recordsOf(seller.id)).toBe(asked.length);
  });
});

// Last in the file, because these tests advance the clock by months.
describe('the lifetime of a key', () => {
  it('is 30 days, after which the key creates a new record', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const first = await gateway.charge({}, options);
    await advance(30 * DAY - 60);
    expectRepeat(await gateway.charge({}, options), first);
    expect((await gateway.charge({ amount: 1600 }, options)).status).toBe(409);
    await advance(61);
    const second = await gateway.charge({ amount: 1600 }, options);
    expectCreated(second);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    expectRepeat(await gateway.charge({ amount: 1600 }, options), second);
  });

  it('allows one record from twenty concurrent requests after it ends', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    await gateway.charge({}, options);
    await advance(30 * DAY + 1);
    const responses = await Promise.all(Array.from({ length: 20 }, () => gateway.charge({}, options)));
    expect(new Set(responses.map((response) => `${response.status} ${response.text}`)).size).toBe(1);
    expect(await recordsOf(seller.id)).toBe(2);
  });

  it('ends on time without a cleanup by a worker', async () => {
    const idle = await startTestGateway({ worker: false });
    try {
      const idempotencyKey = randomUUID();
      const first = await idle.charge({}, { idempotencyKey });
      await idle.advance(30 * DAY + 1);
      const second = await idle.charge({}, { idempotencyKey });
      expectCreated(second);
      expect(second.body.data.id).not.toBe(first.body.data.id);
    } finally {
      await idle.stop();
    }
  });

  it('ends on time with a fee schedule that rejects the amount now', async () => {
    const idle = await startTestGateway({ worker: false });
    try {
      const idempotencyKey = randomUUID();
      await idle.charge({}, { idempotencyKey });
      await idle.advance(30 * DAY + 1);
      await idle.database.query("UPDATE fee_schedules SET pix_in_type = 'FIXED', pix_in_value = 5000");
      await expect.poll(async () => (await idle.charge()).status, { timeout: 3_000 }).toBe(422);
      // No longer a repeat: the current fee schedule applies, as to any new request.
      expect((await idle.charge({}, { idempotencyKey })).status).toBe(422);
    } finally {
      await idle.stop();
    }
  });
});

async function runConcurrently<T>(
  workers: number,
  all: readonly T[],
  run: (one: T) => Promise<void>,
): Promise<void> {
  const left = [...all];
  const work = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await run(one);
  };
  await Promise.all(Array.from({ length: workers }, work));
}
