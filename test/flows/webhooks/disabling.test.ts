import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Received, type Receiver } from '#test/support/receiver.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';

const DAY_SECONDS = 24 * 60 * 60;
const WAIT = { timeout: 10_000, interval: 10 };
const LONG_AGO = '2020-01-01';

let receiver: Receiver;
let control: Receiver;
let gateway: TestGateway;
let controlSeller: TestSeller;
beforeAll(async () => {
  [receiver, control] = await Promise.all([startReceiver(), startReceiver()]);
  gateway = await startTestGateway({ receiverAuthorities: receiver.authority + control.authority });
  controlSeller = await newSeller(gateway);
  await register(controlSeller, control.url);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([receiver.close(), control.close()]);
});
afterEach(() => answerWith(200));

function answerWith(status: number, headers: Readonly<Record<string, string>> = {}): void {
  receiver.respondWith((_request, response) => response.writeHead(status, headers).end());
}

async function register(seller: TestSeller, url = receiver.url): Promise<string> {
  const response = await gateway.post('/webhooks', { url, eventType: 'ALL' }, seller);
  expect(response.status).toBe(201);
  expect(response.body.data).toMatchObject({ status: 'ACTIVE', disabledAt: null, disabledReason: null });
  return response.body.data.id;
}

async function paidCharge(seller: TestSeller, changes = {}): Promise<string> {
  const id = String((await gateway.charge(changes, seller)).body.data.id);
  expect((await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, seller)).status).toBe(200);
  return id;
}

/**
 * Resolves when the worker has claimed deliveries after this call: it has sent one that is due now.
 */
async function workerHasPolled(): Promise<void> {
  const id = await paidCharge(controlSeller);
  await vi.waitFor(() => expect(callsOf(id, control)).toHaveLength(1), WAIT);
}

const callsOf = (id: string, one = receiver): readonly Received[] =>
  one.received.filter((call) => call.body.data.id === id);

const webhook = async (seller: TestSeller, id: string) =>
  (await gateway.get(`/webhooks/${id}`, seller)).body.data;

const change = (seller: TestSeller, id: string, changes: object) =>
  gateway.patch(`/webhooks/${id}`, changes, seller);

const replay = (seller: TestSeller, id: string, body: object = { since: LONG_AGO }) =>
  gateway.post(`/webhooks/${id}/replay`, body, seller);

const resendFailed = (seller: TestSeller, body: object = { since: LONG_AGO }) =>
  gateway.post('/webhooks/deliveries/resend-failed', body, seller);

const listed = async (seller: TestSeller, query: string) =>
  (await gateway.get(`/webhooks/deliveries?${query}`, seller)).body;

const attempted = (seller: TestSeller, recordId: string, attempts: number) =>
  vi.waitFor(async () => {
    const [found] = (await listed(seller, `recordId=${recordId}`)).data;
    expect(found.attemptCount).toBe(attempts);
    return found;
  }, WAIT);

async function auditOf(id: string) {
  return gateway.database.query<{ actor_kind: string; before: object; after: object }>(
    `SELECT actor_kind, before, after FROM audit_log WHERE record_id = $1 AND action = 'webhook.updated'
      ORDER BY id`,
    [id],
  );
}

/** Creates a delivery that has FAILED after all five attempts. */
async function failedDelivery(seller: TestSeller): Promise<string> {
  answerWith(500);
  const id = await paidCharge(seller);
  for (const [attempts, delay] of [31, 121, 601, 3601].entries()) {
    await attempted(seller, id, attempts + 1);
    await gateway.advance(delay);
  }
  expect(await attempted(seller, id, 5)).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
  return id;
}

