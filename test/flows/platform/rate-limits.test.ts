import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { errorBody } from '#test/support/errors.ts';

const NO_CREDENTIAL: CallOptions = { credential: 'none' };
const PASSWORD = 'a long enough password';

let gateway: TestGateway;
let admin: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway();
  admin = { token: await gateway.adminToken() };
});
afterAll(async () => {
  await gateway.stop();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Rates {
  readonly requestsPerMinute?: number;
  readonly creationsPerMinute?: number;
}

interface TestSeller {
  readonly id: string;
  readonly email: string;
  readonly as: CallOptions;
}

/** A seller whose minute has not started, with the default limits except for the given ones. */
async function newSeller(rates: Rates = {}): Promise<TestSeller> {
  const email = `${randomUUID()}@example.com`;
  const made = await gateway.post(
    '/admin/sellers',
    {
      name: 'Loja Apressada',
      documentType: 'CPF',
      document: '52998224725',
      ownerName: 'Ana',
      ownerEmail: email,
      ownerPassword: PASSWORD,
    },
    admin,
  );
  const id: string = made.body.data.id;
  await setRates(id, rates);
  return { id, email, as: await newKey(id) };
}

async function setRates(sellerId: string, rates: Rates): Promise<void> {
  const changed = await gateway.patch(`/admin/sellers/${sellerId}`, rates, admin);
  expect(changed.status).toBe(200);
}

async function newKey(sellerId: string): Promise<CallOptions> {
  const made = await gateway.post(`/admin/sellers/${sellerId}/api-keys`, { name: 'test' }, admin);
  return { apiKey: made.body.data.key };
}

const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

const passed = (responses: readonly ApiResponse[]) => responses.filter((response) => response.status !== 429);
const refused = (responses: readonly ApiResponse[]) =>
  responses.filter((response) => response.status === 429);
const header = (response: ApiResponse, name: string): number =>
  Number(response.headers.get(name) ?? Number.NaN);

function expectRefusal(response: ApiResponse): void {
  expect(response.body).toEqual(errorBody('rate_limited'));
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  expect(header(response, 'retry-after')).toBeLessThanOrEqual(60);
  expect(header(response, 'ratelimit-remaining')).toBe(0);
}

function expectAllowance(response: ApiResponse, limit: number): void {
  expect(header(response, 'ratelimit-limit')).toBe(limit);
  expect(header(response, 'ratelimit-remaining')).toBeGreaterThanOrEqual(0);
  expect(header(response, 'ratelimit-remaining')).toBeLessThanOrEqual(limit);
  expect(response.headers.get('ratelimit-reset')).toMatch(/^[1-9]\d?$/);
  expect(header(response, 'ratelimit-reset')).toBeLessThanOrEqual(60);
}

describe('requests of a seller', () => {
  it('are allowed up to the configured limit when sent at once', async () => {
    const { as } = await newSeller({ requestsPerMinute: 7 });
    const responses = await times(40, () => gateway.get('/transactions', as));
    expect(passed(responses).map((response) => response.status)).toEqual(
      Array.from({ length: 7 }, () => 200),
    );
    expect(new Set(passed(responses).map((response) => header(response, 'ratelimit-remaining')))).toEqual(
      new Set([0, 1, 2, 3, 4, 5, 6]),
    );
    for (const response of responses) expectAllowance(response, 7);
    expect(refused(responses)).toHaveLength(33);
    for (const response of refused(responses)) expectRefusal(response);
  });

  it('are limited to 120 a minute by default', async () => {
    const { as } = await newSeller();
    const responses = await times(150, () => gateway.get('/seller-wallet/gestao', as));
    expect(passed(responses)).toHaveLength(120);
    for (const response of responses) expectAllowance(response, 120);
  });

  it('are counted across all its credentials', async () => {
    const { id, email, as } = await newSeller({ requestsPerMinute: 9 });
    const other = await newKey(id);
    const signedIn = await gateway.post('/login', { email, password: PASSWORD }, NO_CREDENTIAL);
    const token: CallOptions = { token: signedIn.body.accessToken };
    const responses = await times(30, (index) => {
      const options = [as, other, token][index % 3];
      return gateway.get('/transactions', options);
    });
    expect(passed(responses)).toHaveLength(9);
    for (const options of [as, other, token]) expectRefusal(await gateway.get('/webhooks', options));
  });

  it('are counted separately from other sellers', async () => {
    const [one, other] = [
      await newSeller({ requestsPerMinute: 2 }),
      await newSeller({ requestsPerMinute: 2 }),
    ];
    await times(5, () => gateway.get('/transactions', one.as));
    const responses = await times(5, () => gateway.get('/transactions', other.as));
    expect(passed(responses)).toHaveLength(2);
  });

  it('are allowed again as soon as the operator raises the limit', async () => {
    const { id, as } = await newSeller({ requestsPerMinute: 2 });
    expect(refused(await times(3, () => gateway.get('/transactions', as)))).toHaveLength(1);
    await setRates(id, { requestsPerMinute: 1_000 });
    const response = await gateway.get('/transactions', as);
    expect(response.status).toBe(200);
    expectAllowance(response, 1_000);
  });

  it('are allowed again after Retry-After and not before', async () => {
    const { as } = await newSeller({ requestsPerMinute: 1 });
    expect((await gateway.get('/transactions', as)).status).toBe(200);
    const refusal = await gateway.get('/transactions', as);
    expectRefusal(refusal);
    const from = Date.now();
    const wait = header(refusal, 'retry-after') * 1000;
    vi.useFakeTimers({ toFake: ['Date'], now: from + wait - 2_000 });
    expectRefusal(await gateway.get('/transactions', as));
    vi.setSystemTime(from + wait);
    expect((await gateway.get('/transactions', as)).status).toBe(200);
    expectRefusal(await gateway.get('/transactions', as));
  });
});

describe('creations by a seller', () => {
  it('are allowed up to the configured limit when sent at once, and only those are stored', async () => {
    const { as } = await newSeller({ requestsPerMinute: 1_000, creationsPerMinute: 5 });
    const responses = await times(25, () => gateway.charge({}, as));
    expect(passed(responses).map((response) => response.status)).toEqual([201, 201, 201, 201, 201]);
    for (const response of refused(responses)) expectRefusal(response);
    for (const response of responses) expectAllowance(response, 5);
    expect((await gateway.get('/transactions', as)).body.count).toBe(5);
  });

  it('are limited to 60 a minute by default', async () => {
    const { as } = await newSeller();
    const responses = await times(80, () => gateway.charge({}, as));
    expect(passed(responses)).toHaveLength(60);
    expect(passed(responses).every((response) => response.status === 201)).toBe(true);
  });

  it('have a separate limit, after which other requests still succeed', async () => {
    const { as } = await newSeller({ requestsPerMinute: 50, creationsPerMinute: 1 });
    const created = await gateway.charge({}, as);
    expectRefusal(await gateway.charge({}, as));
    const read = await gateway.get(`/transactions/${created.body.data.id}`, as);
    expect(read.status).toBe(200);
    expectAllowance(read, 50);
    const paid = await gateway.post(`/sandbox/transactions/${created.body.data.id}/pay`, undefined, as);
    expect(paid.status).toBe(200);
  });

  it('also count as requests, so that none succeeds when those are used up', async () => {
    const { as } = await newSeller({ requestsPerMinute: 2, creationsPerMinute: 50 });
    const responses = await times(10, () => gateway.charge({}, as));
    expect(passed(responses)).toHaveLength(2);
    for (const response of refused(responses)) expectRefusal(response);
  });

  it('that are rejected do not consume their Idempotency-Key', async () => {
    const { id, as } = await newSeller({ creationsPerMinute: 1 });
    await gateway.charge({}, as);
    const idempotencyKey = randomUUID();
    expectRefusal(await gateway.charge({}, { ...as, idempotencyKey }));
    await setRates(id, { creationsPerMinute: 100 });
    const response = await gateway.charge({ amount: 777 }, { ...as, idempotencyKey });
    expect(response.status).toBe(201);
    expect(response.headers.get('idempotency-replayed')).toBeNull();
  });

  it('are allowed again after Retry-After and not before', async () => {
    const { as } = await newSeller({ creationsPerMinute: 1 });
    expect((await gateway.charge({}, as)).status).toBe(201);
    const refusal = await gateway.charge({}, as);
    expectRefusal(refusal);
    const from = Date.now();
    const wait = header(refusal, 'retry-after') * 1000;
    vi.useFakeTimers({ toFake: ['Date'], now: from + wait - 2_000 });
    expectRefusal(await gateway.charge({}, as));
    vi.setSystemTime(from + wait);
    expect((await gateway.charge({}, as)).status).toBe(201);
  });
});

/** Signs in as the dashboard does. */
async function signIn(email: string): Promise<CallOptions> {
  const body = { email, password: PASSWORD, session: 'cookie' };
  const signedIn = await gateway.post('/login', body, NO_CREDENTIAL);
  expect(signedIn.status).toBe(200);
  return { token: signedIn.body.accessToken };
}

describe('a browser session of the dashboard', () => {
  it('has 600 requests a minute, independent of the integration', async () => {
    const { email, as } = await newSeller({ requestsPerMinute: 3 });
    const browser = await signIn(email);
    expect(refused(await times(5, () => gateway.get('/transactions', as)))).toHaveLength(2);
    const first = await gateway.get('/transactions', browser);
    expect(first.status).toBe(200);
    expectAllowance(first, 600);
    expect(header(first, 'ratelimit-remaining')).toBe(599);

    const responses: ApiResponse[] = [];
    // Not all at once: admission control would reject some.
    while (responses.length < 660)
      responses.push(...(await times(60, () => gateway.get('/users/me', browser))));
    expect(passed(responses)).toHaveLength(599);
    for (const response of refused(responses)) expectRefusal(response);
    // Another session of the user shares its limit.
    expectRefusal(await gateway.get('/users/me', await signIn(email)));
  });

  it('does not use the seller’s requests', async () => {
    const { email, as } = await newSeller({ requestsPerMinute: 3 });
    const browser = await signIn(email);
    expect(passed(await times(10, () => gateway.get('/transactions', browser)))).toHaveLength(10);
    expect(passed(await times(5, () => gateway.get('/transactions', as)))).toHaveLength(3);
  });

  it('counts its creations as creations of the seller', async () => {
    const { email, as } = await newSeller({ creationsPerMinute: 2 });
    const browser = await signIn(email);
    expect((await gateway.charge({}, browser)).status).toBe(201);
    expect((await gateway.charge({}, as)).status).toBe(201);
    expectRefusal(await gateway.charge({}, browser));
    expectRefusal(await gateway.charge({}, as));
  });
});

describe('an operator user', () => {
  it('has a separate, configurable limit', async () => {
    const strict = await startTestGateway({
      worker: false,
      environment: { OPERATOR_REQUESTS_PER_MINUTE: '7' },
      defaultRateLimits: true,
    });
    try {
      const token = await strict.adminToken();
      const responses = await times(20, () => strict.get('/admin/sellers', { token }));
      expect(passed(responses)).toHaveLength(7);
      for (const response of responses) expectAllowance(response, 7);
      for (const response of refused(responses)) expectRefusal(response);
      expect((await strict.get('/transactions')).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });

  it('has 1,200 requests a minute by default', async () => {
    const usual = await startTestGateway({ worker: false, defaultRateLimits: true });
    try {
      const token = await usual.adminToken();
      const response = await usual.get('/admin/sellers', { token });
      expect(header(response, 'ratelimit-limit')).toBe(1_200);
      expect(header(response, 'ratelimit-remaining')).toBe(1_199);
    } finally {
      await usual.stop();
    }
  });
});

describe('a revoked credential', () => {
  it('is counted by address, not by its former seller', async () => {
    const { id, as } = await newSeller({ requestsPerMinute: 4 });
    const other = await newKey(id);
    expect((await gateway.get('/transactions', other)).status).toBe(200);
    const keys = await gateway.get(`/admin/sellers/${id}/api-keys`, admin);
    const newest = String(keys.body.data[0].id);
    expect((await gateway.delete(`/admin/sellers/${id}/api-keys/${newest}`, admin)).status).toBe(200);
    expect((await gateway.get('/transactions', other)).status).toBe(401);
    const responses = await times(10, () => gateway.get('/transactions', other));
    expect(responses.every(({ status }) => status === 401)).toBe(true);
    for (const response of responses) expectAllowance(response, 120);
    expect(passed(await times(6, () => gateway.get('/transactions', as)))).toHaveLength(3);
  });
});

describe('every response', () => {
  it('to a seller has the rate limit headers, whatever its status', async () => {
    const { as, id } = await newSeller({ requestsPerMinute: 500, creationsPerMinute: 400 });
    const responses: readonly (readonly [number, ApiResponse])[] = [
      [200, await gateway.get('/transactions', as)],
      [201, await gateway.charge({}, as)],
      [400, await gateway.charge({ amount: 1 }, as)],
      [400, await gateway.post('/transactions', {}, as)],
      [400, await gateway.get('/transactions?take=0', as)],
      [403, await gateway.get('/admin/sellers', as)],
      [404, await gateway.get('/transactions/x', as)],
      [415, await gateway.post('/webhooks', 'x', { ...as, headers: { 'content-type': 'text/plain' } })],
    ];
    for (const [status, response] of responses) {
      expect(response.status).toBe(status);
      expect([400, 500]).toContain(header(response, 'ratelimit-limit'));
      expectAllowance(response, header(response, 'ratelimit-limit'));
    }
    await gateway.patch(`/admin/sellers/${id}`, { status: 'SUSPENDED' }, admin);
    const inactive = await gateway.get('/transactions', as);
    expect(inactive.status).toBe(403);
    expectAllowance(inactive, 500);
  });

  it('to an anonymous client has the rate limit of the address', async () => {
    for (const [status, response] of [
      [401, await gateway.get('/transactions', NO_CREDENTIAL)],
      [401, await gateway.get('/transactions', { apiKey: 'sk_test_wrong' })],
      [401, await gateway.get('/transactions', { token: 'x.y.z' })],
      [404, await gateway.get('/nothing', NO_CREDENTIAL)],
      [400, await gateway.post('/login', {}, NO_CREDENTIAL)],
      [200, await gateway.post('/login', gateway.demo.admin, NO_CREDENTIAL)],
    ] as const) {
      expect(response.status).toBe(status);
      expectAllowance(response, 120);
    }
  });
});

describe('an address without an authenticated client', () => {
  let crowded: TestGateway;
  let token: string;

  beforeAll(async () => {
    crowded = await startTestGateway({ worker: false });
    token = await crowded.adminToken();
  });
  afterAll(async () => {
    await crowded.stop();
  });

  it('has one limit, which counts invalid credentials, but not seller requests or health', async () => {
    const first = await crowded.get('/nothing', NO_CREDENTIAL);
    const left = header(first, 'ratelimit-remaining');
    expect(left).toBeGreaterThan(50);
    // None of these is a request of an anonymous client.
    await times(20, () => crowded.get('/transactions'));
    await times(20, () => crowded.get('/health', NO_CREDENTIAL));

    const responses = await times(left + 30, (index) =>
      index % 2 === 0
        ? crowded.get('/transactions', { apiKey: 'sk_test_wrong' })
        : crowded.get('/nothing', NO_CREDENTIAL),
    );
    expect(passed(responses)).toHaveLength(left);
    for (const response of refused(responses)) expectRefusal(response);

    // A right password does not bypass an anonymous client's limit; signed-in users have a separate
    // one.
    expectRefusal(await crowded.post('/login', crowded.demo.admin, NO_CREDENTIAL));
    expectRefusal(await crowded.get('/transactions', { token: 'x.y.z' }));
    expect((await crowded.get('/transactions')).status).toBe(200);
    expect((await crowded.charge()).status).toBe(201);
    expect((await crowded.get('/admin/sellers', { token })).status).toBe(200);
  });

  it('always reaches health and the dashboard, but not the reference', async () => {
    expectRefusal(await crowded.get('/nothing', NO_CREDENTIAL));
    const responses = await times(200, () => crowded.get('/health', NO_CREDENTIAL));
    expect(responses.every((response) => response.status === 200)).toBe(true);
    const root = crowded.baseUrl.replace(/\/v1$/, '');
    expect((await fetch(`${root}/dashboard/`)).status).toBe(200);
    for (const path of [
      '/docs',
      '/docs/operator',
      '/docs/errors',
      '/docs/guides',
      '/docs/guides/accept-pix',
      '/openapi.json',
      '/openapi-operator.json',
    ]) {
      const response = await fetch(root + path);
      expect(response.status).toBe(429);
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
  });
});

describe('the rate limits of a seller', () => {
  it('accept whole numbers from 1', async () => {
    const { id } = await newSeller();
    for (const [rate, message] of [
      [0, 'requestsPerMinute must not be less than 1'],
      [1.5, 'requestsPerMinute must be an integer number'],
      ['9', 'requestsPerMinute must be an integer number'],
    ] as const) {
      const response = await gateway.patch(`/admin/sellers/${id}`, { requestsPerMinute: rate }, admin);
      expect(response.status).toBe(400);
      expect(response.body.message).toEqual([message]);
    }
    const read = await gateway.get(`/admin/sellers/${id}`, admin);
    expect(read.body.data).toMatchObject({ requestsPerMinute: 120, creationsPerMinute: 60 });
  });
});
