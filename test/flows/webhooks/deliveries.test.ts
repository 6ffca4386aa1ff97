import { randomBytes } from 'node:crypto';
import { promises as dns } from 'node:dns';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { readConfig } from '#app/config.ts';
import { startGateway, type Gateway } from '#app/gateway.ts';
import { createLogger } from '#platform/kit/log.ts';
import type { Answer } from '#test/support/client.ts';
import { freePort, startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { run } from '#test/support/process.ts';
import { startReceiver, type Received, type Receiver } from '#test/support/receiver.ts';
import { newSeller as newSellerAt, type TestSeller as Seller } from '#test/support/sellers.ts';
import { isAddressAllowed } from '#webhooks/target-url.ts';

const SECRETS = { JWT_SECRET: 'j'.repeat(64), ENCRYPTION_KEY: randomBytes(32).toString('hex') };

/** How soon a receiver that answers is called, whatever the others do. */
const AT_ONCE_MS = 1_000;

/** The receiver under test, another one, and one that is called only to see that the worker has looked. */
let receiver: Receiver;
let neighbour: Receiver;
let control: Receiver;
let authorities: string;
let gateway: TestGateway;
let controlKey: string;

beforeAll(async () => {
  [receiver, neighbour, control] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  authorities = [receiver, neighbour, control].map(({ authority }) => authority).join('\n');
  gateway = await startTestGateway({ receiverAuthorities: authorities, environment: SECRETS });
  controlKey = await controlSeller(gateway);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([receiver.close(), neighbour.close(), control.close()]);
});
afterEach(() => {
  for (const one of [receiver, neighbour, control]) one.answer((_request, response) => response.end('ok'));
});

const newSeller = (at: TestGateway = gateway): Promise<Seller> => newSellerAt(at);

interface Registered {
  readonly id: string;
  readonly secret: string;
}

async function register(
  { apiKey }: Pick<Seller, 'apiKey'>,
  url: string,
  eventType = 'TRANSACTION',
  at: TestGateway = gateway,
): Promise<Registered> {
  const answer = await at.post('/webhooks', { url, eventType }, { apiKey });
  expect(answer.status).toBe(201);
  return answer.body.data;
}

/** A charge that is paid, so that something is to tell. */
async function paidCharge(
  { apiKey }: Pick<Seller, 'apiKey'>,
  changes: Readonly<Record<string, unknown>> = {},
  at: TestGateway = gateway,
): Promise<string> {
  const created = await at.charge(changes, { apiKey });
  expect(created.status).toBe(201);
  const paid = await pay(String(created.body.data.id), { apiKey }, at);
  expect(paid.status).toBe(200);
  return String(created.body.data.id);
}

const pay = (id: string, { apiKey }: Pick<Seller, 'apiKey'>, at: TestGateway = gateway): Promise<Answer> =>
  at.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey });

async function controlSeller(at: TestGateway): Promise<string> {
  const seller = await newSeller(at);
  await register(seller, control.url, 'ALL', at);
  return seller.apiKey;
}

/** Resolves when a worker has looked for due deliveries after this call: it has made one that is due now. */
async function workerHasLooked(at: TestGateway = gateway, apiKey = controlKey): Promise<void> {
  const id = await paidCharge({ apiKey }, {}, at);
  await vi.waitFor(() => expect(callsOf(control, id)).toHaveLength(1), { timeout: 10_000, interval: 10 });
}

const callsOf = (one: Receiver, id: string): readonly Received[] =>
  one.received.filter((call) => call.body.data.id === id);

async function waitForCalls(one: Receiver, id: string, calls: number): Promise<readonly Received[]> {
  await vi.waitFor(() => expect(callsOf(one, id).length).toBeGreaterThanOrEqual(calls), {
    timeout: 10_000,
    interval: 10,
  });
  return callsOf(one, id);
}

interface DeliveryRow {
  id: string;
  event_id: string;
  webhook_id: string | null;
  url: string;
  status: string;
  attempts: number;
  due_at: Date;
  lease_until: Date | null;
}

function deliveriesOf(id: string, at: TestGateway = gateway): Promise<readonly DeliveryRow[]> {
  return at.database.query<DeliveryRow>(
    `SELECT d.id, d.event_id, d.webhook_id, d.url, d.status, d.attempts, d.due_at, d.lease_until
     FROM deliveries d JOIN events e ON e.seller_id = d.seller_id AND e.id = d.event_id WHERE e.record_id = $1`,
    [id],
  );
}