describe('Retry-After', () => {
  it('lengthens the delay before the next attempt', async () => {
    const seller = await newSeller(gateway);
    await register(seller);
    answerWith(503, { 'retry-after': '3600' });
    const id = await paidCharge(seller);
    const first = await attempted(seller, id, 1);
    expect(first.status).toBe('PENDING');
    const inMs = Date.parse(first.nextAttemptAt) - Date.parse(first.updatedAt);
    expect(Math.abs(inMs - 3_600_000)).toBeLessThan(5_000);
    await gateway.advance(3_500);
    await workerHasPolled();
    expect(callsOf(id)).toHaveLength(1);
    await gateway.advance(120);
    await attempted(seller, id, 2);
  });
});

describe('disabling a webhook', () => {
  it('disables a webhook that responds with 410 at once, and its delivery has FAILED', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    answerWith(410);
    const charge = await paidCharge(seller);
    expect(await attempted(seller, charge, 1)).toMatchObject({ status: 'FAILED' });
    const disabled = await vi.waitFor(async () => {
      const found = await webhook(seller, id);
      expect(found.status).toBe('DISABLED');
      return found;
    }, WAIT);
    expect(disabled.disabledAt).toEqual(expect.any(String));
    expect(disabled.disabledReason).toContain('410 Gone');
    const { data } = (await gateway.get('/webhooks', seller)).body;
    expect(data).toMatchObject([{ id, status: 'DISABLED' }]);
    expect(await auditOf(id)).toMatchObject([{ actor_kind: 'GATEWAY', after: { status: 'DISABLED' } }]);
  });

  it('restarts the five days when the URL changes', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    answerWith(500);
    await attempted(seller, await paidCharge(seller), 1);
    await gateway.advance(4 * DAY_SECONDS);
    expect((await change(seller, id, { url: `${receiver.url}?new` })).status).toBe(200);
    await gateway.advance(2 * DAY_SECONDS);
    await attempted(seller, await paidCharge(seller), 1);
    await workerHasPolled();
    expect((await webhook(seller, id)).status).toBe('ACTIVE');
  });

  it('keeps a webhook whose URL was changed while the old one responded with 410', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    const moved = { url: `${receiver.url}?moved` };
    receiver.respondWith((_request, response) => {
      void change(seller, id, moved).finally(() => response.writeHead(410).end());
    });
    const gone = await paidCharge(seller);
    expect(await attempted(seller, gone, 1)).toMatchObject({ status: 'FAILED' });
    answerWith(200);
    await workerHasPolled();
    expect(await attempted(seller, await paidCharge(seller), 1)).toMatchObject({ status: 'DELIVERED' });
    expect(await webhook(seller, id)).toMatchObject({ status: 'ACTIVE', ...moved });
  });

  it('disables a webhook if every attempt has failed for five days, and not before', async () => {
    const [seller, untroubled] = [await newSeller(gateway), await newSeller(gateway)];
    const [id, other] = [await register(seller), await register(untroubled, control.url)];
    answerWith(500);
    await attempted(seller, await paidCharge(seller), 1);
    await gateway.advance(5 * DAY_SECONDS - 600);
    await attempted(seller, await paidCharge(seller), 1);
    await workerHasPolled();
    expect((await webhook(seller, id)).status).toBe('ACTIVE');
    await gateway.advance(700);
    const late = await paidCharge(seller);
    await vi.waitFor(async () => expect((await webhook(seller, id)).status).toBe('DISABLED'), WAIT);
    expect((await webhook(seller, id)).disabledReason).toMatch(
      /^Every attempt has failed for five days, since 20/,
    );
    // Pending retries are held, and so are new events.
    await vi.waitFor(async () => {
      const { data } = await listed(seller, `recordId=${late}`);
      expect(data).toMatchObject([{ status: 'HELD', nextAttemptAt: null }]);
    }, WAIT);
    expect((await listed(seller, 'status=PENDING')).count).toBe(0);
    expect((await webhook(untroubled, other)).status).toBe('ACTIVE');
  });

  it('keeps a webhook enabled if one attempt of those five days succeeded', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    answerWith(500);
    await attempted(seller, await paidCharge(seller), 1);
    await gateway.advance(4 * DAY_SECONDS);
    answerWith(200);
    const arrived = await paidCharge(seller);
    await vi.waitFor(async () => {
      expect((await listed(seller, `recordId=${arrived}&status=DELIVERED`)).count).toBe(1);
    }, WAIT);
    answerWith(500);
    await gateway.advance(2 * DAY_SECONDS);
    await attempted(seller, await paidCharge(seller), 1);
    await workerHasPolled();
    expect((await webhook(seller, id)).status).toBe('ACTIVE');
  });

  it('does not write for each attempt, only when the health changes', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    const written = async () =>
      (await gateway.database.query('SELECT xmin::text, failing_since FROM webhooks WHERE id = $1', [id]))[0];
    const untouched = await written();
    for (let i = 0; i < 3; i += 1) await attempted(seller, await paidCharge(seller), 1);
    expect(await written()).toEqual(untouched);
    answerWith(500);
    await attempted(seller, await paidCharge(seller), 1);
    const failing = await vi.waitFor(async () => {
      const row = await written();
      expect(row).toMatchObject({ failing_since: expect.any(Date) });
      return row;
    }, WAIT);
    for (let i = 0; i < 3; i += 1) await attempted(seller, await paidCharge(seller), 1);
    await workerHasPolled();
    expect(await written()).toEqual(failing);
    answerWith(200);
    await attempted(seller, await paidCharge(seller), 1);
    await vi.waitFor(async () => expect(await written()).toMatchObject({ failing_since: null }), WAIT);
  });

  it('is possible for its seller, who can enable it again, and both are audited', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    const disabled = await change(seller, id, { status: 'DISABLED' });
    expect(disabled.body.data).toMatchObject({ status: 'DISABLED', disabledReason: 'You disabled it.' });
    const again = await change(seller, id, { status: 'DISABLED', description: 'off' });
    expect(again.body.data.disabledAt).toBe(disabled.body.data.disabledAt);
    const enabled = await change(seller, id, { status: 'ACTIVE' });
    expect(enabled.body.data).toMatchObject({ status: 'ACTIVE', disabledAt: null, disabledReason: null });
    expect(await auditOf(id)).toMatchObject([
      { actor_kind: 'API_KEY', before: { status: 'ACTIVE' }, after: { status: 'DISABLED' } },
      { actor_kind: 'API_KEY', after: { description: 'off' } },
      { actor_kind: 'API_KEY', before: { status: 'DISABLED' }, after: { status: 'ACTIVE' } },
    ]);
    const wrong = await change(seller, id, { status: 'OFF' });
    expect(wrong.body.message).toEqual(['status must be one of the following values: ACTIVE, DISABLED']);
  });

  it('never applies to a postbackUrl, whatever its responses', async () => {
    const seller = await newSeller(gateway);
    answerWith(410);
    const id = await paidCharge(seller, { postbackUrl: receiver.url });
    expect(await attempted(seller, id, 1)).toMatchObject({ status: 'PENDING', webhookId: null });
    answerWith(200);
    await gateway.advance(31);
    expect(await attempted(seller, id, 2)).toMatchObject({ status: 'DELIVERED' });
  });
});

