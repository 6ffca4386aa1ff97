import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway } from '#test/support/gateway.ts';
import { type Received } from '#test/support/receiver.ts';
import {
  receiver,
  otherReceiver,
  authorities,
  gateway,
  newSeller,
  register,
  paidCharge,
  workerHasPolled,
  callsOf,
  waitForCalls,
  type DeliveryRow,
  deliveriesOf,
  attemptsOf,
  headersOf,
  verified,
  setUp,
} from './deliveries-setup.ts';

setUp();

/** A responding receiver gets its request within this time, whatever other receivers do. */
const AT_ONCE_MS = 1_000;

async function waitForAttempts(id: string, attempts: number, timeout = 10_000): Promise<DeliveryRow> {
  const rows = await vi.waitFor(
    async () => {
      const found = await deliveriesOf(id);
      expect(found.map((row) => row.attempts)).toEqual([attempts]);
      return found;
    },
    { timeout, interval: 20 },
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no delivery');
  return row;
}

const pathOf = (response: ServerResponse): string => response.req.url ?? '';

/** Whether the signature of the request is valid for its own timestamp. */
function rightlySigned(secret: string, call: Received): boolean {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = headersOf(call);
  return new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), call.text) === signature;
}

describe('delivery attempts', () => {
  /** Seconds from the end of one attempt to the next; after the fifth there is none. */
  const DELAYS = [30, 120, 600, 3600];

  it('are made after 0 s, 30 s, 2 min, 10 min, 1 h, never early; then the delivery has FAILED', async () => {
    const seller = await newSeller();
    const { secret } = await register(seller, receiver.url);
    receiver.respondWith((request, response) => {
      response.statusCode = 500;
      // The first response is delayed, so that a stale timestamp would be detected in the second
      // attempt.
      if (callsOf(receiver, request.body.data.id).length === 1) setTimeout(() => response.end('no'), 1_100);
      else response.end('no');
    });
    const id = await paidCharge(seller);
    for (const [index, delay] of DELAYS.entries()) {
      const made = index + 1;
      const row = await waitForAttempts(id, made);
      expect(row).toMatchObject({ status: 'PENDING', lease_until: null });
      const attempts = await attemptsOf(id);
      const last = attempts.at(-1);
      const ended = (last?.at.getTime() ?? 0) + (last?.latency_ms ?? 0);
      expect(row.due_at.getTime() - ended).toBeGreaterThanOrEqual(delay * 1000 - 2);
      expect(row.due_at.getTime() - ended).toBeLessThan(delay * 1000 + 1_000);

      await gateway.advance(delay - 15);
      await workerHasPolled();
      expect(callsOf(receiver, id)).toHaveLength(made);
      expect(await deliveriesOf(id)).toMatchObject([{ attempts: made, lease_until: null }]);
      await gateway.advance(15);
      await waitForCalls(receiver, id, made + 1);
    }
    expect(await waitForAttempts(id, 5)).toMatchObject({ status: 'FAILED' });
    expect((await attemptsOf(id)).map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5]);

    await gateway.advance(24 * 3600);
    await workerHasPolled();
    const calls = callsOf(receiver, id);
    expect(calls).toHaveLength(5);
    // One event: the same id and body in each attempt, with a new timestamp and signature.
    expect(new Set(calls.map((call) => call.headers['webhook-id'])).size).toBe(1);
    expect(new Set(calls.map((call) => call.text)).size).toBe(1);
    for (const call of calls) expect(rightlySigned(secret, call)).toBe(true);
    const timestamps = calls.map((call) => Number(call.headers['webhook-timestamp']));
    expect(timestamps.toSorted((a, b) => a - b)).toEqual(timestamps);
    expect(timestamps[1]).toBeGreaterThan(timestamps[0] ?? 0);
  });

  it('are accepted by a receiver’s library after the sandbox clock was advanced', async () => {
    const seller = await newSeller();
    const { secret } = await register(seller, receiver.url);
    await gateway.advance(3600);
    const id = await paidCharge(seller);
    const [call] = await waitForCalls(receiver, id, 1);
    // Receivers use the real time: a timestamp hours ahead is rejected as forged.
    expect(verified(secret, call)).toMatchObject({ data: { id } });
  });

  it('end with the first success', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    receiver.respondWith((request, response) => {
      response.statusCode = callsOf(receiver, request.body.data.id).length < 3 ? 503 : 204;
      response.end();
    });
    const id = await paidCharge(seller);
    await waitForAttempts(id, 1);
    await gateway.advance(31);
    await waitForAttempts(id, 2);
    await gateway.advance(121);
    expect(await waitForAttempts(id, 3)).toMatchObject({ status: 'DELIVERED', lease_until: null });
    await gateway.advance(24 * 3600);
    await workerHasPolled();
    expect(callsOf(receiver, id)).toHaveLength(3);
    expect((await attemptsOf(id)).map((attempt) => attempt.status_code)).toEqual([503, 503, 204]);
  });

  it.each([200, 201, 202, 204, 299])('succeed with %i', async (statusCode) => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    receiver.respondWith((_request, response) => {
      response.statusCode = statusCode;
      response.end();
    });
    const id = await paidCharge(seller);
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'DELIVERED' });
    expect(await attemptsOf(id)).toMatchObject([{ status_code: statusCode, error: null }]);
  });

  it.each([304, 400, 401, 404, 429, 500, 503])('fail with %i and are retried', async (statusCode) => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    receiver.respondWith((_request, response) => {
      response.statusCode = statusCode;
      response.end();
    });
    const id = await paidCharge(seller);
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'PENDING' });
    expect(await attemptsOf(id)).toMatchObject([{ status_code: statusCode, error: expect.any(String) }]);
  });

  it('fail if the receiver disconnects', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    receiver.respondWith((_request, response) => response.destroy());
    const id = await paidCharge(seller);
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'PENDING' });
    expect(await attemptsOf(id)).toMatchObject([{ status_code: null, error: expect.any(String) }]);
  });

  it('fail at a closed port', async () => {
    const seller = await newSeller();
    await register(seller, `https://localhost:${await freePort()}/hook`);
    const id = await paidCharge(seller);
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'PENDING' });
    expect(await attemptsOf(id)).toMatchObject([{ status_code: null, error: expect.any(String) }]);
  });

  it.each([301, 302, 303, 307, 308])('do not follow a redirect with %i', async (statusCode) => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    receiver.respondWith((_request, response) => {
      response.writeHead(statusCode, { location: otherReceiver.url }).end();
    });
    const id = await paidCharge(seller);
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'PENDING' });
    expect(await attemptsOf(id)).toMatchObject([{ status_code: statusCode }]);
    expect(callsOf(receiver, id)).toHaveLength(1);
    expect(callsOf(otherReceiver, id)).toHaveLength(0);
  });

  it('store status, latency and the first KiB of the response', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    const long = 'á'.repeat(5_000);
    receiver.respondWith((_request, response) => {
      setTimeout(() => response.writeHead(418).end(long), 200);
    });
    const id = await paidCharge(seller);
    await waitForAttempts(id, 1);
    const [attempt] = await attemptsOf(id);
    expect(attempt?.status_code).toBe(418);
    expect(attempt?.latency_ms).toBeGreaterThanOrEqual(199);
    expect(attempt?.latency_ms).toBeLessThan(5_000);
    expect(attempt?.response_body).toBe('á'.repeat(512));
  });

  it('end when the webhook is deleted', async () => {
    const seller = await newSeller();
    const { id: webhookId } = await register(seller, receiver.url);
    receiver.respondWith((_request, response) => response.writeHead(500).end());
    const id = await paidCharge(seller);
    await waitForAttempts(id, 1);
    expect((await gateway.delete(`/webhooks/${webhookId}`, seller)).status).toBe(200);
    await gateway.advance(31);
    await workerHasPolled();
    expect(callsOf(receiver, id)).toHaveLength(1);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'FAILED', attempts: 1 }]);
  });

  it('are not repeated while the first is in progress, however the clock moves', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    const open: ServerResponse[] = [];
    receiver.respondWith((_request, response) => open.push(response));
    const id = await paidCharge(seller);
    await waitForCalls(receiver, id, 1);
    await gateway.advance(60);
    await workerHasPolled();
    const calls = callsOf(receiver, id).length;
    for (const response of open) response.end('ok');
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'DELIVERED' });
    expect(calls).toBe(1);
  });
});

