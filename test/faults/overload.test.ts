import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { LONG } from './seed.ts';
import { goodCharge } from '#test/support/client.ts';
import { flood, type FloodResult } from '#test/support/open-loop-load.ts';
import { makePlaceOnServer, residentMb, sleep, type Place, type Program } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const SECONDS = LONG ? 60 : 3;
const TIMES = 10;
/**
 * An admitted request is answered within a second. With other tests the machine is not exclusive.
 */
const P99_MS = LONG ? 1_000 : 2_500;
const MEMORY_MB = 250;

let place: Place;
let program: Program;
beforeAll(async () => {
  place = await makePlaceOnServer();
  program = await place.start();
  const { demo, client } = program;
  const signedIn = await client.post('/login', demo.admin, { credential: 'none' });
  const token = String(signedIn.body.accessToken);
  const rates = { requestsPerMinute: 10_000_000, creationsPerMinute: 10_000_000 };
  expect((await client.patch(`/admin/sellers/${demo.seller.id}`, rates, { token })).status).toBe(200);
  for (let count = 0; count < 100; count += 1) expect((await client.charge()).status).toBe(201);
});
afterAll(() => place.remove());

/**
 * Pages of a hundred, and after every third a charge, as raw text. Requests that cost the gateway
 * more than the clients allow ten times the sustainable load on one machine.
 */
function requests(): () => string {
  const head = `host: 127.0.0.1\r\nx-api-key: ${program.demo.apiKey}\r\n`;
  const body = JSON.stringify(goodCharge());
  let count = 0;
  return () => {
    count += 1;
    return count % 4 !== 0
      ? `GET /v1/transactions?take=100 HTTP/1.1\r\n${head}\r\n`
      : `POST /v1/transactions HTTP/1.1\r\n${head}content-type: application/json\r\n` +
          `content-length: ${body.length}\r\nidempotency-key: ${randomUUID()}\r\n\r\n${body}`;
  };
}

const run = (perSecond: number, seconds: number, connections: number): Promise<FloodResult> =>
  flood({ port: place.port, perSecond, seconds, connections, next: requests() });

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Requests the health until stopped; returns the latency of each response in milliseconds. */
async function probe(over: AbortSignal): Promise<readonly number[]> {
  const took: number[] = [];
  while (!over.aborted) {
    const asked = performance.now();
    const { status } = await program.client.get('/health');
    took.push(performance.now() - asked);
    expect(status).toBe(200);
    await sleep(200);
  }
  return took;
}

async function countRefusedRequests(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${place.port}/metrics`);
  return Number(/^http_requests_refused_total (\d+)$/m.exec(await response.text())?.[1]);
}

describe('ten times the sustainable load', () => {
  it('serves admitted requests quickly, rejects others at once, and recovers completely', async () => {
    // Sixteen clients, each with one request at a time, are as many as it serves without a queue.
    const carried = await run(1_000_000, 2, 16);
    const capacity = carried.latencies.length / 2;
    expect(new Set(carried.byStatus.keys())).toEqual(new Set([200, 201]));
    const before = await residentMb(program.pid);

    const over = new AbortController();
    const probed = probe(over.signal);
    const result = await run(capacity * TIMES, SECONDS, 2_000).finally(() => over.abort());
    const probes = await probed;
    const after = await residentMb(program.pid);
    const p99 = at(result.latencies, 0.99);
    process.stdout.write(
      `capacity ${Math.round(capacity)}/s, ` +
        `offered ${Math.round(result.sent / SECONDS)}/s (${result.unsent} found no connection), ` +
        `served ${Math.round(result.latencies.length / SECONDS)}/s, ` +
        `p50 ${Math.round(at(result.latencies, 0.5))} ms, p99 ${Math.round(p99)} ms, ` +
        `memory ${Math.round(before)} MB and ${Math.round(after)} MB, ${[...result.byStatus].join(' ')}, ` +
        `probes at most ${Math.round(Math.max(...probes))} ms\n`,
    );

    expect([...result.byStatus.keys()].filter((status) => ![200, 201, 429, 503].includes(status))).toEqual(
      [],
    );
    expect(result.byStatus.get(503)).toBeGreaterThan(0);
    expect(result.withoutRetryAfter).toBe(0);
    expect(result.broken).toBe(0);
    // It continues to serve: rejecting requests uses only a part of its capacity.
    expect(result.latencies.length).toBeGreaterThan(0);
    expect(p99).toBeLessThan(P99_MS);
    expect(after - before).toBeLessThan(MEMORY_MB);
    expect(await countRefusedRequests()).toBeGreaterThan(0);

    // All requests are served again at once.
    for (let count = 0; count < 20; count += 1) {
      const asked = performance.now();
      expect((await program.client.charge()).status).toBe(201);
      expect(performance.now() - asked).toBeLessThan(P99_MS);
    }
    const { demo, client } = program;
    const signedIn = await client.post('/login', demo.admin, { credential: 'none' });
    const check = await client.get('/admin/ledger/check', { token: String(signedIn.body.accessToken) });
    expect(check.body.data).toMatchObject({ balanced: true });
  });
});