describe('an event of a disabled webhook', () => {
  it('is HELD, not attempted, not in the index of due deliveries, and delivered by a resend', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    answerWith(500);
    const before = await paidCharge(seller);
    await attempted(seller, before, 1);
    await change(seller, id, { status: 'DISABLED' });
    answerWith(200);
    const during = [await paidCharge(seller), await paidCharge(seller)];
    await gateway.advance(3_600);
    await workerHasPolled();
    expect(during.flatMap((one) => callsOf(one))).toEqual([]);
    expect(callsOf(before)).toHaveLength(1);
    const held = await listed(seller, 'status=HELD');
    expect(held.count).toBe(3);
    expect(held.data[0]).toMatchObject({ webhookId: id, nextAttemptAt: null, recordId: during[1] });
    const due = await gateway.database.query(
      'SELECT 1 FROM deliveries WHERE webhook_id = $1 AND status = $2',
      [id, 'PENDING'],
    );
    expect(due).toEqual([]);

    const count = await replay(seller, id, { since: LONG_AGO, dryRun: true });
    expect(count.body.data).toEqual({ deliveries: 3, more: false });
    expect((await replay(seller, id)).body.message).toBe('Webhook is disabled');
    const tried = await gateway.post(`/webhooks/${id}/test`, undefined, seller);
    expect([tried.status, tried.body.message]).toEqual([422, 'Webhook is disabled']);
    const [one] = held.data;
    const again = await gateway.post(`/webhooks/deliveries/${one.id}/resend`, undefined, seller);
    expect([again.status, again.body.message]).toEqual([422, 'Webhook is disabled']);
    const body = { transactionIds: [during[0]] };
    const resent = await gateway.post('/webhooks/resend-transaction-event', body, seller);
    expect(resent.body.data).toEqual({ resent: 0 });

    const moved = control.url;
    await change(seller, id, { status: 'ACTIVE', url: moved });
    const since = new Date(Date.parse(one.createdAt) + 1).toISOString();
    expect((await replay(seller, id, { since })).body.data.deliveries).toBe(0);
    expect((await replay(seller, id)).body.data).toEqual({ deliveries: 3, more: false });
    for (const record of [before, ...during]) {
      await vi.waitFor(() => expect(callsOf(record, control)).toHaveLength(1), WAIT);
    }
    await vi.waitFor(async () => expect((await listed(seller, 'status=DELIVERED')).count).toBe(3), WAIT);
    expect((await replay(seller, id)).body.data).toEqual({ deliveries: 0, more: false });
  });

  it('is DELIVERED if a request in progress succeeds, and HELD if it fails', async () => {
    for (const [status, becomes] of [
      [200, 'DELIVERED'],
      [500, 'HELD'],
    ] as const) {
      const seller = await newSeller(gateway);
      const id = await register(seller);
      const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
      receiver.respondWith((_request, response) => {
        void finished.then(() => response.writeHead(status).end());
      });
      const charge = await paidCharge(seller);
      await vi.waitFor(() => expect(callsOf(charge)).toHaveLength(1), WAIT);
      await change(seller, id, { status: 'DISABLED' });
      expect((await listed(seller, 'status=HELD')).count).toBe(1);
      finish();
      expect(await attempted(seller, charge, 1)).toMatchObject({ status: becomes });
    }
  });

  it('becomes HELD if it was still PENDING', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    await change(seller, id, { status: 'DISABLED' });
    await paidCharge(seller);
    // The state after the gateway was killed just after it had disabled the webhook.
    await gateway.database.query(
      "UPDATE deliveries SET status = 'PENDING', due_at = $2 WHERE webhook_id = $1",
      [id, new Date(Date.now() + 365 * 86_400_000)],
    );
    expect((await listed(seller, 'status=HELD')).count).toBe(0);
    await gateway.advance(1);
    await vi.waitFor(async () => expect((await listed(seller, 'status=HELD')).count).toBe(1), WAIT);
  });

  it('is FAILED when the webhook is deleted', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    await change(seller, id, { status: 'DISABLED' });
    await paidCharge(seller);
    expect((await listed(seller, 'status=HELD')).count).toBe(1);
    await gateway.delete(`/webhooks/${id}`, seller);
    expect((await listed(seller, 'status=FAILED')).count).toBe(1);
    expect((await resendFailed(seller)).body.data.resent).toBe(0);
  });
});