describe('a receiver that hangs', () => {
  it('delays no other receiver, and each request to it ends after 15 s', { timeout: 60_000 }, async () => {
    const hung = await newSeller();
    const healthy = await newSeller();
    await register(hung, otherReceiver.url);
    await register(healthy, receiver.url);
    otherReceiver.respondWith(() => undefined);
    const before = otherReceiver.received.length;
    const hanging = await Promise.all(Array.from({ length: 30 }, () => paidCharge(hung)));
    await vi.waitFor(() => expect(otherReceiver.received.length).toBeGreaterThan(before), {
      timeout: 5_000,
    });
    for (let round = 0; round < 10; round += 1) {
      const id = await paidCharge(healthy);
      const answered = Date.now();
      const [call] = await waitForCalls(receiver, id, 1);
      expect((call?.at ?? 0) - answered).toBeLessThan(AT_ONCE_MS);
    }

    const first = await vi.waitFor(
      async () => {
        const rows = await attemptsOf(hanging);
        expect(rows.length).toBeGreaterThan(0);
        return rows;
      },
      { timeout: 20_000, interval: 200 },
    );
    // The rest of the thirty do not have to wait for fifteen seconds each.
    otherReceiver.respondWith((_request, response) => response.end('ok'));
    for (const attempt of first) {
      expect(attempt).toMatchObject({ status_code: null, error: expect.stringMatching(/15 s/) });
      expect(attempt.latency_ms).toBeGreaterThanOrEqual(14_900);
      expect(attempt.latency_ms).toBeLessThan(17_000);
    }
  });

  it.each(['webhook', 'postbackUrl'])(
    "delays no other receiver at the same host, such as another seller's %s",
    async (kind) => {
      const [hung, healthy] = [await newSeller(), await newSeller()];
      // Each at a separate host: a host that hangs for one test still hangs for the next.
      const host = kind === 'webhook' ? receiver : otherReceiver;
      const hangs = `${host.url}/${kind}/hangs`;
      const responses = `${host.url}/${kind}/answers`;
      if (kind === 'webhook') {
        await register(hung, hangs);
        await register(healthy, responses);
      }
      const postback = (postbackUrl: string) => (kind === 'webhook' ? {} : { postbackUrl });
      host.respondWith((_request, response) => {
        if (pathOf(response).endsWith('/answers')) response.end('ok');
      });
      const before = host.received.length;
      await Promise.all(Array.from({ length: 30 }, () => paidCharge(hung, postback(hangs))));
      await vi.waitFor(() => expect(host.received.length).toBeGreaterThan(before), { timeout: 5_000 });
      const id = await paidCharge(healthy, postback(responses));
      await vi.waitFor(() => expect(callsOf(host, id)).toHaveLength(1), {
        timeout: AT_ONCE_MS,
        interval: 10,
      });
    },
  );

  it('delays no other receiver, even as one of forty that hang', async () => {
    const crowded = await startTestGateway({ receiverAuthorities: authorities });
    try {
      const healthy = await newSeller(crowded);
      await register(healthy, receiver.url, 'ALL', crowded);
      otherReceiver.respondWith(() => undefined);
      for (let seller = 0; seller < 2; seller += 1) {
        const hung = await newSeller(crowded);
        for (let index = 0; index < 20; index += 1) {
          await register(hung, `${otherReceiver.url}/${index}`, 'ALL', crowded);
        }
        await Promise.all(Array.from({ length: 10 }, () => paidCharge(hung, {}, crowded)));
      }
      // They have reached their maximum of concurrent requests.
      await vi.waitFor(
        async () => {
          const rows = await crowded.database.query<{ leased: string }>(
            'SELECT count(*) AS leased FROM deliveries WHERE lease_until IS NOT NULL',
          );
          expect(Number(rows[0]?.leased)).toBeGreaterThanOrEqual(40);
        },
        { timeout: 5_000 },
      );
      const id = await paidCharge(healthy, {}, crowded);
      await vi.waitFor(() => expect(callsOf(receiver, id)).toHaveLength(1), {
        timeout: AT_ONCE_MS,
        interval: 10,
      });
    } finally {
      await crowded.stop();
    }
  });
});
