import { randomUUID } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newBrowser, type Browser } from '#test/support/browser.ts';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newAdmin, secondApproval } from '#test/support/operator.ts';
import {
  createSoftwareAuthenticator,
  type Falsification,
  type SoftwareAuthenticator,
} from '#test/support/software-authenticator.ts';
import { newSeller } from '#test/support/withdrawals.ts';

const PASSWORD = 'a long enough password';
const STEP_UP_SECONDS = 5 * 60;
const DAY_SECONDS = 86_400;
/** STEP_UP_WITHDRAWAL_ABOVE by default, in cents. */
const LIMIT = 100_000;

let gateway: TestGateway;
let sellerId: string;
let apiKey: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway();
  const seller = await newSeller(gateway, { balance: 1_000_000 });
  sellerId = seller.id;
  apiKey = { apiKey: seller.apiKey };
});
afterAll(() => gateway.stop());

/** A user of the seller who has signed in with a browser. */
interface Person {
  readonly id: string;
  readonly email: string;
  readonly browser: Browser;
  readonly as: CallOptions;
}

async function newPerson(role = 'OWNER'): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const user = { name: 'Bia', email, password: PASSWORD, role };
  const made = await gateway.post(`/admin/sellers/${sellerId}/users`, user, {
    token: await gateway.adminToken(),
  });
  const { id } = await secondApproval(gateway, made);
  const browser = newBrowser(gateway.baseUrl);
  return { id: String(id), email, browser, as: await signIn(browser, email) };
}

const login = (browser: Browser, email: string): Promise<ApiResponse> =>
  browser.post('/login', { email, password: PASSWORD, session: 'cookie' });

async function signIn(browser: Browser, email: string): Promise<CallOptions> {
  const { status, body } = await login(browser, email);
  expect([status, body.twoFactorRequired]).toEqual([200, undefined]);
  return { token: String(body.accessToken) };
}

const newAuthenticator = (): SoftwareAuthenticator =>
  createSoftwareAuthenticator(gateway.baseUrl.replace('127.0.0.1', 'localhost').replace(/\/v1$/, ''));

const register = async (
  { browser, as }: Pick<Person, 'browser' | 'as'>,
  authenticator: SoftwareAuthenticator,
  changes: Falsification = {},
): Promise<ApiResponse> => {
  const { body } = await browser.post('/users/me/passkeys/options', undefined, as);
  const passkey = authenticator.create(body.data, changes);
  return browser.post('/users/me/passkeys', { name: 'Laptop', passkey }, as);
};

interface Enrolled extends Person {
  readonly authenticator: SoftwareAuthenticator;
  readonly recoveryCodes: readonly string[];
}

async function enrolled(): Promise<Enrolled> {
  const person = await newPerson();
  const authenticator = newAuthenticator();
  const { status, body } = await register(person, authenticator);
  expect(status).toBe(201);
  return { ...person, authenticator, recoveryCodes: body.data.recoveryCodes };
}

async function signInWithPasskey(
  browser: Browser,
  authenticator: SoftwareAuthenticator,
  changes: Falsification = {},
): Promise<ApiResponse> {
  const { body } = await browser.post('/login/passkey/options', {});
  const passkey = authenticator.get(body.data, changes);
  return browser.post('/login/passkey', { passkey, session: 'cookie' });
}

const resultOf = ({ status, body }: ApiResponse) => [status, body.code];
const WRONG = [401, 'invalid_credentials'];
const STEP_UP = [403, 'step_up_required'];

const newKey = (as: CallOptions): Promise<ApiResponse> =>
  gateway.post('/api-keys', { name: 'x', role: 'VIEWER' }, as);
const withdraw = (amount: number, as: CallOptions, pixKey = 'ana@example.com'): Promise<ApiResponse> =>
  gateway.post(
    '/withdrawals',
    { amount, method: 'PIX', pixKey, pixKeyType: 'EMAIL' },
    { ...as, idempotencyKey: randomUUID() },
  );

const resetOf = (id: string) => `/users/${id}/second-factor-reset`;