interface AttemptRow {
  number: number;
  at: Date;
  latency_ms: number;
  status_code: number | null;
  response_body: string | null;
  error: string | null;
}

function attemptsOf(
  ids: string | readonly string[],
  at: TestGateway = gateway,
): Promise<readonly AttemptRow[]> {
  return at.database.query<AttemptRow>(
    `SELECT a.number, a.at, a.latency_ms, a.status_code, a.response_body, a.error FROM delivery_attempts a
     JOIN deliveries d ON d.seller_id = a.seller_id AND d.id = a.delivery_id
     JOIN events e ON e.seller_id = d.seller_id AND e.id = d.event_id
     WHERE e.record_id = ANY ($1) ORDER BY a.number`,
    [[ids].flat()],
  );
}

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

async function postbackSecret({ apiKey }: Seller): Promise<string> {
  return String((await gateway.get('/webhooks/postback-secret', { apiKey })).body.data.secret);
}

const portOf = (one: Receiver): string => new URL(one.url).port;

const pathOf = (response: ServerResponse): string => response.req.url ?? '';

function headersOf(call: Received | undefined): Record<string, string> {
  const headers = call?.headers ?? {};
  return Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  );
}

/** What `standardwebhooks` makes of a call, or the error it throws. */
const verified = (secret: string, call: Received | undefined) =>
  new Webhook(secret).verify(call?.text ?? '', headersOf(call));

/** Whether the call's signature is right for the time it names, whenever that is. */
function rightlySigned(secret: string, call: Received): boolean {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = headersOf(call);
  return new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), call.text) === signature;
}

/** A process that delivers for a gateway that has no worker of its own. */
async function startWorker(at: TestGateway): Promise<Gateway> {
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: join(tmpdir(), 'gateway-second-node'),
    DATABASE_URL: at.database.url,
    MODE: 'sandbox',
    LOG_LEVEL: 'silent',
    ...SECRETS,
  });
  return startGateway({
    config,
    databaseUrl: at.database.url,
    log: createLogger('silent'),
    api: false,
    worker: true,
    receiverAuthorities: authorities,
  });
}

