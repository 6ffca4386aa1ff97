import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newId } from '#platform/kit/ids.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  readonly recordId: string;
  readonly payload: string;
}

interface Page {
  readonly data: readonly StreamedEvent[];
  readonly nextCursor: string;
  readonly more: boolean;
}

async function read(seller: TestSeller, query: Readonly<Record<string, string>> = {}): Promise<Page> {
  const response = await gateway.get(`/events?${new URLSearchParams(query).toString()}`, seller);
  expect(response.status).toBe(200);
  return response.body;
}

async function paidCharge(seller: TestSeller): Promise<string> {
  const id = String((await gateway.charge({}, seller)).body.data.id);
  await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, seller);
  return id;
}

describe('GET /events', () => {
  it('returns the seller’s own events, oldest first, with their payloads, page by page', async () => {
    const [seller, foreign] = [await newSeller(gateway), await newSeller(gateway)];
    const ids = [];
    for (let i = 0; i < 5; i += 1) ids.push(await paidCharge(seller));
    const all = await read(seller);
    expect(all.data.map(({ recordId }) => recordId)).toEqual(ids);
    expect(all.more).toBe(false);
    expect(JSON.parse(all.data[0]?.payload ?? '')).toMatchObject({
      event: 'TRANSACTION_UPDATED',
      data: { id: ids[0], status: 'PAID' },
    });
    const first = await read(seller, { take: '3' });
    expect([first.data.length, first.more]).toEqual([3, true]);
    const rest = await read(seller, { take: '3', after: first.nextCursor });
    expect([...first.data, ...rest.data]).toEqual(all.data);
    expect(rest.more).toBe(false);
    expect((await read(seller, { after: rest.nextCursor })).data).toEqual([]);
    expect((await read(foreign)).data).toEqual([]);
  });

  it('filters by type, and its cursor moves past other types', async () => {
    const seller = await newSeller(gateway);
    const hook = await gateway.post(
      '/webhooks',
      { url: 'https://localhost:9999/', eventType: 'DISPUTE' },
      seller,
    );
    await paidCharge(seller);
    await gateway.post(`/webhooks/${hook.body.data.id}/test`, undefined, seller);
    const pings = await read(seller, { types: 'PING, DISPUTE_UPDATED' });
    expect(pings.data.map(({ event }) => event)).toEqual(['PING']);
    expect((await read(seller, { after: pings.nextCursor })).data).toEqual([]);
    expect((await read(seller, { types: '' })).data).toHaveLength(2);
    const unknown = await gateway.get('/events?types=PING,TRANSACTION', seller);
    expect([unknown.status, unknown.body.message]).toEqual([
      400,
      [
        'types must be one of the following values: TRANSACTION_UPDATED, WITHDRAWAL_UPDATED, ' +
          'DISPUTE_UPDATED, SUBSCRIPTION_UPDATED, SUBSCRIPTION_CARD_REQUIRED, SUBSCRIPTION_INVOICE_UPDATED, PING',
      ],
    ]);
  });

  it('waits for an event, and returns it as soon as it is committed', async () => {
    const seller = await newSeller(gateway);
    await paidCharge(seller);
    const { nextCursor, data } = await read(seller, { after: 'now' });
    expect(data).toEqual([]);
    const waiting = read(seller, { after: nextCursor, wait: '25' });
    const id = await paidCharge(seller);
    expect((await waiting).data.map(({ recordId }) => recordId)).toEqual([id]);
  });

  it('returns an empty page after the wait time', async () => {
    const seller = await newSeller(gateway);
    const started = performance.now();
    const page = await read(seller, { after: 'now', wait: '1' });
    expect(page.data).toEqual([]);
    expect(performance.now() - started).toBeGreaterThan(900);
    expect((await read(seller, { after: page.nextCursor })).data).toEqual([]);
  });

  it('rejects a cursor that is unknown, malformed or of another seller', async () => {
    const [seller, other] = [await newSeller(gateway), await newSeller(gateway)];
    const foreign = (await read(other)).nextCursor;
    for (const after of ['x', 'v1.a.b.c', foreign, `${foreign}x`, newId(Date.now())]) {
      const response = await gateway.get(`/events?${new URLSearchParams({ after }).toString()}`, seller);
      expect(response.status).toBe(400);
      expect(response.body.message).toEqual(['after must be the nextCursor of a previous response, or now']);
    }
    const wrong = await gateway.get('/events?wait=26&take=0', seller);
    expect(wrong.body.message).toEqual(['wait must not be greater than 25', 'take must not be less than 1']);
    expect((await gateway.get('/events', { credential: 'none' })).status).toBe(401);
  });
});

