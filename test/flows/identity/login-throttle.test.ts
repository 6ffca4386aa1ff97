import { randomUUID } from 'node:crypto';
import { request } from 'node:http';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { errorBody } from '#test/support/errors.ts';

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

interface LoginResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

let addresses = 1;
/** A loopback address that no other test uses. Linux owns all of 127/8. */
const unusedAddress = (): string => `127.0.${Math.floor((addresses += 1) / 250)}.${(addresses % 250) + 2}`;

/** Signs in from an unused address. */
function login(
  email: string,
  password: string,
  address: string,
  { cookie, session }: { readonly cookie?: string; readonly session?: 'cookie' } = {},
): Promise<LoginResponse> {
  const url = new URL(`${gateway.baseUrl}/login`);
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method: 'POST',
        localAddress: address,
        headers: { 'content-type': 'application/json', ...(cookie !== undefined && { cookie }) },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          resolve({ status: statusCode, headers, text });
        });
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify({ email, password, session }));
  });
}

async function newSeller(): Promise<{ email: string }> {
  const email = `${randomUUID()}@example.com`;
  const made = await gateway.post(
    '/admin/sellers',
    {
      name: 'Loja',
      documentType: 'CPF',
      document: '52998224725',
      ownerName: 'Ana',
      ownerEmail: email,
      ownerPassword: PASSWORD,
    },
    admin,
  );
  expect(made.status).toBe(201);
  return { email };
}

async function failTenTimes(email: string, address: () => string): Promise<void> {
  for (let time = 0; time < 10; time += 1) {
    expect((await login(email, 'not the password', address())).status).toBe(401);
  }
}

/** A response without the parts that always differ. */
const resultOf = (response: LoginResponse): unknown => {
  const { 'x-request-id': _id, date: _date, ...headers } = response.headers;
  return {
    status: response.status,
    body: { ...JSON.parse(response.text), requestId: '' },
    headers: { ...headers, 'ratelimit-reset': '', 'retry-after': '' },
  };
};

function expectRefusal(response: LoginResponse): void {
  expect(JSON.parse(response.text)).toEqual(errorBody('rate_limited'));
  expect(response.status).toBe(429);
  const wait = Number(response.headers['retry-after']);
  expect(Number.isInteger(wait)).toBe(true);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(900);
  expect(response.headers).toMatchObject({
    'ratelimit-limit': '10',
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(wait),
  });
}