describe('what is sent', () => {
  it('is the event, signed so that standardwebhooks verifies it (C12)', async () => {
    const seller = await newSeller();
    const { secret } = await register(seller, receiver.url);
    const other = await register(await newSeller(), neighbour.url);
    const id = await paidCharge(seller, {
      metadata: { order: 'A1', n: 1.5 },
      customer: {
        name: 'Ana Souza',
        email: 'ana@example.com',
        phone: '11987654321',
        documentType: 'CPF',
        document: '52998224725',
        externalRef: 'cliente-7',
      },
    });
    const [call] = await waitForCalls(receiver, id, 1);
    const { paidAt } = (await gateway.get(`/transactions/${id}`, { apiKey: seller.apiKey })).body.data;
    const event = {
      event: 'TRANSACTION_UPDATED',
      data: {
        id,
        externalRef: 'cliente-7',
        status: 'PAID',
        amount: 1500,
        netAmount: 1485,
        feeAmount: 15,
        method: 'PIX',
        paidAt,
        metadata: { order: 'A1', n: 1.5 },
      },
    };
    expect(call?.body).toEqual(event);
    expect(verified(secret, call)).toEqual(event);
    expect(() => verified(other.secret, call)).toThrow('No matching signature found');
    const tampered = call && { ...call, text: call.text.replace('1500', '9500') };
    expect(() => verified(secret, tampered)).toThrow('No matching signature found');

    expect(call?.headers['content-type']).toMatch(/^application\/json/);
    expect(call?.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(Math.abs(Number(call?.headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);
    const [delivery] = await deliveriesOf(id);
    expect(call?.headers['webhook-id']).toBe(delivery?.event_id);
  });

  it('leaves within 100 ms of the commit when little else happens (C12)', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    const delays: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      const id = await paidCharge(seller);
      // Answered as soon as it is committed.
      const answered = Date.now();
      const [call] = await waitForCalls(receiver, id, 1);
      delays.push((call?.at ?? Number.NaN) - answered);
    }
    expect(delays.toSorted((a, b) => a - b)[7]).toBeLessThan(100);
  });

  it("to a charge's postbackUrl is signed with the seller's postback secret (C12)", async () => {
    const [seller, other] = [await newSeller(), await newSeller()];
    const id = await paidCharge(seller, { postbackUrl: receiver.url });
    const [call] = await waitForCalls(receiver, id, 1);
    expect(verified(await postbackSecret(seller), call)).toMatchObject({ data: { id, status: 'PAID' } });
    await expect(postbackSecret(other).then((secret) => verified(secret, call))).rejects.toThrow(
      'No matching signature',
    );
    const rows = await deliveriesOf(id);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ webhook_id: null, url: receiver.url });
  });

  it('goes to the webhooks and to the postbackUrl too (C12)', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    const id = await paidCharge(seller, { postbackUrl: neighbour.url });
    const [byWebhook] = await waitForCalls(receiver, id, 1);
    const [byPostback] = await waitForCalls(neighbour, id, 1);
    expect(byPostback?.text).toBe(byWebhook?.text);
  });

  it.each(['pay', 'fail', 'refuse', 'processing'])('tells of %s (C12)', async (action) => {
    const seller = await newSeller();
    const { secret } = await register(seller, receiver.url);
    const { id } = (await gateway.charge({}, seller)).body.data;
    const played = await gateway.post(`/sandbox/transactions/${id}/${action}`, undefined, seller);
    const { status, paidAt } = played.body.data;
    const [call] = await waitForCalls(receiver, String(id), 1);
    expect(verified(secret, call)).toMatchObject({
      event: 'TRANSACTION_UPDATED',
      data: { id, status, paidAt },
    });
  });

  it('has an id of its own for each change, the same at all receivers of it (C12)', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    await register(seller, neighbour.url, 'ALL');
    const { id } = (await gateway.charge({}, seller)).body.data;
    await gateway.post(`/sandbox/transactions/${id}/processing`, undefined, seller);
    await pay(String(id), seller);
    const ids = async (one: Receiver) =>
      (await waitForCalls(one, String(id), 2)).map((call) => String(call.headers['webhook-id'])).toSorted();
    const here = await ids(receiver);
    expect(new Set(here).size).toBe(2);
    expect(await ids(neighbour)).toEqual(here);
  });

  it('goes to those that asked for it: not to WITHDRAWAL or DISPUTE (C12)', async () => {
    const seller = await newSeller();
    const wanted = {
      TRANSACTION: await register(seller, `${receiver.url}/t`, 'TRANSACTION'),
      ALL: await register(seller, `${receiver.url}/a`, 'ALL'),
    };
    await register(seller, `${receiver.url}/w`, 'WITHDRAWAL');
    await register(seller, `${receiver.url}/d`, 'DISPUTE');
    const id = await paidCharge(seller);
    const rows = await deliveriesOf(id);
    expect(rows.map((row) => String(row.webhook_id)).toSorted()).toEqual(
      [wanted.TRANSACTION.id, wanted.ALL.id].toSorted(),
    );
    await waitForCalls(receiver, id, 2);
    await workerHasLooked();
    expect(callsOf(receiver, id)).toHaveLength(2);
  });

  it("stays within the seller: another one's webhook hears nothing (C12)", async () => {
    const [seller, other] = [await newSeller(), await newSeller()];
    await register(seller, receiver.url);
    await register(other, neighbour.url, 'ALL');
    const id = await paidCharge(seller);
    await waitForCalls(receiver, id, 1);
    expect((await deliveriesOf(id)).map((row) => row.url)).toEqual([receiver.url]);
    expect(callsOf(neighbour, id)).toEqual([]);
  });

  it('is nothing at a creation alone (C12)', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url, 'ALL');
    const { id } = (await gateway.charge({ postbackUrl: neighbour.url }, seller)).body.data;
    const rows = await gateway.database.query('SELECT id FROM events WHERE record_id = $1', [id]);
    expect(rows).toEqual([]);
    await workerHasLooked();
    expect(callsOf(receiver, String(id))).toEqual([]);
    expect(callsOf(neighbour, String(id))).toEqual([]);
  });

  it('holds nothing personal, no code and no secret (C7, C12)', async () => {
    const seller = await newSeller();
    const { secret } = await register(seller, receiver.url);
    const customer = {
      name: 'Benedita Particular',
      email: 'benedita@privado.example',
      phone: '21998765432',
      documentType: 'CPF',
      document: '39053344705',
    };
    const id = await paidCharge(seller, { customer, description: 'segredo da compra' });
    const [call] = await waitForCalls(receiver, id, 1);
    const sent = `${call?.text} ${JSON.stringify(call?.headers)}`;
    for (const personal of [
      'Benedita',
      customer.email,
      customer.phone,
      customer.document,
      '390.533.447',
      '533.447',
      'segredo',
      'br.gov.bcb.pix',
      seller.apiKey,
      secret,
      '11222333000181',
    ]) {
      expect(sent).not.toContain(personal);
    }
  });
});