/**
 * Writes events sequentially, each committed at least a millisecond after its id was created, which
 * is the resolution of ids.
 */
async function write(sellerId: string, count: number, pause: () => number): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: gateway.database.url });
  await client.connect();
  const written: string[] = [];
  try {
    for (let i = 0; i < count; i += 1) {
      const id = newId(Date.now());
      await client.query('BEGIN');
      await client.query(
        `INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
          VALUES ($1, $2, 'PING', $3, '{}', $4)`,
        [sellerId, id, randomUUID(), new Date()],
      );
      await sleep(pause());
      await client.query('COMMIT');
      written.push(id);
    }
  } finally {
    await client.end();
  }
  return written;
}

describe('concurrently written events', () => {
  it('are returned once each, without gaps, in the order of each writer', { timeout: 60_000 }, async () => {
    const seller = await newSeller(gateway);
    const WRITERS = 16;
    const EACH = 40;
    const seen: string[] = [];
    let { nextCursor } = await read(seller, { after: 'now' });
    const writing = Promise.all(
      Array.from({ length: WRITERS }, (_, index) =>
        write(seller.id, EACH, () => (index < 3 ? 250 : 2 + Math.random() * 60)),
      ),
    );
    const deadline = Date.now() + 50_000;
    while (seen.length < WRITERS * EACH && Date.now() < deadline) {
      const page = await read(seller, { after: nextCursor, wait: '1', take: '7' });
      seen.push(...page.data.map(({ id }) => id));
      ({ nextCursor } = page);
    }
    const written = await writing;
    expect(seen.toSorted()).toEqual(written.flat().toSorted());
    for (const own of written) expect(seen.filter((id) => own.includes(id))).toEqual(own);
    // Otherwise no event was late, and the test has shown nothing.
    const late = seen.filter((id, index) => id < (seen[index - 1] ?? ''));
    expect(late.length).toBeGreaterThan(20);
    expect((await read(seller, { after: nextCursor })).data).toEqual([]);
  });

  it('are not missed if the clock is advanced while one is being written', async () => {
    const seller = await newSeller(gateway);
    const { nextCursor } = await read(seller, { after: 'now' });
    const client = new pg.Client({ connectionString: gateway.database.url });
    await client.connect();
    const id = newId(Date.now());
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
        VALUES ($1, $2, 'PING', $3, '{}', $4)`,
      [seller.id, id, randomUUID(), new Date()],
    );
    await gateway.advance(3 * 3600);
    const later = await paidCharge(seller);
    const first = await read(seller, { after: nextCursor });
    expect(first.data.map(({ recordId }) => recordId)).toEqual([later]);
    await client.query('COMMIT');
    await client.end();
    const second = await read(seller, { after: first.nextCursor });
    expect(second.data.map((one) => one.id)).toEqual([id]);
    expect((await read(seller, { after: second.nextCursor })).data).toEqual([]);
  });
});

describe('shutdown', () => {
  it('answers waiting requests at once, and does not wait for them', async () => {
    const own = await startTestGateway();
    const waiting = own.get('/events?after=now&wait=25');
    // A later request was answered, so the gateway has received it.
    for (let i = 0; i < 5; i += 1) expect((await own.get('/seller-wallet/entries')).status).toBe(200);
    const started = performance.now();
    await own.stop();
    expect(performance.now() - started).toBeLessThan(3_000);
    const response = await waiting;
    expect([response.status, response.body.data]).toEqual([200, []]);
  });
});
