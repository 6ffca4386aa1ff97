import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { goodCharge, type Client } from '#test/support/client.ts';
import { startFakePsp, txidOf, type FakePsp, type Misbehaviour } from '#test/support/fake-psp.ts';
import { queryEmbedded, startAfterKill } from '#test/support/killed-process.ts';
import { makePlace, sleep, type Place, type Program } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const SOON = { timeout: 40_000, interval: 100 };
/** A restarted process resumes the operations of a killed one within this time. */
const TAKEN_UP = { timeout: 15_000, interval: 100 };
/** The demo seller's. */
const AMOUNT = 1500;

let psp: FakePsp;
let place: Place;
let program: Program;
/** What the PSP had when the program was killed. */
let cobsAtKill: ReadonlySet<string> = new Set();

beforeAll(async () => {
  psp = await startFakePsp();
  place = await makePlace({ PIX_PROVIDER: 'bacen', ...psp.environment() });
  program = await place.start();
});
afterAll(async () => {
  await program.end();
  await place.remove();
  await psp.close();
});

const query = <Row extends object>(text: string) => queryEmbedded<Row>(place, text);

/** The killed process never gets a response. */
const unanswered = (call: Promise<unknown>): Promise<unknown> => call.catch(() => undefined);

/** Until the program makes no requests by itself: later requests belong to the charge. */
async function untilListsAreRead(): Promise<void> {
  for (let calls = -1; calls !== psp.calls.length;) {
    calls = psp.calls.length;
    await sleep(2_500);
  }
}

/** Kills every process and starts again on the data that is left. */
async function killAndStart(start = startAfterKill): Promise<Client> {
  await program.killAll();
  cobsAtKill = new Set(psp.cobs.keys());
  psp.behave();
  program = await start(place);
  return program.client;
}

/** The leases of the killed process end when its heartbeat has been missing for ten seconds. */
const startAtOnce = (): Promise<Program> => place.start();

const LEASE_SECONDS = 60;

/**
 * Moves the clock past the lease that the killed process held, so that the next one takes its work.
 */
async function expireLease(): Promise<void> {
  const { body } = await program.client.post('/login', program.demo.admin, { credential: 'none' });
  const moved = await program.client.post(
    '/sandbox/clock',
    { advanceSeconds: LEASE_SECONDS + 1 },
    { token: String(body.accessToken) },
  );
  expect(moved.status).toBe(200);
}

/**
 * The points at which the process dies: how the PSP keeps it waiting there, and what the PSP has of
 * it then.
 */
const POINTS: readonly (readonly [string, string, Misbehaviour, boolean])[] = [
  ['before the call is sent', 'POST /token', { kind: 'hang' }, false],
  ['during the call', '', { kind: 'hang' }, false],
  ['after the provider has executed it', '', { kind: 'hang-after' }, true],
];

