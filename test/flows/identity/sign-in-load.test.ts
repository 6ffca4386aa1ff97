import { randomUUID } from 'node:crypto';

import { verify } from '@node-rs/argon2';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

// A spy on the real function: the work of a sign-in is what an attacker could measure.
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<{ verify: typeof verify }>();
  return { ...real, verify: vi.fn<typeof verify>(real.verify) };
});

const PASSWORD = 'a long enough password';

let gateway: TestGateway;
let admin: { readonly token: string };

beforeAll(async () => {
  gateway = await startTestGateway();
  admin = { token: await gateway.adminToken() };
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  // Failures are counted by the system clock.
  vi.setSystemTime(Date.now() + 16 * 60_000);
});
afterAll(async () => {
  vi.useRealTimers();
  await gateway.stop();
});

async function newUser(): Promise<{ readonly id: string; readonly email: string }> {
  const email = `${randomUUID()}@example.com`;
  const user = { name: 'Bia', email, password: PASSWORD, role: 'SUPPORT' };
  const made = await gateway.post('/admin/users', user, admin);
  expect(made.status).toBe(201);
  return { id: String(made.body.data.id), email };
}

const post = (path: string, body: object): Promise<ApiResponse> =>
  gateway.post(path, body, { credential: 'none' });

/** The parameters with which each password was verified: `$argon2id$v=19$m=19456,t=2,p=1`. */
async function workOf(
  request: () => Promise<ApiResponse>,
): Promise<{ response: ApiResponse; work: readonly string[] }> {
  vi.mocked(verify).mockClear();
  const response = await request();
  const work = vi.mocked(verify).mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4).join('$'));
  return { response, work };
}

/** OWASP's first recommendation: 19 MiB, two passes. */
const ONCE = ['$argon2id$v=19$m=19456,t=2,p=1'];

describe('a sign-in', () => {
  it('verifies one password, with equal effort for any email and any password', async () => {
    const [known, deleted, closed] = [await newUser(), await newUser(), `${randomUUID()}@example.com`];
    expect((await gateway.delete(`/admin/users/${deleted.id}`, admin)).status).toBe(200);
    const seller = await gateway.post(
      '/admin/sellers',
      {
        name: 'Loja',
        documentType: 'CPF',
        document: '52998224725',
        ownerName: 'Ana',
        ownerEmail: closed,
        ownerPassword: PASSWORD,
        status: 'SUSPENDED',
      },
      admin,
    );
    expect(seller.status).toBe(201);
    const cases: readonly (readonly [string, string, number])[] = [
      [known.email, PASSWORD, 200],
      [known.email, 'not the password', 401],
      [known.email.toUpperCase(), 'not the password', 401],
      [`${randomUUID()}@example.com`, PASSWORD, 401],
      [deleted.email, PASSWORD, 401],
      [closed, 'not the password', 401],
      [closed, PASSWORD, 200],
    ];
    for (const [email, password, status] of cases) {
      const { response, work } = await workOf(() => post('/login', { email, password }));
      expect([email, response.status, work]).toEqual([email, status, ONCE]);
    }
  });

  it('requires a second factor only after the password, which is always verified', async () => {
    const { email } = await newUser();
    const as = { token: String((await post('/login', { email, password: PASSWORD })).body.accessToken) };
    const begun = await gateway.post('/users/me/two-factor', { password: PASSWORD }, as);
    const secret = Secret.fromBase32(String(begun.body.data.secret));
    const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp });
    const confirmed = await gateway.post('/users/me/two-factor/confirm', { code: codeAt(Date.now()) }, as);
    expect(confirmed.status).toBe(200);
    const wrong = await workOf(() => post('/login', { email, password: 'not the password' }));
    expect([wrong.response.body.message, wrong.work]).toEqual(['Invalid credentials', ONCE]);
    const right = await workOf(() => post('/login', { email, password: PASSWORD }));
    expect([Object.keys(right.response.body), right.work]).toEqual([
      ['twoFactorRequired', 'challenge', 'methods'],
      ONCE,
    ]);
  });

  it('that is throttled or malformed verifies no password', async () => {
    const { email } = await newUser();
    for (let time = 0; time < 10; time += 1) await post('/login', { email, password: 'not the password' });
    for (const [body, status] of [
      [{ email, password: PASSWORD }, 429],
      [{ email: `${randomUUID()}@example.com`, password: PASSWORD }, 429],
      [{ email: 'nobody', password: PASSWORD }, 400],
      [{ email, password: '' }, 400],
      [{ email, password: 'a'.repeat(2_000) }, 400],
    ] as const) {
      const { response, work } = await workOf(() => post('/login', body));
      expect([response.status, work]).toEqual([status, []]);
    }
  });
});