describe('events and deliveries', () => {
  it('are in the database when the change is answered (C12)', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    await register(seller, `${receiver.url}/2`, 'ALL');
    for (let round = 0; round < 10; round += 1) {
      const id = await paidCharge(seller, { postbackUrl: neighbour.url });
      const events = await gateway.database.query<{ payload: string; type: string }>(
        'SELECT payload, type FROM events WHERE record_id = $1',
        [id],
      );
      expect(events.map((event) => event.type)).toEqual(['TRANSACTION_UPDATED']);
      expect(JSON.parse(events[0]?.payload ?? '')).toMatchObject({ data: { id, status: 'PAID' } });
      expect(await deliveriesOf(id)).toHaveLength(3);
    }
  });

  it('are written with the change or not at all (C9, C12)', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    const { id } = (await gateway.charge({}, seller)).body.data;
    await gateway.database.query('ALTER TABLE deliveries RENAME TO gone');
    try {
      expect((await pay(String(id), seller)).status).toBe(500);
    } finally {
      await gateway.database.query('ALTER TABLE gone RENAME TO deliveries');
    }
    const read = await gateway.get(`/transactions/${id}`, seller);
    expect(read.body.data).toMatchObject({ status: 'PENDING', paidAt: null });
    expect((await gateway.get('/seller-wallet/gestao', seller)).body.data.totalBalance).toBe(0);
    expect(await gateway.database.query('SELECT id FROM events WHERE record_id = $1', [id])).toEqual([]);
    expect((await pay(String(id), seller)).status).toBe(200);
    await waitForCalls(receiver, String(id), 1);
    expect(await deliveriesOf(String(id))).toHaveLength(1);
  });
});