describe('resending failed deliveries', () => {
  it('sends each once, even with concurrent requests', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    const charge = await failedDelivery(seller);
    const dry = await resendFailed(seller, { since: LONG_AGO, dryRun: true });
    expect(dry.body.data).toEqual({ resent: 1, more: false });
    expect(callsOf(charge)).toHaveLength(5);
    answerWith(200);
    const both = await Promise.all([
      resendFailed(seller),
      resendFailed(seller, { since: LONG_AGO, webhookId: id }),
    ]);
    const numbers: number[] = both.map(({ body }) => body.data.resent);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([0, 1]);
    await vi.waitFor(() => expect(callsOf(charge)).toHaveLength(6), WAIT);
    const ids = callsOf(charge).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect((await resendFailed(seller)).body.data).toEqual({ resent: 0, more: false });
    expect((await replay(seller, id)).body.data.deliveries).toBe(0);
  }, 30_000);

  it('lists them since a time, by seller and page', async () => {
    const [seller, foreign] = [await newSeller(gateway), await newSeller(gateway)];
    const id = await register(seller);
    answerWith(410);
    const charge = await paidCharge(seller);
    await attempted(seller, charge, 1);
    await vi.waitFor(async () => expect((await webhook(seller, id)).status).toBe('DISABLED'), WAIT);
    expect((await resendFailed(seller)).body.data.resent).toBe(0);
    expect((await resendFailed(seller, { since: LONG_AGO, webhookId: id })).status).toBe(422);
    answerWith(200);
    await change(seller, id, { status: 'ACTIVE' });
    expect((await resendFailed(foreign)).body.data.resent).toBe(0);
    expect((await resendFailed(foreign, { since: LONG_AGO, webhookId: id })).status).toBe(404);
    expect((await replay(foreign, id)).status).toBe(404);
    for (const since of ['yesterday', undefined, '2'.repeat(50)]) {
      const { body } = await resendFailed(foreign, { since });
      expect(body.message).toEqual(['since must be a valid ISO 8601 date string']);
    }

    // The state after many failures: each delivery of a separate event.
    await gateway.database.query(
      `INSERT INTO deliveries (seller_id, id, event_id, event, record_id, webhook_id, endpoint, url, status,
          attempts, due_at, created_at, updated_at)
       SELECT d.seller_id, (left(d.id::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, e.id, e.type,
         gen_random_uuid(), d.webhook_id, 'postback test', d.url, 'FAILED', 5, d.due_at, d.created_at,
         d.updated_at
       FROM deliveries d
       JOIN events e ON e.seller_id = d.seller_id AND e.id = d.event_id, generate_series(1, 10100)
       WHERE d.seller_id = $1`,
      [seller.id],
    );
    // Deliveries fail over hours, in which autovacuum has updated the statistics.
    await gateway.database.query('ANALYZE deliveries');
    const counted = { since: LONG_AGO, dryRun: true };
    expect((await resendFailed(seller, counted)).body.data).toEqual({ resent: 10_000, more: true });
    for (let page = 0; page < 5; page += 1)
      expect((await resendFailed(seller)).body.data).toEqual({ resent: 2_000, more: true });
    expect((await resendFailed(seller, counted)).body.data).toEqual({ resent: 101, more: false });
    expect((await resendFailed(seller)).body.data).toEqual({ resent: 101, more: false });
    await gateway.database.query("UPDATE deliveries SET status = 'DELIVERED' WHERE seller_id = $1", [
      seller.id,
    ]);
  }, 30_000);
});

describe('the delivery log', () => {
  it('is filtered by event and by days', async () => {
    const seller = await newSeller(gateway);
    const id = await register(seller);
    await paidCharge(seller);
    await gateway.post(`/webhooks/${id}/test`, undefined, seller);
    await vi.waitFor(async () => expect((await listed(seller, 'status=DELIVERED')).count).toBe(2), WAIT);
    const pings = await listed(seller, 'event=PING');
    expect([pings.count, pings.data.map((one: { event: string }) => one.event)]).toEqual([1, ['PING']]);
    const at = pings.data[0].createdAt;
    expect((await listed(seller, `startDate=${at}`)).count).toBe(1);
    expect((await listed(seller, `endDate=${at}`)).count).toBe(2);
    expect((await listed(seller, `endDate=2020-01-01`)).count).toBe(0);
    expect((await gateway.get('/webhooks/deliveries?startDate=x', seller)).body.message).toEqual([
      'startDate must be a valid ISO 8601 date string',
    ]);
  });
});
