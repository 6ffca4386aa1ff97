import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { OUT_OF_SERVICE, startFakePsp, txidOf, type FakePsp } from '#test/support/fake-psp.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';

vi.setConfig({ testTimeout: 60_000 });

const SOON = { timeout: 30_000, interval: 50 };

let first: FakePsp;
let second: FakePsp;
beforeAll(async () => {
  [first, second] = await Promise.all([startFakePsp(), startFakePsp()]);
});
afterAll(() => Promise.all([first.close(), second.close()]));
afterEach(() => {
  first.behave();
  second.behave();
});

let gateway: TestGateway;
let operator: Operator;
// Each test has a separate gateway: failures in one test must not exclude a provider in the next.
beforeEach(async () => {
  gateway = await startTestGateway({
    environment: {
      PIX_PROVIDER: 'bacen,bacen2',
      ...first.environment(),
      ...second.environment('BACEN2'),
    },
  });
  operator = await operatorOf(gateway);
});
afterEach(() => gateway.stop());

const made = async () => (await gateway.charge()).body.data;
const found = async (id: string) => (await gateway.get(`/transactions/${id}`)).body.data;
const health = async (name: string) => {
  const { data } = await operator.read('/admin/providers');
  return data.find((one: { name: string }) => one.name === name);
};
/** The metric of a provider. */
const available = async (name: string) => {
  const text = await (await fetch(new URL('/metrics', gateway.baseUrl))).text();
  return new RegExp(`^provider_available{provider="${name}"} (.)$`, 'm').exec(text)?.[1];
};
const placesOf = (id: string) => [first.cobs.has(txidOf(id)), second.cobs.has(txidOf(id))];

describe('the selection between two providers', () => {
  it('tries the second one only if the first did not execute the request', async () => {
    expect(placesOf((await made()).id)).toEqual([true, false]);
    first.misbehave('PUT /cob', OUT_OF_SERVICE);
    expect(placesOf((await made()).id)).toEqual([false, true]);
    first.misbehave('PUT /cob', { kind: 'respond', status: 403 });
    expect(placesOf((await made()).id)).toEqual([false, true]);
    first.revokeTokens();
    first.misbehave('POST /token', { kind: 'respond', status: 500 }, 2);
    expect(placesOf((await made()).id)).toEqual([false, true]);
  });

  it('gives the second one separate callbacks and its own refunds', async () => {
    await first.away();
    const { id } = await made();
    await first.back();
    expect(placesOf(id)).toEqual([false, true]);
    const pix = second.pay(txidOf(id), '15.00');
    const origin = gateway.baseUrl.replace('/v1', '');
    expect((await second.callBack(origin, [pix])).status).toBe(404);
    expect((await second.callBack(origin, [pix], { name: 'bacen2' })).status).toBe(200);
    await gateway.post(`/transactions/${id}/refund`, {}, { idempotencyKey: randomUUID() });
    await vi.waitFor(async () => expect((await found(id)).status).toBe('REFUNDED'), SOON);
    expect(pix.devolucoes.map(({ valor }) => valor)).toEqual(['15.00']);
  });

  it.each([
    ['does not respond', { kind: 'hang-after' }],
    ['disconnects', { kind: 'cut-after' }],
    ['answers 500', { kind: 'respond-after', status: 500 }],
    ['answers 503 without an API error', { kind: 'respond-after', status: 503 }],
  ] as const)(
    'never tries the second one if the first accepted the request and then %s',
    async (_what, how) => {
      first.misbehave('PUT /cob', how);
      const { id, status } = await made();
      expect(status).toBe('PENDING');
      await vi.waitFor(async () => expect((await found(id)).pix).not.toBeNull(), SOON);
      expect(placesOf(id)).toEqual([true, false]);
      expect(second.countOf(`GET /cob/${txidOf(id)}`)).toBe(0);
    },
  );

  it('fails the transaction if neither executes the request, and a repeat returns the same', async () => {
    first.misbehave('PUT /cob', OUT_OF_SERVICE);
    second.misbehave('PUT /cob', OUT_OF_SERVICE);
    const idempotencyKey = randomUUID();
    const failed = await gateway.charge({}, { idempotencyKey });
    expect(failed.body.data.status).toBe('FAILED');
    const again = await gateway.charge({}, { idempotencyKey });
    expect(again.text).toBe(failed.text);
  });

  it('tries the second one after a lost response only if the first reports that it is unknown', async () => {
    first.misbehave('PUT /cob', { kind: 'cut' });
    first.misbehave('PUT /cob', OUT_OF_SERVICE);
    const { id } = await made();
    expect(placesOf(id)).toEqual([false, false]);
    await vi.waitFor(async () => expect((await found(id)).pix).not.toBeNull(), SOON);
    expect(placesOf(id)).toEqual([false, true]);
    expect(first.countOf(`GET /cob/${txidOf(id)}`)).toBeGreaterThan(0);
  });
});