// Other systems have one loopback address only; unit tests cover the rules.
describe.runIf(process.platform === 'linux')('sign-in throttling', () => {
  it('rejects an email after ten failures, even with the right password and from any address', async () => {
    const { email } = await newSeller();
    await failTenTimes(email, unusedAddress);
    expectRefusal(await login(email, PASSWORD, unusedAddress()));
    expectRefusal(await login(email.toUpperCase(), PASSWORD, unusedAddress()));
    expect((await login((await newSeller()).email, PASSWORD, unusedAddress())).status).toBe(200);
  });

  it('rejects an address after ten failures, for every email', async () => {
    const { email } = await newSeller();
    const address = unusedAddress();
    for (let time = 0; time < 10; time += 1) {
      expect((await login(`${randomUUID()}@example.com`, PASSWORD, address)).status).toBe(401);
    }
    expectRefusal(await login(email, PASSWORD, address));
    expect((await login(email, PASSWORD, unusedAddress())).status).toBe(200);
  });

  it('gives a known device ten failures of its own, whatever anonymous clients do', async () => {
    const { email } = await newSeller();
    const first = await login(email, PASSWORD, unusedAddress(), { session: 'cookie' });
    const cookie = String(first.headers['set-cookie']).match(/device=[^;]+/)?.[0] ?? '';
    await failTenTimes(email, unusedAddress);
    expectRefusal(await login(email, PASSWORD, unusedAddress()));
    expect((await login(email, PASSWORD, unusedAddress(), { cookie })).status).toBe(200);
    // Successes of a known device do not affect the failures of others.
    expectRefusal(await login(email, PASSWORD, unusedAddress()));
    for (let time = 0; time < 10; time += 1) {
      expect((await login(email, 'not the password', unusedAddress(), { cookie })).status).toBe(401);
    }
    expectRefusal(await login(email, PASSWORD, unusedAddress(), { cookie }));
    // A forged cookie, or one of another email, has no effect.
    const other = (await newSeller()).email;
    await failTenTimes(other, unusedAddress);
    for (const wrong of [cookie, `${cookie}x`, 'device=x']) {
      expectRefusal(await login(other, PASSWORD, unusedAddress(), { cookie: wrong }));
    }
  });

  it('accepts a known device even if its network is rejected', async () => {
    const [{ email }, { email: colleague }] = [await newSeller(), await newSeller()];
    const office = unusedAddress();
    const first = await login(email, PASSWORD, office, { session: 'cookie' });
    const cookie = String(first.headers['set-cookie']).match(/device=[^;]+/)?.[0] ?? '';
    for (let time = 0; time < 10; time += 1) {
      expect((await login(`${randomUUID()}@example.com`, PASSWORD, office)).status).toBe(401);
    }
    expectRefusal(await login(colleague, PASSWORD, office));
    expectRefusal(await login(email, PASSWORD, office));
    expect((await login(email, PASSWORD, office, { cookie })).status).toBe(200);
    // The cookie applies to its own email only.
    expectRefusal(await login(colleague, PASSWORD, office, { cookie }));
  });

  it('resets the failures of an email after a success', async () => {
    const { email } = await newSeller();
    for (let round = 0; round < 3; round += 1) {
      for (let time = 0; time < 9; time += 1) {
        expect((await login(email, 'not the password', unusedAddress())).status).toBe(401);
      }
      expect((await login(email, PASSWORD, unusedAddress())).status).toBe(200);
    }
  });

  it('verifies ten of many concurrent attempts', async () => {
    const { email } = await newSeller();
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => login(email, 'not the password', unusedAddress())),
    );
    expect(responses.filter((response) => response.status === 401)).toHaveLength(10);
    for (const response of responses.filter((one) => one.status !== 401)) expectRefusal(response);
  });

  it('never counts successes, not even many concurrent ones from one address', async () => {
    const { email } = await newSeller();
    const address = unusedAddress();
    const responses = await Promise.all(Array.from({ length: 30 }, () => login(email, PASSWORD, address)));
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
  });

  it('counts failures, but no malformed requests', async () => {
    const { email } = await newSeller();
    const address = unusedAddress();
    for (let time = 0; time < 15; time += 1) expect((await login(email, '', address)).status).toBe(400);
    expect((await login(email, PASSWORD, address)).status).toBe(200);
  });

  // Other tests check that both take the same time, and that a throttled sign-in does not hash.
  it('does not reveal which emails exist by responses or headers', async () => {
    const [{ email: known }, unknown] = [await newSeller(), `${randomUUID()}@example.com`];
    const [one, other] = [unusedAddress(), unusedAddress()];
    for (let time = 1; time <= 13; time += 1) {
      const [a, b] = [
        await login(known, 'not the password', one),
        await login(unknown, 'not the password', other),
      ];
      expect(a.status).toBe(time <= 10 ? 401 : 429);
      expect(resultOf(a)).toEqual(resultOf(b));
    }
  });

  it('ends after Retry-After by the system clock, which the sandbox does not advance', async () => {
    const { email } = await newSeller();
    await failTenTimes(email, unusedAddress);
    await gateway.advance(3_600);
    admin = { token: await gateway.adminToken() };
    const refusal = await login(email, PASSWORD, unusedAddress());
    expectRefusal(refusal);
    const from = Date.now();
    const wait = Number(refusal.headers['retry-after']) * 1_000;
    vi.useFakeTimers({ toFake: ['Date'], now: from + wait - 5_000 });
    expectRefusal(await login(email, PASSWORD, unusedAddress()));
    vi.setSystemTime(from + wait);
    expect((await login(email, PASSWORD, unusedAddress())).status).toBe(200);
  });
});
