import { randomUUID } from 'node:crypto';

import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newBrowser } from '#test/support/browser.ts';
import type { ApiResponse, Client } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';

/**
 * Replaces JWT_SECRET without signing out users, and tests password hashes with other parameters.
 */

const OLD = String(SHARED_SECRETS['JWT_SECRET']);
const NEW = 'a new secret of forty characters, for tests';

let gateway: TestGateway;
let rotated: TestNode;
let alone: TestNode;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS, worker: false });
  const databaseUrl = gateway.database.url;
  rotated = await startNode({ databaseUrl, environment: { JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD } });
  alone = await startNode({ databaseUrl, environment: { JWT_SECRET: NEW } });
});
afterAll(async () => {
  await rotated.stop();
  await alone.stop();
  await gateway.stop();
});

interface Credentials {
  readonly email: string;
  readonly password: string;
}

const signIn = (
  client: Client,
  { email, password }: Credentials = gateway.demo.seller,
): Promise<ApiResponse> => client.post('/login', { email, password }, { credential: 'none' });

const me = async (client: Client, response: ApiResponse): Promise<number> =>
  (await client.get('/users/me', { token: String(response.body.accessToken ?? response.body.token) })).status;

describe('a new JWT_SECRET with JWT_SECRET_PREVIOUS', () => {
  it('keeps all users signed in', async () => {
    const before = await signIn(gateway);
    expect(await me(rotated, before)).toBe(200);
    const refreshed = await rotated.post(
      '/auth/refresh',
      { refreshToken: before.body.refreshToken },
      { credential: 'none' },
    );
    expect(await me(rotated, refreshed)).toBe(200);
    // New tokens are signed with the new secret only.
    expect(await me(alone, refreshed)).toBe(200);
    expect(await me(gateway, refreshed)).toBe(401);
  });

  it('keeps browsers signed in', async () => {
    const before = newBrowser(gateway.baseUrl);
    const { email, password } = gateway.demo.seller;
    expect((await before.post('/login', { email, password, session: 'cookie' })).status).toBe(200);
    const after = newBrowser(rotated.baseUrl, before.jar);
    const refreshed = await after.post('/auth/refresh', {});
    expect(refreshed.status).toBe(200);
    expect(await me(alone, refreshed)).toBe(200);
  });

  it('ends tokens of the previous secret when it is removed', async () => {
    const before = await signIn(gateway);
    expect(await me(alone, before)).toBe(401);
    const refreshed = await alone.post(
      '/auth/refresh',
      { refreshToken: before.body.refreshToken },
      { credential: 'none' },
    );
    expect(await me(alone, refreshed)).toBe(200);
  });
});

const hashOf = async (email: string): Promise<string> => {
  const rows = await gateway.database.query<{ password_hash: string }>(
    'SELECT password_hash FROM users WHERE email = $1',
    [email],
  );
  return rows[0]?.password_hash ?? '';
};

async function newUser(): Promise<{ readonly email: string; readonly password: string }> {
  const user = { email: `${randomUUID()}@example.com`, password: 'a long enough password' };
  const wanted = { ...user, name: 'Ana', role: 'SUPPORT' };
  const made = await gateway.post('/admin/users', wanted, { token: await gateway.adminToken() });
  expect(made.status).toBe(201);
  return user;
}

describe('a password hash', () => {
  it('is argon2id with 19 MiB, two passes and a unique salt', async () => {
    const [one, other] = [await hashOf((await newUser()).email), await hashOf((await newUser()).email)];
    for (const kept of [one, other]) expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  it('with other parameters is replaced at the next sign-in, also concurrently', async () => {
    const user = await newUser();
    const cheap = await hash(user.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await gateway.database.query('UPDATE users SET password_hash = $2 WHERE email = $1', [user.email, cheap]);
    const wrong = await signIn(gateway, { ...user, password: 'another password' });
    expect(wrong.status).toBe(401);
    expect(await hashOf(user.email)).toBe(cheap);
    const responses = await Promise.all(Array.from({ length: 4 }, () => signIn(gateway, user)));
    for (const response of responses) expect(await me(gateway, response)).toBe(200);
    const kept = await hashOf(user.email);
    expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await me(gateway, await signIn(gateway, user))).toBe(200);
    // It is not replaced again.
    expect(await hashOf(user.email)).toBe(kept);
  });
});