it.each(POINTS)(
  'creates a transaction once at the provider when killed %s',
  async (_when, what, how, isDone) => {
    const before = psp.calls.length;
    const waitsFor = what === '' ? 'PUT /cob' : what;
    if (what !== '') {
      await untilListsAreRead();
      psp.revokeTokens();
    }
    const waiting = psp.countOf(waitsFor);
    psp.misbehave(waitsFor, how, 100);
    // A valid token would be used without requesting another.
    if (what !== '') psp.misbehave('PUT /cob', { kind: 'respond', status: 401 }, 100);
    const idempotencyKey = randomUUID();
    const call = unanswered(program.client.charge({}, { idempotencyKey }));
    await vi.waitFor(() => expect(psp.countOf(waitsFor)).toBeGreaterThan(waiting), SOON);
    const client = await killAndStart();
    await call;

    const rows = await query<{ id: string; status: string }>(
      `SELECT t.id, t.status FROM transactions t JOIN idempotency_keys k ON k.record_id = t.id
        WHERE k.key = '${idempotencyKey}'`,
    );
    expect(rows).toMatchObject([{ status: 'PENDING' }]);
    const id = rows[0]?.id ?? '';
    expect(cobsAtKill.has(txidOf(id))).toBe(isDone);
    await expireLease();
    const again = await client.charge({}, { idempotencyKey });
    expect(again.body.data).toMatchObject({ id, status: 'PENDING' });
    const found = async () => (await client.get(`/transactions/${id}`)).body.data;
    await vi.waitFor(async () => expect((await found()).pix?.copyPaste).toContain(txidOf(id)), SOON);
    expect((await found()).status).toBe('PENDING');
    expect(psp.cobs.get(txidOf(id))?.status).toBe('ATIVA');
    // If the provider executed it, it is queried and not created again.
    const made = psp.calls
      .slice(before)
      .filter(({ method, path }) => method === 'PUT' && path.endsWith(txidOf(id)));
    expect(made.length).toBeLessThanOrEqual(isDone ? 1 : 3);
    expect(await query("SELECT id FROM transactions WHERE id = '" + id + "'")).toHaveLength(1);
  },
);

const REFUND_POINTS = POINTS.slice(1);

it.each(REFUND_POINTS)('refunds once when killed %s', async (_when, _what, how, isDone) => {
  const made = await program.client.call('POST', '/transactions', goodCharge(), {
    idempotencyKey: randomUUID(),
  });
  const id = String(made.body.data.id);
  const pix = psp.pay(txidOf(id), (AMOUNT / 100).toFixed(2));
  expect((await psp.callBack(program.baseUrl.replace('/v1', ''), [pix])).status).toBe(200);
  const idempotencyKey = randomUUID();
  const waiting = psp.countOf('PUT /pix/');
  psp.misbehave('PUT /pix/', how, 100);
  const refund = (client: Client) =>
    client.post(`/transactions/${id}/refund`, { amount: 400 }, { idempotencyKey });
  expect((await refund(program.client)).status).toBe(200);
  await vi.waitFor(() => expect(psp.countOf('PUT /pix/')).toBeGreaterThan(waiting), SOON);
  const client = await killAndStart(isDone ? startAfterKill : startAtOnce);

  expect(pix.devolucoes).toHaveLength(isDone ? 1 : 0);
  const found = async () => (await client.get(`/transactions/${id}`)).body.data;
  expect(await found()).toMatchObject({ status: 'PAID', refundedAmount: 0 });
  expect((await refund(client)).status).toBe(200);
  await vi.waitFor(async () => expect((await found()).refundedAmount).toBe(400), TAKEN_UP);
  expect(pix.devolucoes.map(({ valor }) => valor)).toEqual(['4.00']);
  expect(await query(`SELECT id FROM refunds WHERE transaction_id = '${id}'`)).toHaveLength(1);
});

it('resumes a committed refund after the process is killed before the provider call', async () => {
  const made = await program.client.charge();
  const id = String(made.body.data.id);
  const pix = psp.pay(txidOf(id), (AMOUNT / 100).toFixed(2));
  const origin = program.baseUrl.replace('/v1', '');
  expect((await psp.callBack(origin, [pix])).status).toBe(200);
  await psp.away();
  expect(
    (await program.client.post(`/transactions/${id}/refund`, {}, { idempotencyKey: randomUUID() })).status,
  ).toBe(200);
  await program.killAll();
  await psp.back();
  program = await place.start();
  const found = async () => (await program.client.get(`/transactions/${id}`)).body.data;
  await vi.waitFor(async () => expect((await found()).status).toBe('REFUNDED'), SOON);
  expect(pix.devolucoes.map(({ valor }) => valor)).toEqual(['15.00']);
  const admin = await program.client.post('/login', program.demo.admin, { credential: 'none' });
  const check = await program.client.get('/admin/ledger/check', { token: String(admin.body.accessToken) });
  expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
});
