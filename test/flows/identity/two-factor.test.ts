import { randomUUID } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { newBrowser } from '#test/support/browser.ts';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode } from '#test/support/node.ts';

const PASSWORD = 'a long enough password';
const STEP_MS = 30_000;
const NO_CREDENTIAL: CallOptions = { credential: 'none' };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  // Failures, anonymous clients and time steps use the system clock: each test has a separate time.
  vi.setSystemTime(Date.now() + 16 * 60_000);
});
afterAll(async () => {
  vi.useRealTimers();
  await gateway.stop();
});

interface Person {
  readonly id: string;
  readonly email: string;
  readonly as: CallOptions;
}

async function newPerson(): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const made = await gateway.post(
    '/admin/users',
    { name: 'Bia', email, password: PASSWORD, role: 'SUPPORT' },
    { token: await gateway.adminToken() },
  );
  const { body } = await login(email);
  return { id: String(made.body.data.id), email, as: { token: String(body.accessToken) } };
}

const login = (email: string, password = PASSWORD): Promise<ApiResponse> =>
  gateway.post('/login', { email, password }, NO_CREDENTIAL);

/** The authenticator's code, this many time steps from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });

const nextStep = (): void => {
  vi.setSystemTime(Date.now() + STEP_MS);
};

interface Enrolled extends Person {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

async function enrolled(): Promise<Enrolled> {
  const person = await newPerson();
  const begun = await gateway.post('/users/me/two-factor', { password: PASSWORD }, person.as);
  const secret = String(begun.body.data.secret);
  const confirmed = await gateway.post('/users/me/two-factor/confirm', { code: codeOf(secret) }, person.as);
  expect(confirmed.status).toBe(200);
  nextStep();
  return { ...person, secret, recoveryCodes: confirmed.body.data.recoveryCodes };
}

async function challengeOf(email: string): Promise<string> {
  const { status, body } = await login(email);
  expect([status, Object.keys(body)]).toEqual([200, ['twoFactorRequired', 'challenge', 'methods']]);
  expect(body.methods).toEqual(['code', 'recoveryCode']);
  return String(body.challenge);
}

const second = (challenge: string, proof: object): Promise<ApiResponse> =>
  gateway.post('/login/two-factor', { challenge, ...proof }, NO_CREDENTIAL);

const opens = async (token: unknown) =>
  (await gateway.get('/users/me', { token: String(token) })).status === 200;

const resultOf = ({ status, body }: ApiResponse) => [status, body.message];
const INVALID = [401, 'Invalid credentials'];

const wrongCode = (secret: string): string => {
  const near = new Set([-1, 0, 1].map((steps) => codeOf(secret, steps)));
  return ['000000', '111111', '222222', '333333'].find((code) => !near.has(code)) ?? '444444';
};

const end = (as: CallOptions, body: object) => gateway.call('DELETE', '/users/me/two-factor', body, as);

const hex = (text: string) => Buffer.from(text).toString('hex');

describe('two-factor authentication', () => {
  it('is not required until it is confirmed', async () => {
    const { email, as } = await newPerson();
    const begun = await gateway.post('/users/me/two-factor', { password: PASSWORD }, as);
    expect(begun.body.data.uri).toContain(`otpauth://totp/Vereda:${encodeURIComponent(email)}?`);
    expect(begun.body.data.uri).toContain(`secret=${begun.body.data.secret}`);
    expect(begun.body.data.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect((await login(email)).body.accessToken).toEqual(expect.any(String));
    expect((await gateway.get('/users/me', as)).body.data.twoFactor).toEqual({
      active: false,
      passkeys: 0,
      recoveryCodesLeft: null,
    });
  });

  it('is started with the password, and restarted until it is confirmed', async () => {
    const { as } = await newPerson();
    const wrong = await gateway.post('/users/me/two-factor', { password: 'wrong' }, as);
    expect(resultOf(wrong)).toEqual([422, 'Password is wrong']);
    const first = await gateway.post('/users/me/two-factor', { password: PASSWORD }, as);
    const next = await gateway.post('/users/me/two-factor', { password: PASSWORD }, as);
    const confirm = (secret: unknown) =>
      gateway.post('/users/me/two-factor/confirm', { code: codeOf(String(secret)) }, as);
    expect(resultOf(await confirm(first.body.data.secret))).toEqual([422, 'Code is wrong']);
    expect((await confirm(next.body.data.secret)).status).toBe(200);
    expect((await confirm(next.body.data.secret)).status).toBe(422);
    const again = await gateway.post('/users/me/two-factor', { password: PASSWORD }, as);
    expect(resultOf(again)).toEqual([422, 'Two-factor authentication is already active']);
  });

  it('once confirmed ends the other sessions and is required at every sign-in', async () => {
    const person = await newPerson();
    const elsewhere = await login(person.email);
    const begun = await gateway.post('/users/me/two-factor', { password: PASSWORD }, person.as);
    const { secret } = begun.body.data;
    const confirmed = await gateway.post('/users/me/two-factor/confirm', { code: codeOf(secret) }, person.as);
    expect(new Set(confirmed.body.data.recoveryCodes).size).toBe(10);
    for (const code of confirmed.body.data.recoveryCodes)
      expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}-[A-Z2-7]{2}$/);
    expect(await opens(elsewhere.body.accessToken)).toBe(false);
    expect(await opens(person.as.token)).toBe(true);
    nextStep();
    const signedIn = await second(await challengeOf(person.email), { code: codeOf(secret) });
    expect(Object.keys(signedIn.body)).toEqual(['accessToken', 'refreshToken', 'user']);
    expect(await opens(signedIn.body.accessToken)).toBe(true);
    const me = await gateway.get('/users/me', { token: signedIn.body.accessToken });
    expect(me.body.data.twoFactor).toEqual({ active: true, passkeys: 0, recoveryCodesLeft: 10 });
  });

  it('is not revealed without the right password', async () => {
    const { email } = await enrolled();
    expect(resultOf(await login(email, 'wrong'))).toEqual(INVALID);
  });

  it('returns no refresh token to a cookie session', async () => {
    const { email, secret } = await enrolled();
    const browser = newBrowser(gateway.baseUrl);
    const first = await browser.post('/login', { email, password: PASSWORD, session: 'cookie' });
    expect(browser.jar.size).toBe(0);
    const proof = { challenge: first.body.challenge, code: codeOf(secret), session: 'cookie' };
    const response = await browser.post('/login/two-factor', proof);
    expect(Object.keys(response.body)).toEqual(['accessToken', 'user']);
    expect((await browser.post('/auth/refresh', {})).status).toBe(200);
  });
});

describe('a code', () => {
  it('is accepted once, and no earlier code after it (RFC 6238)', async () => {
    const { email, secret } = await enrolled();
    const code = codeOf(secret);
    const challenge = await challengeOf(email);
    expect((await second(challenge, { code })).status).toBe(200);
    expect(resultOf(await second(challenge, { code }))).toEqual(INVALID);
    expect(resultOf(await second(await challengeOf(email), { code: codeOf(secret, -1) }))).toEqual(INVALID);
    expect((await second(await challengeOf(email), { code: codeOf(secret, 1) })).status).toBe(200);
  });

  it('is accepted once by concurrent requests', async () => {
    const { email, secret } = await enrolled();
    const challenge = await challengeOf(email);
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => second(challenge, { code: codeOf(secret) })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
  });

  it('is accepted one step early or late, and not beyond', async () => {
    const { email, secret } = await enrolled();
    nextStep();
    for (const far of [-2, 2]) {
      expect(resultOf(await second(await challengeOf(email), { code: codeOf(secret, far) }))).toEqual(
        INVALID,
      );
    }
    expect((await second(await challengeOf(email), { code: codeOf(secret, -1) })).status).toBe(200);
    expect((await second(await challengeOf(email), { code: codeOf(secret, 1) })).status).toBe(200);
  });

  it('that confirmed two-factor authentication is rejected at sign-in', async () => {
    const { email, secret } = await enrolled();
    expect(resultOf(await second(await challengeOf(email), { code: codeOf(secret, -1) }))).toEqual(INVALID);
  });

  it('of another user is rejected', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    expect(resultOf(await second(await challengeOf(one.email), { code: codeOf(other.secret) }))).toEqual(
      INVALID,
    );
  });

  it('is validated', async () => {
    const { email } = await enrolled();
    const challenge = await challengeOf(email);
    expect((await second(challenge, { code: '12345' })).body.message).toEqual(['code must be 6 digits']);
    const neither = ['code or recoveryCode or passkey must be sent'];
    expect((await second(challenge, {})).body.message).toEqual(neither);
    expect((await second(challenge, { code: '123456', recoveryCode: 'A' })).body.message).toEqual(neither);
  });
});

describe('a recovery code', () => {
  it('signs in once, in any format, and its use is audited', async () => {
    const { id, email, recoveryCodes } = await enrolled();
    const [first = '', next = ''] = recoveryCodes;
    const signedIn = await second(await challengeOf(email), { recoveryCode: first });
    expect(signedIn.status).toBe(200);
    expect(resultOf(await second(await challengeOf(email), { recoveryCode: first }))).toEqual(INVALID);
    // The clock is frozen here, and later tokens must be newer.
    vi.setSystemTime(Date.now() + 10);
    const spelled = next.toLowerCase().replaceAll('-', ' ');
    expect((await second(await challengeOf(email), { recoveryCode: spelled })).status).toBe(200);
    const me = await gateway.get('/users/me', { token: signedIn.body.accessToken });
    expect(me.body.data.twoFactor.recoveryCodesLeft).toBe(8);
    const log = await gateway.get(`/admin/audit-log?action=user.recovery-code-used&recordId=${id}`, {
      token: await gateway.adminToken(),
    });
    expect(log.body.data.map(({ after }: { after: unknown }) => after)).toEqual([
      { recoveryCodesLeft: 8 },
      { recoveryCodesLeft: 9 },
    ]);
    expect(log.body.data[0].actor).toEqual({
      kind: 'OPERATOR_USER',
      id,
      name: 'Bia',
      role: 'SUPPORT',
      keyPrefix: null,
    });
  });

  it('of another user is rejected', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    const [recoveryCode] = other.recoveryCodes;
    expect(resultOf(await second(await challengeOf(one.email), { recoveryCode }))).toEqual(INVALID);
  });

  it('and the secret are not stored as plain text', async () => {
    const { secret, recoveryCodes } = await enrolled();
    const rows = await gateway.database.query<{ text: string }>(
      `SELECT f::text AS text FROM second_factors f UNION ALL SELECT c::text FROM recovery_codes c`,
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const word of [secret, ...recoveryCodes]) {
      for (const { text } of rows) {
        expect(text).not.toContain(word);
        expect(text).not.toContain(hex(word.replaceAll('-', '')));
      }
    }
  });
});

describe('a code or recovery code in concurrent requests', () => {
  it('signs in once, on any node and with any challenge', async () => {
    const { email, secret, recoveryCodes } = await enrolled();
    const node = await startNode({ databaseUrl: gateway.database.url });
    try {
      for (const proof of [{ code: codeOf(secret) }, { recoveryCode: recoveryCodes[0] }]) {
        const challenges = await Promise.all(Array.from({ length: 8 }, () => challengeOf(email)));
        // One is accepted, and each node verifies at most ten others: none is rejected without
        // verification.
        const responses = await Promise.all(
          challenges.map((challenge, index) =>
            (index % 2 === 0 ? gateway : node).post(
              '/login/two-factor',
              { challenge, ...proof },
              NO_CREDENTIAL,
            ),
          ),
        );
        const statuses = responses.map(({ status }) => status);
        expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
        vi.setSystemTime(Date.now() + 16 * 60_000);
      }
      const left = await gateway.database.query(
        `SELECT 1 FROM recovery_codes c JOIN users u ON u.id = c.user_id
          WHERE u.email = $1 AND used_at IS NULL`,
        [email],
      );
      expect(left).toHaveLength(9);
    } finally {
      await node.stop();
    }
  });
});

describe('a challenge of the first factor', () => {
  it('is not an access token, and access and refresh tokens are not challenges', async () => {
    const { email, secret, as } = await enrolled();
    const challenge = await challengeOf(email);
    expect(await opens(challenge)).toBe(false);
    const refreshed = await gateway.post(
      '/auth/refresh',
      { refreshToken: challenge.slice(0, 100) },
      NO_CREDENTIAL,
    );
    expect(refreshed.status).toBe(401);
    for (const wrong of [String(as.token), `${challenge}x`, 'x', randomUUID()]) {
      expect(resultOf(await second(wrong, { code: codeOf(secret) }))).toEqual([401, 'Unauthorized']);
    }
  });

  it('expires after five minutes on the domain clock', async () => {
    const { email, secret } = await enrolled();
    const [early, late] = [await challengeOf(email), await challengeOf(email)];
    await gateway.advance(290);
    expect((await second(early, { code: codeOf(secret) })).status).toBe(200);
    await gateway.advance(11);
    nextStep();
    expect(resultOf(await second(late, { code: codeOf(secret) }))).toEqual([401, 'Unauthorized']);
  });

  it('ends after a password change, a logout and the deletion of its user', async () => {
    const { id, email, secret, as } = await enrolled();
    const before = await challengeOf(email);
    const passwords = { currentPassword: PASSWORD, newPassword: `another ${PASSWORD}` };
    expect((await gateway.post('/users/me/password', passwords, as)).status).toBe(200);
    expect(resultOf(await second(before, { code: codeOf(secret) }))).toEqual(INVALID);
    const next = String((await login(email, passwords.newPassword)).body.challenge);
    expect((await gateway.post('/auth/logout', undefined, as)).status).toBe(200);
    expect(resultOf(await second(next, { code: codeOf(secret) }))).toEqual(INVALID);
    const last = String((await login(email, passwords.newPassword)).body.challenge);
    await gateway.delete(`/admin/users/${id}`, { token: await gateway.adminToken() });
    expect(resultOf(await second(last, { code: codeOf(secret) }))).toEqual(INVALID);
  });
});

describe('guessing codes', () => {
  it('is limited to five attempts per challenge, after which even the right code is rejected', async () => {
    const { email, secret } = await enrolled();
    const challenge = await challengeOf(email);
    for (let time = 0; time < 5; time += 1) {
      expect(resultOf(await second(challenge, { code: wrongCode(secret) }))).toEqual(INVALID);
    }
    const refused = await second(challenge, { code: codeOf(secret) });
    expect(resultOf(refused)).toEqual([429, 'Rate limit exceeded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await second(await challengeOf(email), { code: codeOf(secret) })).status).toBe(200);
  });
});

describe('disabling two-factor authentication', () => {
  it('requires the password and a code, and does not reveal which one is wrong', async () => {
    const { email, secret, as } = await enrolled();
    for (const wrong of [
      { password: 'wrong', code: codeOf(secret) },
      { password: PASSWORD, code: '000000' },
      { password: PASSWORD, code: 'AAAA-AAAA-AAAA-AAAA' },
    ]) {
      expect(resultOf(await end(as, wrong))).toEqual([422, 'Password or code is wrong']);
    }
    // A wrong password does not consume the code.
    expect((await end(as, { password: PASSWORD, code: codeOf(secret) })).status).toBe(200);
    expect((await login(email)).body.accessToken).toEqual(expect.any(String));
    expect(resultOf(await end(as, { password: PASSWORD, code: codeOf(secret, 1) }))).toEqual([
      422,
      'Password or code is wrong',
    ]);
  });

  it('accepts a recovery code, and deletes all of them', async () => {
    const { id, recoveryCodes, as } = await enrolled();
    expect((await end(as, { password: PASSWORD, code: recoveryCodes[3] })).status).toBe(200);
    const left = await gateway.database.query('SELECT 1 FROM recovery_codes WHERE user_id = $1', [id]);
    expect(left).toEqual([]);
  });

  it('is limited to ten failures, then returns 429', async () => {
    const { secret, as } = await enrolled();
    for (let time = 0; time < 10; time += 1) {
      expect((await end(as, { password: 'wrong', code: '000000' })).status).toBe(422);
    }
    expect((await end(as, { password: PASSWORD, code: codeOf(secret) })).status).toBe(429);
  });
});
