import { randomBytes, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { hashCredential, newApiKey } from '#platform/kit/ids.ts';
import { hasPermission } from '#platform/kit/permissions.ts';
import type { CallOptions } from '#test/support/client.ts';
import { errorBody } from '#test/support/errors.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { createSoftwareAuthenticator } from '#test/support/software-authenticator.ts';

const NO_CREDENTIAL = { credential: 'none' } as const;
const PRODUCTION = {
  MODE: 'production',
  PUBLIC_URL: 'https://pay.example.com',
  JWT_SECRET: 'a secret of forty characters for tests!!',
  ENCRYPTION_KEY: randomBytes(32).toString('hex'),
};

const ADMIN = { email: 'operator@example.com', password: 'a long enough password' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    environment: { ...PRODUCTION, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  });
});
afterAll(() => gateway.stop());

describe('an operator user without two-factor authentication, in production', () => {
  it('can only read its account, add a second factor and sign out', async () => {
    const allowed = new Set([
      'GET /v1/users/me',
      'POST /v1/users/me/two-factor',
      'POST /v1/users/me/two-factor/confirm',
      'POST /v1/users/me/passkeys/options',
      'POST /v1/users/me/passkeys',
      'POST /v1/auth/step-up/options',
      'POST /v1/auth/step-up',
      'POST /v1/auth/logout',
    ]);
    const refused: string[] = [];
    const signedIn = await gateway.post('/login', ADMIN, NO_CREDENTIAL);
    const as: CallOptions = { token: String(signedIn.body.accessToken) };
    for (const { method, url, access } of gateway.routes) {
      const name = `${method} ${url}`;
      if (access === 'public' || method === 'HEAD' || allowed.has(name)) continue;
      const path = url.replace('/v1', '').replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000');
      const response = await gateway.call(method, path, undefined, as);
      const code = hasPermission('ADMIN', access) ? 'second_factor_required' : 'permission_denied';
      expect([name, response.status, response.body]).toEqual([name, 403, errorBody(code)]);
      if (code === 'second_factor_required') refused.push(name);
    }
    expect(refused).toContain('GET /v1/admin/sellers');
    expect(refused).toContain('POST /v1/users/me/password');
    expect((await gateway.get('/users/me', as)).body.data.twoFactor.active).toBe(false);
  });

  it('can do everything with a passkey of the host of PUBLIC_URL', async () => {
    const signedIn = await gateway.post('/login', ADMIN, NO_CREDENTIAL);
    const as: CallOptions = { token: String(signedIn.body.accessToken) };
    const { data } = (await gateway.post('/users/me/passkeys/options', undefined, as)).body;
    expect(data.rp.id).toBe('pay.example.com');
    const passkey = createSoftwareAuthenticator(PRODUCTION.PUBLIC_URL).create(data);
    const added = await gateway.post('/users/me/passkeys', { passkey }, as);
    expect(added.status).toBe(201);
    expect((await gateway.get('/admin/sellers', as)).status).toBe(200);
    await gateway.delete(`/users/me/passkeys/${added.body.data.id}`, as);
    expect((await gateway.get('/admin/sellers', as)).body.code).toBe('second_factor_required');
  });

  it('can do everything once two-factor authentication is confirmed', async () => {
    const token = await gateway.adminToken();
    expect((await gateway.get('/admin/sellers', { token })).status).toBe(200);
    const next = await gateway.adminToken();
    expect((await gateway.get('/admin/sellers', { token: next })).status).toBe(200);
  });
});

describe('credentials of the sandbox, in production', () => {
  const seller = {
    name: 'Loja',
    documentType: 'CNPJ',
    document: '11222333000181',
    ownerName: 'Dona',
    ownerEmail: 'dona@example.com',
    ownerPassword: 'a long password',
  };
  const owner = { email: seller.ownerEmail, password: seller.ownerPassword };
  let sellerId: string;
  beforeAll(async () => {
    const token = await gateway.adminToken();
    sellerId = String((await gateway.post('/admin/sellers', seller, { token })).body.data.id);
  });

  it('include test keys, which are refused, unlike live keys', async () => {
    for (const [mode, status] of [
      ['test', 401],
      ['live', 200],
    ] as const) {
      const apiKey = newApiKey(mode);
      await gateway.database.query(
        `INSERT INTO api_keys (seller_id, id, name, prefix, role, key_hash, created_at)
         VALUES ($1, $2, 'k', 'sk', 'OWNER', $3, now())`,
        [sellerId, randomUUID(), hashCredential(apiKey)],
      );
      expect((await gateway.get('/transactions', { apiKey })).status).toBe(status);
    }
  });

  it('include the demo users, who are refused along with their tokens', async () => {
    const { body } = await gateway.post('/login', owner, NO_CREDENTIAL);
    const as: CallOptions = { token: String(body.accessToken) };
    expect((await gateway.get('/users/me', as)).status).toBe(200);
    await gateway.database.query('UPDATE users SET demo = true WHERE email = $1', [owner.email]);
    await vi.waitFor(async () => expect((await gateway.get('/users/me', as)).status).toBe(401), 5_000);
    const refreshed = await gateway.post('/auth/refresh', { refreshToken: body.refreshToken }, NO_CREDENTIAL);
    expect(refreshed.status).toBe(401);
    const again = await gateway.post('/login', owner, NO_CREDENTIAL);
    expect([again.status, again.body]).toEqual([401, errorBody('invalid_credentials')]);
  });
});