const route = (path: string, method: 'PUT' | 'POST', body: object) =>
  gateway.call(method, `/admin/provider-routes/PIX${path}`, body, { token: operator.token });

describe('an operator', () => {
  it('orders and pauses providers while the gateway runs', async () => {
    expect((await route('', 'PUT', { providers: ['bacen2', 'bacen'] })).status).toBe(200);
    expect(placesOf((await made()).id)).toEqual([false, true]);
    await route('/pause', 'POST', { provider: 'bacen2', reason: 'Maintenance' });
    expect(placesOf((await made()).id)).toEqual([true, false]);
    first.misbehave('PUT /cob', OUT_OF_SERVICE);
    const failed = await made();
    expect([failed.status, ...placesOf(failed.id)]).toEqual(['FAILED', false, false]);
    await route('/resume', 'POST', { provider: 'bacen2' });
    await route('', 'PUT', { providers: null });
    expect(placesOf((await made()).id)).toEqual([true, false]);
  });

  it('does not have a lost request repeated at a paused provider', async () => {
    // Repetitions before the pause are lost too.
    first.misbehave('PUT /cob', { kind: 'cut' }, 3);
    const { id } = await made();
    await route('/pause', 'POST', { provider: 'bacen', reason: 'Maintenance' });
    await vi.waitFor(async () => expect((await found(id)).pix).not.toBeNull(), SOON);
    expect(placesOf(id)).toEqual([false, true]);
  });
});

describe('a failing provider', () => {
  it('is excluded, retried, and included again', async () => {
    await made();
    expect(await health('bacen')).toMatchObject({
      state: 'CLOSED',
      calls: 1,
      errorRate: 0,
      methods: ['PIX'],
    });
    await first.away();
    for (let calls = 0; calls < 5; calls += 1) expect(placesOf((await made()).id)).toEqual([false, true]);
    expect(await health('bacen')).toMatchObject({ state: 'OPEN', calls: 6, lastFailure: 'ECONNREFUSED' });
    expect((await health('bacen')).errorRate).toBeCloseTo(5 / 6);
    expect(await health('bacen2')).toMatchObject({ state: 'CLOSED', errorRate: 0 });
    expect([await available('bacen'), await available('bacen2')]).toEqual(['0', '1']);
    // Nothing calls a paused provider, so its circuit breaker stays open, which is no alarm.
    await route('/pause', 'POST', { provider: 'bacen', reason: 'Maintenance' });
    expect([(await health('bacen')).state, await available('bacen')]).toEqual(['OPEN', '1']);
    await route('/resume', 'POST', { provider: 'bacen' });
    expect(await available('bacen')).toBe('0');
    await first.back();
    // It is excluded: it gets no calls, although it would respond.
    expect(placesOf((await made()).id)).toEqual([false, true]);
    expect((await health('bacen')).calls).toBe(6);
    await vi.waitFor(async () => expect(placesOf((await made()).id)).toEqual([true, false]), {
      timeout: 45_000,
      interval: 1_000,
    });
    const back = await health('bacen');
    expect(back).toMatchObject({ state: 'CLOSED', calls: 7 });
    expect(new Date(back.lastSuccessAt).getTime()).toBeGreaterThan(new Date(back.lastFailureAt).getTime());
    expect(back.latencyP50).toBeGreaterThanOrEqual(0);
  });

  it('is visible to the operator only', async () => {
    expect((await gateway.get('/admin/providers')).status).toBe(403);
    expect((await gateway.get('/admin/providers', { credential: 'none' })).status).toBe(401);
    expect((await gateway.get('/admin/providers', { token: operator.token })).status).toBe(200);
  });
});