describe('attempts', () => {
  /** Seconds from the end of one attempt to the next; after the fifth there is none. */
  const DELAYS = [30, 120, 600, 3600];

  it('are five, after 0 s, 30 s, 2 min, 10 min and 1 h, never early, and then the delivery has FAILED (C12)', async () => {
    const seller = await newSeller();
    const { secret } = await register(seller, receiver.url);
    receiver.answer((request, response) => {
      response.statusCode = 500;
      // The first answer takes its time, so that a stale timestamp would show on the second attempt.
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
      await workerHasLooked();
      expect(callsOf(receiver, id)).toHaveLength(made);
      expect(await deliveriesOf(id)).toMatchObject([{ attempts: made, lease_until: null }]);
      await gateway.advance(15);
      await waitForCalls(receiver, id, made + 1);
    }
    expect(await waitForAttempts(id, 5)).toMatchObject({ status: 'FAILED' });
    expect((await attemptsOf(id)).map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5]);

    await gateway.advance(24 * 3600);
    await workerHasLooked();
    const calls = callsOf(receiver, id);
    expect(calls).toHaveLength(5);
    // One event: the same id and body each time, and a timestamp and signature of the attempt's own.
    expect(new Set(calls.map((call) => call.headers['webhook-id'])).size).toBe(1);
    expect(new Set(calls.map((call) => call.text)).size).toBe(1);
    for (const call of calls) expect(rightlySigned(secret, call)).toBe(true);
    const timestamps = calls.map((call) => Number(call.headers['webhook-timestamp']));
    expect(timestamps.toSorted((a, b) => a - b)).toEqual(timestamps);
    expect(timestamps[1]).toBeGreaterThan(timestamps[0] ?? 0);
  });

  it('are accepted by the library of a receiver whose clock nobody moved (C12, C14)', async () => {
    const seller = await newSeller();
    const { secret } = await register(seller, receiver.url);
    await gateway.advance(3600);
    const id = await paidCharge(seller);
    const [call] = await waitForCalls(receiver, id, 1);
    // Receivers live in the world's time: a timestamp hours ahead is refused as forged.
    expect(verified(secret, call)).toMatchObject({ data: { id } });
  });

  it('end with the first success (C12)', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    receiver.answer((request, response) => {
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
    await workerHasLooked();
    expect(callsOf(receiver, id)).toHaveLength(3);
    expect((await attemptsOf(id)).map((attempt) => attempt.status_code)).toEqual([503, 503, 204]);
  });

  it.each([200, 201, 202, 204, 299])('succeed with %i (C12)', async (statusCode) => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    receiver.answer((_request, response) => {
      response.statusCode = statusCode;
      response.end();
    });
    const id = await paidCharge(seller);
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'DELIVERED' });
    expect(await attemptsOf(id)).toMatchObject([{ status_code: statusCode, error: null }]);
  });

  it.each([304, 400, 401, 404, 429, 500, 503])(
    'fail with %i and are made again (C12)',
    async (statusCode) => {
      const seller = await newSeller();
      await register(seller, receiver.url);
      receiver.answer((_request, response) => {
        response.statusCode = statusCode;
        response.end();
      });
      const id = await paidCharge(seller);
      expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'PENDING' });
      expect(await attemptsOf(id)).toMatchObject([{ status_code: statusCode, error: expect.any(String) }]);
    },
  );

  it('fail where the receiver breaks off (C12)', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    receiver.answer((_request, response) => response.destroy());
    const id = await paidCharge(seller);
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'PENDING' });
    expect(await attemptsOf(id)).toMatchObject([{ status_code: null, error: expect.any(String) }]);
  });

  it('fail where nobody listens (C12)', async () => {
    const seller = await newSeller();
    await register(seller, `https://localhost:${await freePort()}/hook`);
    const id = await paidCharge(seller);
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'PENDING' });
    expect(await attemptsOf(id)).toMatchObject([{ status_code: null, error: expect.any(String) }]);
  });

  it.each([301, 302, 303, 307, 308])('do not follow a redirect with %i (C12)', async (statusCode) => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    receiver.answer((_request, response) => {
      response.writeHead(statusCode, { location: neighbour.url }).end();
    });
    const id = await paidCharge(seller);
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'PENDING' });
    expect(await attemptsOf(id)).toMatchObject([{ status_code: statusCode }]);
    expect(callsOf(receiver, id)).toHaveLength(1);
    expect(callsOf(neighbour, id)).toHaveLength(0);
  });

  it('keep status, latency and the first KiB of the answer (C12)', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    const long = 'á'.repeat(5_000);
    receiver.answer((_request, response) => {
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

  it('end when the webhook is deleted (C12)', async () => {
    const seller = await newSeller();
    const { id: webhookId } = await register(seller, receiver.url);
    receiver.answer((_request, response) => response.writeHead(500).end());
    const id = await paidCharge(seller);
    await waitForAttempts(id, 1);
    expect((await gateway.delete(`/webhooks/${webhookId}`, seller)).status).toBe(200);
    await gateway.advance(31);
    await workerHasLooked();
    expect(callsOf(receiver, id)).toHaveLength(1);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'FAILED', attempts: 1 }]);
  });

  it('are not made a second time while the first is under way, however the clock moves (C12, C14)', async () => {
    const seller = await newSeller();
    await register(seller, receiver.url);
    const open: ServerResponse[] = [];
    receiver.answer((_request, response) => open.push(response));
    const id = await paidCharge(seller);
    await waitForCalls(receiver, id, 1);
    await gateway.advance(60);
    await workerHasLooked();
    const calls = callsOf(receiver, id).length;
    for (const response of open) response.end('ok');
    expect(await waitForAttempts(id, 1)).toMatchObject({ status: 'DELIVERED' });
    expect(calls).toBe(1);
  });
});