describe('a passkey', () => {
  it('is added with recovery codes, listed, renamed and deleted', async () => {
    const person = await newPerson();
    const other = await signIn(newBrowser(gateway.baseUrl), person.email);
    const added = await register(person, newAuthenticator());
    expect(added.body.data).toMatchObject({ name: 'Laptop', synced: true, lastUsedAt: null });
    expect(added.body.data.recoveryCodes).toHaveLength(10);
    // The first second factor ends the other sessions.
    expect((await gateway.get('/users/me', other)).status).toBe(401);
    const second = await register(person, newAuthenticator());
    expect(second.body.data.recoveryCodes).toBeNull();
    const { id } = second.body.data;
    const path = `/users/me/passkeys/${id}`;
    expect((await gateway.patch(path, { name: 'Phone' }, person.as)).body.data.name).toBe('Phone');
    const listed = await gateway.get('/users/me/passkeys', person.as);
    expect(listed.body.data.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Phone']);
    const me = await gateway.get('/users/me', person.as);
    expect(me.body.data.twoFactor).toEqual({ active: false, passkeys: 2, recoveryCodesLeft: 10 });
    const otherPerson = await newPerson();
    expect(resultOf(await gateway.delete(path, otherPerson.as))).toEqual([404, 'passkey_not_found']);
    for (const passkeyId of [id, added.body.data.id])
      expect((await gateway.delete(`/users/me/passkeys/${passkeyId}`, person.as)).status).toBe(200);
    await signIn(newBrowser(gateway.baseUrl), person.email);
  });

  it('leaves no authenticator app to disable', async () => {
    const { as, recoveryCodes } = await enrolled();
    const body = { password: PASSWORD, code: recoveryCodes[0] };
    const disabled = await gateway.call('DELETE', '/users/me/two-factor', body, as);
    expect(resultOf(disabled)).toEqual([422, 'wrong_password_or_code']);
    const me = await gateway.get('/users/me', as);
    expect(me.body.data.twoFactor).toEqual({ active: false, passkeys: 1, recoveryCodesLeft: 10 });
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['no verified user', { userVerified: false }],
  ])('is neither added nor used with %s', async (_, changes) => {
    const person = await enrolled();
    expect(resultOf(await register(person, newAuthenticator(), changes))).toEqual([422, 'wrong_passkey']);
    const browser = newBrowser(gateway.baseUrl);
    expect(resultOf(await signInWithPasskey(browser, person.authenticator, changes))).toEqual(WRONG);
    expect((await signInWithPasskey(browser, person.authenticator)).status).toBe(200);
  });

  it('signs in without a password', async () => {
    const { email, authenticator, id } = await enrolled();
    const browser = newBrowser(gateway.baseUrl);
    const { status, body } = await signInWithPasskey(browser, authenticator);
    expect([status, body.user.id, body.user.email]).toEqual([200, id, email]);
    expect([...browser.jar.keys()].toSorted()).toEqual(['device', 'passkey', 'refresh']);
    expect((await browser.post('/auth/refresh', {})).status).toBe(200);
    const as = { token: String(body.accessToken) };
    const [passkey] = (await gateway.get('/users/me/passkeys', as)).body.data;
    expect(passkey.lastUsedAt).toEqual(expect.any(String));
  });

  it('signs in from a known browser, however it describes itself, without an email about a new one', async () => {
    const { authenticator, as } = await enrolled();
    const signInAs = async (browser: Browser, userAgent: string) => {
      const { body } = await browser.post('/login/passkey/options', {});
      const sent = { passkey: authenticator.get(body.data), session: 'cookie' };
      const headers = { 'user-agent': userAgent };
      expect((await browser.post('/login/passkey', sent, { headers })).status).toBe(200);
    };
    const countNew = async () => {
      const { body } = await gateway.get('/users/me/notification-feed?take=100', as);
      return body.data.filter(({ kind }: { readonly kind: string }) => kind === 'new-device').length;
    };
    const known = newBrowser(gateway.baseUrl);
    await signInAs(known, 'Firefox/140.0');
    const before = await countNew();
    await signInAs(known, 'Edg/140.0');
    expect(await countNew()).toBe(before);
    await signInAs(newBrowser(gateway.baseUrl), 'OPR/120.0');
    expect(await countNew()).toBe(before + 1);
  });

  it('is accepted once per challenge, for the browser and purpose it was issued for', async () => {
    const { authenticator, browser, as } = await enrolled();
    const mine = newBrowser(gateway.baseUrl);
    const { data } = (await mine.post('/login/passkey/options', {})).body;
    expect(data.allowCredentials).toEqual([]);
    const passkey = authenticator.get(data);
    const asked = newBrowser(gateway.baseUrl);
    await asked.post('/login/passkey/options', {});
    expect(resultOf(await asked.post('/login/passkey', { passkey }))).toEqual(WRONG);
    expect(resultOf(await newBrowser(gateway.baseUrl).post('/login/passkey', { passkey }))).toEqual([
      401,
      'invalid_challenge',
    ]);
    expect(resultOf(await browser.post('/auth/step-up', { passkey }, as))).toEqual([422, 'wrong_passkey']);
    expect((await mine.post('/login/passkey', { passkey })).status).toBe(200);
    expect(resultOf(await mine.post('/login/passkey', { passkey }))).toEqual(WRONG);
    // A counter that does not advance belongs to a copy of the authenticator.
    expect(resultOf(await signInWithPasskey(mine, authenticator, { count: 1 }))).toEqual(WRONG);
    const late = (await mine.post('/login/passkey/options', {})).body.data;
    await gateway.advance(STEP_UP_SECONDS + 1);
    const response = authenticator.get(late);
    expect(resultOf(await mine.post('/login/passkey', { passkey: response }))).toEqual(WRONG);
  });

  it('is the second factor after the password', async () => {
    const { email, authenticator, recoveryCodes } = await enrolled();
    const browser = newBrowser(gateway.baseUrl);
    const [first, second] = [await login(browser, email), await login(browser, email)];
    expect(first.body).toMatchObject({ twoFactorRequired: true, methods: ['passkey', 'recoveryCode'] });
    const { challenge } = first.body;
    const { data } = (await browser.post('/login/passkey/options', { challenge })).body;
    expect(data.allowCredentials).toHaveLength(1);
    const passkey = authenticator.get(data);
    const other = await browser.post('/login/two-factor', { challenge: second.body.challenge, passkey });
    expect(resultOf(other)).toEqual(WRONG);
    const signedIn = await browser.post('/login/two-factor', { challenge, passkey, session: 'cookie' });
    expect(signedIn.status).toBe(200);
    const recovery = { challenge: second.body.challenge, recoveryCode: recoveryCodes[0] };
    expect((await browser.post('/login/two-factor', recovery)).status).toBe(200);
  });
});

describe('step-up', () => {
  it('is required in a browser five minutes after the sign-in, for sensitive operations', async () => {
    const { as, authenticator, browser, email } = await enrolled();
    expect([(await newKey(as)).status, (await withdraw(1_000, as)).status]).toEqual([201, 201]);
    const { challenge } = (await login(browser, email)).body;
    const { data } = (await browser.post('/login/passkey/options', { challenge })).body;
    const program = await browser.post('/login/two-factor', { challenge, passkey: authenticator.get(data) });
    await gateway.advance(STEP_UP_SECONDS + 1);
    const refused = await Promise.all([
      newKey(as),
      withdraw(LIMIT + 1, as),
      withdraw(1_000, as, 'new@example.com'),
      gateway.post('/webhooks/postback-secret/rotate', undefined, as),
      gateway.post('/users/me/passkeys/options', undefined, as),
      gateway.post('/users/me/two-factor', { password: PASSWORD }, as),
      gateway.call('DELETE', '/users/me/two-factor', { password: PASSWORD, code: '123456' }, as),
      gateway.delete(`/users/me/passkeys/${randomUUID()}`, as),
      gateway.post(`/users/${randomUUID()}/second-factor-reset`, undefined, as),
    ]);
    expect(refused.map(resultOf)).toEqual(refused.map(() => STEP_UP));
    expect((await withdraw(LIMIT, as)).status).toBe(201);
    // Programs have no browser that could be taken over.
    const token = { token: String(program.body.accessToken) };
    expect([(await newKey(token)).status, (await withdraw(LIMIT + 1, apiKey)).status]).toEqual([201, 201]);
    const asked = await gateway.post('/auth/step-up/options', undefined, as);
    const passkey = authenticator.get(asked.body.data);
    const done = await gateway.post('/auth/step-up', { passkey }, as);
    expect([done.status, Date.parse(done.body.data.validUntil)]).toEqual([200, expect.any(Number)]);
    expect([(await newKey(as)).status, (await withdraw(LIMIT + 1, as)).status]).toEqual([201, 201]);
    expect((await withdraw(1_000, as, 'new@example.com')).status).toBe(201);
    expect(resultOf(await gateway.post('/auth/step-up', { passkey }, as))).toEqual([422, 'wrong_passkey']);
  });

  it('accepts the password or a code, and no API key', async () => {
    const { as } = await newPerson();
    const begun = await gateway.post('/users/me/two-factor', { password: PASSWORD }, as);
    const totp = new TOTP({ secret: Secret.fromBase32(String(begun.body.data.secret)) });
    await gateway.post('/users/me/two-factor/confirm', { code: totp.generate() }, as);
    const next = totp.generate({ timestamp: Date.now() + 30_000 });
    for (const proof of [{ password: PASSWORD }, { code: next }]) {
      await gateway.advance(STEP_UP_SECONDS + 1);
      expect(resultOf(await newKey(as))).toEqual(STEP_UP);
      expect((await gateway.post('/auth/step-up', proof, as)).status).toBe(200);
      expect((await newKey(as)).status).toBe(201);
    }
    const wrong = await gateway.post('/auth/step-up', { password: 'another password' }, as);
    expect(resultOf(wrong)).toEqual([422, 'wrong_password']);
    for (const proof of [{}, { password: PASSWORD, code: next }])
      expect((await gateway.post('/auth/step-up', proof, as)).status).toBe(400);
    const refused = await gateway.post('/auth/step-up', { password: PASSWORD }, apiKey);
    expect(resultOf(refused)).toEqual([403, 'permission_denied']);
  });
});

/** The subjects of the mails about resets, newest first. */
async function resetMails(email: string): Promise<readonly string[]> {
  const token = await gateway.adminToken();
  const { body } = await gateway.get(`/sandbox/mails?to=${email}`, { token });
  return body.data
    .map(({ subject }: { readonly subject: string }) => subject)
    .filter((subject: string) => /duas etapas de (Bia|Caio)/.test(subject));
}

describe('the reset of a lost second factor', () => {
  it('removes it after a day, and the user can cancel it until then', async () => {
    const owner = await newPerson();
    const colleague = await newPerson();
    const member = await enrolled();
    const path = resetOf(member.id);
    const request = async () => gateway.post(path, undefined, await ownerToken());
    const ownerToken = () => signIn(newBrowser(gateway.baseUrl), owner.email);
    expect(resultOf(await gateway.post(resetOf(owner.id), undefined, owner.as))).toEqual([
      422,
      'cannot_reset_self',
    ]);
    expect((await request()).status).toBe(201);
    expect(resultOf(await request())).toEqual([422, 'second_factor_reset_pending']);
    const shown = (await gateway.get('/users/me', member.as)).body.data.secondFactorResetAt;
    expect(shown).toEqual(expect.any(String));
    expect((await gateway.delete('/users/me/second-factor-reset', member.as)).status).toBe(200);
    expect(resultOf(await gateway.delete(path, await ownerToken()))).toEqual([
      404,
      'second_factor_reset_not_found',
    ]);
    const canceled = [
      'Redefinição da verificação em duas etapas de Bia cancelada',
      'Redefinição da verificação em duas etapas de Bia solicitada',
    ];
    const concerned = [member.email, owner.email, colleague.email];
    for (const email of concerned) expect(await resetMails(email)).toEqual(canceled);
    await request();
    await gateway.advance(DAY_SECONDS - 60);
    expect((await login(newBrowser(gateway.baseUrl), member.email)).body.twoFactorRequired).toBe(true);
    await gateway.advance(61);
    await expect
      .poll(async () => (await login(newBrowser(gateway.baseUrl), member.email)).body.accessToken, {
        timeout: 10_000,
      })
      .toEqual(expect.any(String));
    const again = await signInWithPasskey(newBrowser(gateway.baseUrl), member.authenticator);
    expect(resultOf(again)).toEqual(WRONG);
    expect(resultOf(await request())).toEqual([422, 'second_factor_not_active']);
    for (const email of concerned)
      expect((await resetMails(email))[0]).toBe('Verificação em duas etapas de Bia redefinida');
  });

  it('is canceled when the user removes the last one, and spares those set up afterward', async () => {
    const owner = await newPerson();
    const member = await enrolled();
    expect((await gateway.post(resetOf(member.id), undefined, owner.as)).status).toBe(201);
    const [passkey] = (await gateway.get('/users/me/passkeys', member.as)).body.data;
    expect((await gateway.delete(`/users/me/passkeys/${passkey.id}`, member.as)).status).toBe(200);
    expect((await gateway.get('/users/me', member.as)).body.data.secondFactorResetAt).toBeNull();
    expect((await resetMails(member.email))[0]).toBe(
      'Redefinição da verificação em duas etapas de Bia cancelada',
    );
    const token = await gateway.adminToken();
    const mails = await gateway.get(`/sandbox/mails?to=${member.email}`, { token });
    const texts = mails.body.data.map(({ text }: { readonly text: string }) => text).join('\n');
    expect(texts).toContain('Ela não removerá o autenticador');
    expect(texts).not.toContain('continua ativa');
    expect((await register(member, newAuthenticator())).status).toBe(201);
  });

  it('of an operator is approved by a second ADMIN', async () => {
    const admin: CallOptions = { token: await gateway.adminToken() };
    const email = `${randomUUID()}@example.com`;
    const user = { name: 'Caio', email, password: PASSWORD, role: 'SUPPORT' };
    const { id } = (await gateway.post('/admin/users', user, admin)).body.data;
    const browser = newBrowser(gateway.baseUrl);
    await register({ browser, as: await signIn(browser, email) }, newAuthenticator());
    const second = await newAdmin(gateway);
    const asked = await gateway.post(`/admin${resetOf(id)}`, undefined, admin);
    expect([asked.status, asked.body.data.action]).toEqual([202, 'second-factor.reset']);
    const approved = await gateway.post(`/admin/approvals/${asked.body.data.id}/approve`, undefined, second);
    expect(approved.body.data.result).toEqual({ userId: id, dueAt: expect.any(String) });
    expect((await gateway.delete(`/admin${resetOf(id)}`, admin)).status).toBe(200);
    for (const to of [email, gateway.demo.admin.email, second.email])
      expect(await resetMails(to)).toHaveLength(2);
  });
});
