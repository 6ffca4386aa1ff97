import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { newBrowser } from '#test/support/browser.ts';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';

const PASSWORD = 'a long enough password';
const NO_CREDENTIAL: CallOptions = { credential: 'none' };

let gateway: TestGateway;
let seller: TestSeller;

beforeAll(async () => {
  gateway = await startTestGateway();
  seller = await newSeller(gateway);
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  // Failures and anonymous clients are counted by the system clock.
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

const login = (
  email: string,
  password = PASSWORD,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> => {
  // The clock is frozen here, and later tokens must be newer.
  vi.setSystemTime(Date.now() + 10);
  return gateway.post('/login', { email, password }, { ...NO_CREDENTIAL, headers });
};

async function newPerson(role = 'OWNER', sellerId = seller.id): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  vi.setSystemTime(Date.now() + 10);
  const made = await gateway.post(
    `/admin/sellers/${sellerId}/users`,
    { name: 'Bia', email, password: PASSWORD, role },
    { token: await gateway.adminToken() },
  );
  expect(made.status).toBe(201);
  const { body } = await login(email);
  return { id: String(made.body.data.id), email, as: { token: String(body.accessToken) } };
}

const resultOf = ({ status, body }: ApiResponse) => [status, body.message];
const works = async (as: CallOptions) => (await gateway.get('/users/me', as)).status;

const change = (as: CallOptions, currentPassword: string, newPassword: string) =>
  gateway.post('/users/me/password', { currentPassword, newPassword }, as);

describe('the own account', () => {
  it('returns the user and the seller', async () => {
    const { id, email, as } = await newPerson('FINANCE');
    expect((await gateway.get('/users/me', as)).body.data).toEqual({
      id,
      name: 'Bia',
      email,
      role: 'FINANCE',
      seller: { id: seller.id, name: 'Loja', status: 'ACTIVE' },
      twoFactor: { active: false, passkeys: 0, recoveryCodesLeft: null },
      secondFactorResetAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    const admin = await gateway.get('/users/me', { token: await gateway.adminToken() });
    expect(admin.body.data).toMatchObject({ role: 'ADMIN', seller: null });
  });

  it('is accessible whatever the seller status, but not with an API key', async () => {
    const closed = await newSeller(gateway);
    const { as } = await newPerson('OWNER', closed.id);
    const admin = { token: await gateway.adminToken() };
    await gateway.patch(`/admin/sellers/${closed.id}`, { status: 'SUSPENDED' }, admin);
    const me = await gateway.get('/users/me', as);
    expect(me.body.data.seller.status).toBe('SUSPENDED');
    expect((await gateway.get('/users', as)).status).toBe(403);
    expect((await gateway.get('/users/me', { apiKey: seller.apiKey })).status).toBe(403);
  });

  it('accepts a new name, effective at once and everywhere', async () => {
    const { as } = await newPerson();
    const changed = await gateway.patch(
      '/users/me',
      { name: 'Bia Lima', role: 'ADMIN', email: 'x@y.co' },
      as,
    );
    expect(changed.body.data).toMatchObject({ name: 'Bia Lima', role: 'OWNER' });
    expect((await gateway.patch('/users/me', { name: ' ' }, as)).body.message).toEqual([
      'name should not be empty',
    ]);
  });
});

describe('a password change', () => {
  it('takes effect at once and ends all sessions except the current one', async () => {
    const { email, as } = await newPerson();
    const here = await login(email);
    const browser = newBrowser(gateway.baseUrl);
    const there = await browser.post('/login', { email, password: PASSWORD, session: 'cookie' });
    const next = 'six other words are longer';
    expect((await change({ token: here.body.accessToken }, PASSWORD, next)).status).toBe(200);
    expect(await works({ token: here.body.accessToken })).toBe(200);
    const kept = { refreshToken: here.body.refreshToken };
    expect((await gateway.post('/auth/refresh', kept, NO_CREDENTIAL)).status).toBe(200);
    expect(await works({ token: there.body.accessToken })).toBe(401);
    expect(await works(as)).toBe(401);
    expect((await browser.post('/auth/refresh', {})).status).toBe(401);
    expect((await login(email)).status).toBe(401);
    expect((await login(email, next)).status).toBe(200);
  });

  it.each([
    ['password1234', 'newPassword is too common'],
    ['Dona Bia 2026', undefined],
    ['bia bia bia', 'newPassword is too common'],
    ['a'.repeat(201), 'newPassword must be shorter than or equal to 200 characters'],
  ])('rejects %s as %s', async (next, message) => {
    const { as, email } = await newPerson();
    const changed = await change(as, PASSWORD, next);
    expect([changed.status, changed.body.message]).toEqual(
      message === undefined ? [200, undefined] : [400, [message]],
    );
    expect((await login(email)).status).toBe(message === undefined ? 401 : 200);
  });

  it('invalidates known devices', async () => {
    const { as, email } = await newPerson();
    const browser = newBrowser(gateway.baseUrl);
    const signIn = (password: string) => browser.post('/login', { email, password, session: 'cookie' });
    await signIn(PASSWORD);
    const known = browser.jar.get('device')?.value;
    await signIn(PASSWORD);
    expect(browser.jar.get('device')?.value).toBe(known);
    await change(as, PASSWORD, 'six other words are longer');
    await signIn('six other words are longer');
    expect(browser.jar.get('device')?.value).not.toBe(known);
  });

  it('requires 12 characters for an operator user', async () => {
    const admin = { token: await gateway.adminToken() };
    const { password } = gateway.demo.admin;
    const short = await change(admin, password, 'Xk7-pqTz-mm');
    expect(short.body.message).toEqual(['newPassword must be longer than or equal to 12 characters']);
    expect(short.body.errors).toEqual([expect.objectContaining({ path: 'newPassword', code: 'too_short' })]);
  });

  it('requires the current password and limits attempts', async () => {
    const { as, email } = await newPerson();
    for (let time = 0; time < 10; time += 1) {
      expect(resultOf(await change(as, 'wrong', 'another password'))).toEqual([422, 'Password is wrong']);
    }
    expect((await change(as, PASSWORD, 'another password')).status).toBe(429);
    // Failures with a stolen token do not prevent the owner from changing the password in another
    // session.
    const other = { token: String((await login(email)).body.accessToken) };
    expect(resultOf(await change(other, 'wrong', 'another password'))).toEqual([422, 'Password is wrong']);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    expect((await change(as, PASSWORD, 'short')).body.message).toEqual([
      'newPassword must be longer than or equal to 10 characters',
    ]);
    expect((await change(as, PASSWORD, 'another password')).status).toBe(200);
  });
});

describe('sessions', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const PHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/18.0 Mobile/15E148 Safari/604.1';

  it('are listed newest first with browser, masked address and a mark for the current one', async () => {
    const { email } = await newPerson();
    await login(email, PASSWORD, { 'user-agent': PHONE });
    const here = await login(email, PASSWORD, { 'user-agent': FIREFOX });
    const list = await gateway.get('/users/me/sessions', { token: here.body.accessToken });
    expect(list.body.count).toBe(3);
    expect(list.body.data.slice(0, 2)).toEqual([
      {
        id: expect.any(String),
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        browser: 'Firefox on Linux',
        address: '127.0.*.*',
        current: true,
      },
      expect.objectContaining({ browser: 'Safari on iPhone', current: false }),
    ]);
  });

  it('contain the time of the last use, and are removed when expired', async () => {
    const { email } = await newPerson();
    const here = await login(email);
    await gateway.advance(3 * 86_400);
    const sent = { refreshToken: here.body.refreshToken };
    const next = await gateway.post('/auth/refresh', sent, NO_CREDENTIAL);
    const as = { token: next.body.token };
    const [, first, ...others] = [{}, ...(await gateway.get('/users/me/sessions', as)).body.data];
    expect(others).toHaveLength(1);
    const used = Date.parse(first.lastUsedAt) - Date.parse(first.createdAt);
    expect(used).toBeGreaterThan(2.9 * 86_400_000);
    await gateway.advance(5 * 86_400);
    const later = await gateway.post(
      '/auth/refresh',
      { refreshToken: next.body.refreshToken },
      NO_CREDENTIAL,
    );
    const left = await gateway.get('/users/me/sessions', { token: later.body.token });
    expect(left.body.count).toBe(1);
  });

  it('can be ended one by one, with all their tokens', async () => {
    const { email, as } = await newPerson();
    const lost = await login(email);
    const listed = (await gateway.get('/users/me/sessions', as)).body.data;
    const other = listed.find(({ current }: { current: boolean }) => !current);
    expect(await works({ token: lost.body.accessToken })).toBe(200);
    const ended = await gateway.delete(`/users/me/sessions/${String(other.id).toUpperCase()}`, as);
    expect(ended.body.data).toEqual({ id: other.id });
    expect(await works({ token: lost.body.accessToken })).toBe(401);
    const sent = { refreshToken: lost.body.refreshToken };
    expect((await gateway.post('/auth/refresh', sent, NO_CREDENTIAL)).status).toBe(401);
    expect(await works(as)).toBe(200);
    expect((await gateway.delete(`/users/me/sessions/${other.id}`, as)).status).toBe(404);
  });

  it('of other users are not found and do not change', async () => {
    const [mine, theirs] = [await newPerson(), await newPerson()];
    const [session] = (await gateway.get('/users/me/sessions', theirs.as)).body.data;
    for (const id of [session.id, randomUUID(), 'x']) {
      expect(resultOf(await gateway.delete(`/users/me/sessions/${id}`, mine.as))).toEqual([
        404,
        'Session not found',
      ]);
    }
    expect(await works(theirs.as)).toBe(200);
  });

  it('remove their cookie when they end themselves', async () => {
    const { email } = await newPerson();
    const browser = newBrowser(gateway.baseUrl);
    const { body } = await browser.post('/login', { email, password: PASSWORD, session: 'cookie' });
    const as = { token: String(body.accessToken) };
    const listed = (await gateway.get('/users/me/sessions', as)).body.data;
    const here = listed.find(({ current }: { current: boolean }) => current);
    expect((await browser.call('DELETE', `/users/me/sessions/${here.id}`, undefined, as)).status).toBe(200);
    expect([...browser.jar.keys()]).toEqual(['device']);
    expect(await works(as)).toBe(401);
  });
});

describe('the team', () => {
  it('is managed by an owner, and deleting a user ends the sessions at once', async () => {
    const mine = await newSeller(gateway);
    const owner = await newPerson('OWNER', mine.id);
    const email = `${randomUUID()}@example.com`;
    const wanted = { name: 'Caio', email: email.toUpperCase(), password: PASSWORD, role: 'FINANCE' };
    const made = await gateway.post('/users', wanted, owner.as);
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect(made.body.data).toMatchObject({ name: 'Caio', email, role: 'FINANCE' });
    const list = await gateway.get('/users?take=2', owner.as);
    expect(list.body.count).toBe(3);
    expect(list.body.data.map((one: { id: string }) => one.id)).toEqual([id, owner.id]);
    expect(list.body.nextCursor).toEqual(expect.any(String));

    const caio = { token: String((await login(email)).body.accessToken) };
    expect((await gateway.get('/api-keys', caio)).status).toBe(200);
    expect((await gateway.post('/api-keys', { name: 'till', role: 'VIEWER' }, caio)).status).toBe(403);
    const changed = await gateway.patch(`/users/${id.toUpperCase()}`, { role: 'DEVELOPER' }, owner.as);
    expect(changed.body.data).toMatchObject({ id, name: 'Caio', role: 'DEVELOPER' });
    expect((await gateway.post('/api-keys', { name: 'till', role: 'VIEWER' }, caio)).status).toBe(201);

    expect((await gateway.delete(`/users/${id}`, owner.as)).body.data).toEqual({ id });
    expect(await works(caio)).toBe(401);
    expect((await login(email)).status).toBe(401);
  });

  it('is readable by all roles and writable only by owners, not by API keys', async () => {
    const made = { name: 'Caio', email: `${randomUUID()}@example.com`, password: PASSWORD, role: 'OWNER' };
    for (const role of ['FINANCE', 'DEVELOPER', 'VIEWER']) {
      const { id, as } = await newPerson(role);
      expect((await gateway.get('/users', as)).status).toBe(200);
      expect((await gateway.post('/users', made, as)).status).toBe(403);
      expect((await gateway.patch(`/users/${id}`, { role: 'OWNER' }, as)).status).toBe(403);
      expect((await gateway.delete(`/users/${id}`, as)).status).toBe(403);
    }
    expect((await gateway.post('/users', made, seller)).status).toBe(403);
  });

  it('keeps at least one owner, and users cannot delete themselves', async () => {
    const mine = await newSeller(gateway);
    const owner = await newPerson('OWNER', mine.id);
    const [first] = (await gateway.get('/users', owner.as)).body.data.filter(
      (one: { id: string }) => one.id !== owner.id,
    );
    expect((await gateway.delete(`/users/${first.id}`, owner.as)).status).toBe(200);
    expect(resultOf(await gateway.delete(`/users/${owner.id}`, owner.as))).toEqual([
      422,
      'You cannot delete yourself',
    ]);
    expect(resultOf(await gateway.patch(`/users/${owner.id}`, { role: 'VIEWER' }, owner.as))).toEqual([
      422,
      'A seller must keep at least one OWNER',
    ]);
    expect(
      (await gateway.patch(`/users/${owner.id}`, { role: 'OWNER', name: 'Bia L' }, owner.as)).status,
    ).toBe(200);
  });

  it('keeps an owner under concurrent deletions', async () => {
    for (let round = 0; round < 5; round += 1) {
      const mine = await newSeller(gateway);
      const [one, other] = [await newPerson('OWNER', mine.id), await newPerson('OWNER', mine.id)];
      const [first] = (await gateway.get('/users?take=3', one.as)).body.data.slice(-1);
      expect((await gateway.delete(`/users/${first.id}`, one.as)).status).toBe(200);
      const responses = await Promise.all([
        gateway.delete(`/users/${other.id}`, one.as),
        gateway.patch(`/users/${one.id}`, { role: 'VIEWER' }, other.as),
      ]);
      expect(responses.filter(({ status }) => status === 200).length).toBeLessThan(2);
      const owners = await gateway.database.query(
        `SELECT 1 FROM users WHERE seller_id = $1 AND role = 'OWNER'`,
        [mine.id],
      );
      expect(owners.length).toBeGreaterThan(0);
      vi.setSystemTime(Date.now() + 61_000);
    }
  });

  it('returns 404 for users of another seller, and rejects an email in use', async () => {
    const { as } = await newPerson();
    const foreign = await newPerson('VIEWER', (await newSeller(gateway)).id);
    for (const id of [foreign.id, randomUUID(), 'x']) {
      expect(resultOf(await gateway.patch(`/users/${id}`, { role: 'OWNER' }, as))).toEqual([
        404,
        'User not found',
      ]);
      expect(resultOf(await gateway.delete(`/users/${id}`, as))).toEqual([404, 'User not found']);
    }
    expect(await works(foreign.as)).toBe(200);
    const taken = { name: 'X', email: foreign.email, password: PASSWORD, role: 'VIEWER' };
    expect(resultOf(await gateway.post('/users', taken, as))).toEqual([422, 'Email is already in use']);
    expect((await gateway.post('/users', { ...taken, role: 'ADMIN' }, as)).body.message).toEqual([
      'role must be one of the following values: OWNER, FINANCE, DEVELOPER, VIEWER',
    ]);
  });
});