describe('a receiver that hangs', () => {
  it('delays no other receiver, and each call of it ends after 15 s (C12)', { timeout: 60_000 }, async () => {
    const hung = await newSeller();
    const healthy = await newSeller();
    await register(hung, neighbour.url);
    await register(healthy, receiver.url);
    neighbour.answer(() => undefined);
    const before = neighbour.received.length;
    const hanging = await Promise.all(Array.from({ length: 30 }, () => paidCharge(hung)));
    await vi.waitFor(() => expect(neighbour.received.length).toBeGreaterThan(before), { timeout: 5_000 });
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
    // The rest of the thirty need not wait for fifteen seconds each.
    neighbour.answer((_request, response) => response.end('ok'));
    for (const attempt of first) {
      expect(attempt).toMatchObject({ status_code: null, error: expect.stringMatching(/15 s/) });
      expect(attempt.latency_ms).toBeGreaterThanOrEqual(14_900);
      expect(attempt.latency_ms).toBeLessThan(17_000);
    }
  });

  it.each(['webhook', 'postbackUrl'])(
    "delays no other receiver at the same host: not another seller's %s (C12)",
    async (kind) => {
      const [hung, healthy] = [await newSeller(), await newSeller()];
      // Each at a host of its own: what hangs for one still hangs for the next.
      const host = kind === 'webhook' ? receiver : neighbour;
      const hangs = `${host.url}/${kind}/hangs`;
      const answers = `${host.url}/${kind}/answers`;
      if (kind === 'webhook') {
        await register(hung, hangs);
        await register(healthy, answers);
      }
      const postback = (postbackUrl: string) => (kind === 'webhook' ? {} : { postbackUrl });
      host.answer((_request, response) => {
        if (pathOf(response).endsWith('/answers')) response.end('ok');
      });
      const before = host.received.length;
      await Promise.all(Array.from({ length: 30 }, () => paidCharge(hung, postback(hangs))));
      await vi.waitFor(() => expect(host.received.length).toBeGreaterThan(before), { timeout: 5_000 });
      const id = await paidCharge(healthy, postback(answers));
      await vi.waitFor(() => expect(callsOf(host, id)).toHaveLength(1), {
        timeout: AT_ONCE_MS,
        interval: 10,
      });
    },
  );

  it('delays no other receiver, even as one of forty that hang (C12)', async () => {
    const crowded = await startTestGateway({ receiverAuthorities: authorities });
    try {
      const healthy = await newSeller(crowded);
      await register(healthy, receiver.url, 'ALL', crowded);
      neighbour.answer(() => undefined);
      for (let seller = 0; seller < 2; seller += 1) {
        const hung = await newSeller(crowded);
        for (let index = 0; index < 20; index += 1) {
          await register(hung, `${neighbour.url}/${index}`, 'ALL', crowded);
        }
        await Promise.all(Array.from({ length: 10 }, () => paidCharge(hung, {}, crowded)));
      }
      // They have taken all they can get.
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

describe('several workers', () => {
  let idle: TestGateway;
  let seller: Seller;
  let idleControl: string;
  const running: Gateway[] = [];
  beforeAll(async () => {
    idle = await startTestGateway({ worker: false, environment: SECRETS });
    seller = await newSeller(idle);
    await register(seller, receiver.url, 'TRANSACTION', idle);
    idleControl = await controlSeller(idle);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((worker) => worker.stop()));
  });
  afterAll(async () => {
    await idle.stop();
  });

  async function work(): Promise<Gateway> {
    const worker = await startWorker(idle);
    running.push(worker);
    return worker;
  }

  it('make each delivery once (C12)', async () => {
    const ids = await Promise.all(Array.from({ length: 150 }, () => paidCharge(seller, {}, idle)));
    await Promise.all([work(), work(), work()]);
    await vi.waitFor(
      async () => {
        const rows = await idle.database.query("SELECT id FROM deliveries WHERE status <> 'DELIVERED'");
        expect(rows).toEqual([]);
      },
      { timeout: 15_000, interval: 50 },
    );
    for (const id of ids) expect(callsOf(receiver, id)).toHaveLength(1);
  });

  it('leave what another one holds, and take it when its lease has ended (C12)', async () => {
    const id = await paidCharge(seller, {}, idle);
    // As a worker leaves it that died in the middle of its call.
    await idle.database.query(
      `UPDATE deliveries SET lease_until = due_at + interval '60 seconds' WHERE status = 'PENDING'`,
    );
    await work();
    await workerHasLooked(idle, idleControl);
    expect(callsOf(receiver, id)).toHaveLength(0);
    await idle.advance(45);
    await workerHasLooked(idle, idleControl);
    expect(callsOf(receiver, id)).toHaveLength(0);
    await idle.advance(20);
    await waitForCalls(receiver, id, 1);
    await vi.waitFor(async () =>
      expect(await deliveriesOf(id, idle)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]),
    );
  });

  it('take over from one that was killed in the middle of a call (C12)', async () => {
    receiver.answer(() => undefined);
    const id = await paidCharge(seller, {}, idle);
    const directory = await mkdtemp(join(tmpdir(), 'gateway-worker-'));
    try {
      const authority = join(directory, 'authorities.pem');
      await writeFile(authority, authorities);
      const killed = run(['worker'], {
        NODE_EXTRA_CA_CERTS: authority,
        DATA_DIR: directory,
        DATABASE_URL: idle.database.url,
        MODE: 'sandbox',
        LOG_LEVEL: 'silent',
        ...SECRETS,
      });
      await waitForCalls(receiver, id, 1);
      killed.signal('SIGKILL');
      await killed.exit();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    receiver.answer((_request, response) => response.end('ok'));
    expect(await deliveriesOf(id, idle)).toMatchObject([
      { status: 'PENDING', attempts: 0, lease_until: expect.any(Date) },
    ]);
    await work();
    await workerHasLooked(idle, idleControl);
    expect(callsOf(receiver, id)).toHaveLength(1);
    await idle.advance(31);
    const calls = await waitForCalls(receiver, id, 2);
    expect(calls[1]?.headers['webhook-id']).toBe(calls[0]?.headers['webhook-id']);
    await vi.waitFor(async () =>
      expect(await deliveriesOf(id, idle)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]),
    );
  });

  it('give back what they hold when they stop, and count no attempt of it (C12)', async () => {
    receiver.answer(() => undefined);
    const worker = await work();
    const id = await paidCharge(seller, {}, idle);
    await waitForCalls(receiver, id, 1);
    const started = Date.now();
    await worker.stop();
    running.splice(0);
    expect(Date.now() - started).toBeLessThan(4_500);
    expect(await deliveriesOf(id, idle)).toMatchObject([
      { status: 'PENDING', attempts: 0, lease_until: null },
    ]);
    expect(await attemptsOf(id, idle)).toEqual([]);
    receiver.answer((_request, response) => response.end('ok'));
    await work();
    await waitForCalls(receiver, id, 2);
  });
});

/** A name of this machine that leads to an address which is not public; hardly any machine lacks one. */
const privateName = await (async () => {
  const found = await dns.lookup(hostname(), { all: true }).catch(() => []);
  const usable = /^[a-z0-9.-]+$/i.test(hostname()) && !hostname().endsWith('localhost');
  return usable && found.some(({ address }) => !isAddressAllowed(address, { allowPrivate: false }));
})();

describe('addresses that are not public', () => {
  let strict: TestGateway;
  beforeAll(async () => {
    strict = await startTestGateway({
      receiverAuthorities: authorities,
      environment: { ...SECRETS, WEBHOOK_ALLOW_PRIVATE: 'false' },
    });
  });
  afterAll(async () => {
    await strict.stop();
  });

  async function expectRefused(id: string): Promise<void> {
    const [attempt] = await vi.waitFor(
      async () => {
        const rows = await attemptsOf(id, strict);
        expect(rows).toHaveLength(1);
        return rows;
      },
      { timeout: 5_000 },
    );
    expect(attempt).toMatchObject({
      status_code: null,
      response_body: null,
      error: expect.stringMatching(/not public/),
    });
    // The error is for the seller: it must not tell what the name leads to.
    expect(attempt?.error).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/);
    expect(await deliveriesOf(id, strict)).toMatchObject([{ status: 'PENDING', attempts: 1 }]);
    expect(callsOf(receiver, id)).toEqual([]);
  }

  it('are not called for a postbackUrl that names one (C12)', async () => {
    const seller = await newSeller(strict);
    const id = await paidCharge(seller, { postbackUrl: receiver.url }, strict);
    await expectRefused(id);
    expect(callsOf(receiver, id)).toEqual([]);
  });

  it('are not called though a registration names one (C12)', async () => {
    const seller = await newSeller(strict);
    await register(seller, 'https://93.184.215.14/hook', 'ALL', strict);
    await strict.database.query('UPDATE webhooks SET url = $2 WHERE seller_id = $1', [
      seller.id,
      `https://127.0.0.1:${portOf(receiver)}/hook`,
    ]);
    const id = await paidCharge(seller, {}, strict);
    await expectRefused(id);
    expect(callsOf(receiver, id)).toEqual([]);
  });

  it.runIf(privateName)('are not called by a name that leads there (C12)', async () => {
    const seller = await newSeller(strict);
    await register(seller, `https://${hostname()}:${portOf(receiver)}/hook`, 'ALL', strict);
    const id = await paidCharge(seller, {}, strict);
    await expectRefused(id);
    expect(callsOf(receiver, id)).toEqual([]);
  });
});
