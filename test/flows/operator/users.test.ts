import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newAdmin, secondApproval } from '#test/support/operator.ts';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { bodyOf } from '#test/support/errors.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';

const PASSWORD = 'a long enough password';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let gateway: TestGateway;
let other: TestNode;
let admin: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  other = await startNode({ databaseUrl: gateway.database.url });
  admin = { token: await gateway.adminToken() };
});
afterAll(async () => {
  await other.stop();
  await gateway.stop();
});

const newUser = (changes: Readonly<Record<string, unknown>> = {}) => ({
  name: 'Bia Lima',
  email: `${randomUUID()}@example.com`,
  password: PASSWORD,
  ...changes,
});

const login = (email: string, password = PASSWORD): Promise<ApiResponse> =>
  gateway.post('/login', { email, password }, { credential: 'none' });

async function signedIn(email: string): Promise<CallOptions> {
  const response = await login(email);
  expect(response.status).toBe(200);
  return { token: response.body.accessToken };
}

const resultOf = ({ status, body }: ApiResponse): unknown => ({ status, body });
const refusal = (status: number, message: unknown): unknown => ({ status, body: bodyOf(status, message) });

const createFor = (sellerId: string, body: unknown): Promise<ApiResponse> =>
  gateway.post(`/admin/sellers/${sellerId}/users`, body, admin);
const create = (body: unknown, as = admin): Promise<ApiResponse> => gateway.post('/admin/users', body, as);
const remove = (id: string, as = admin): Promise<ApiResponse> => gateway.delete(`/admin/users/${id}`, as);

describe('POST /admin/sellers/{id}/users', () => {
  it('creates a user of each role, who can sign in and act for that seller', async () => {
    const sellerId = gateway.demo.seller.id;
    for (const role of ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER']) {
      const body = newUser({ role, email: `${role}-${randomUUID()}@Example.com` });
      const made = await createFor(sellerId, body);
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        status: true,
        data: {
          id: expect.stringMatching(UUID),
          sellerId,
          name: 'Bia Lima',
          email: body.email.toLowerCase(),
          role,
          secondFactorResetAt: null,
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      });
      const session = await login(body.email);
      expect(session.body.user).toEqual({
        id: made.body.data.id,
        name: 'Bia Lima',
        email: body.email.toLowerCase(),
        role,
      });
      const wallet = await gateway.get('/seller-wallet/gestao', { token: session.body.accessToken });
      expect(wallet.body.data.sellerId).toBe(sellerId);
    }
  });

  it('rejects an email in use by anyone, in any letter case', async () => {
    const taken = newUser({ role: 'VIEWER' });
    expect((await createFor(gateway.demo.seller.id, taken)).status).toBe(201);
    for (const email of [taken.email, taken.email.toUpperCase(), gateway.demo.admin.email]) {
      const response = await createFor(gateway.demo.seller.id, newUser({ role: 'VIEWER', email }));
      expect(resultOf(response)).toEqual(refusal(422, 'Email is already in use'));
    }
    const both = newUser({ role: 'VIEWER' });
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => createFor(gateway.demo.seller.id, both)),
    );
    expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([
      201, 422, 422, 422, 422,
    ]);
  });

  it('reports all violations at once', async () => {
    const response = await createFor(gateway.demo.seller.id, {
      name: '',
      email: 'bia',
      password: 'short',
      role: 'ADMIN',
    });
    expect(resultOf(response)).toEqual(
      refusal(400, [
        'name should not be empty',
        'email must be an email',
        'password must be longer than or equal to 10 characters',
        'role must be one of the following values: OWNER, FINANCE, DEVELOPER, VIEWER',
      ]),
    );
    const blank = await createFor(
      gateway.demo.seller.id,
      newUser({ role: 'VIEWER', password: ' '.repeat(10) }),
    );
    expect(resultOf(blank)).toEqual(refusal(400, ['password should not be empty']));
  });

  it('returns 404 for an unknown seller', async () => {
    for (const id of [randomUUID(), 'x']) {
      const response = await createFor(id, newUser({ role: 'VIEWER' }));
      expect(resultOf(response)).toEqual(refusal(404, 'Seller not found'));
    }
  });
});

async function newOperator(role: 'ADMIN' | 'SUPPORT'): Promise<{ id: string; as: CallOptions }> {
  const body = newUser({ role });
  const made = await create(body);
  const { id } = await secondApproval(gateway, made);
  return { id, as: await signedIn(body.email) };
}

describe('/admin/users', () => {
  it('creates operator users, of whom ADMIN can write and SUPPORT can read', async () => {
    const body = newUser({ role: 'SUPPORT' });
    const made = await create(body);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      status: true,
      data: {
        id: expect.stringMatching(UUID),
        name: 'Bia Lima',
        email: body.email,
        role: 'SUPPORT',
        secondFactorResetAt: null,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect(made.text).not.toContain(PASSWORD);
    const support = await signedIn(body.email);
    expect((await gateway.get('/admin/users', support)).status).toBe(200);
    expect((await create(newUser({ role: 'ADMIN' }), support)).status).toBe(403);
    expect((await remove(made.body.data.id, support)).status).toBe(403);
    const second = await newOperator('ADMIN');
    expect((await create(newUser({ role: 'ADMIN' }), second.as)).status).toBe(202);
  });

  it('rejects an email in use, a role of a seller and malformed input', async () => {
    const taken = await create(newUser({ role: 'SUPPORT', email: gateway.demo.seller.email }));
    expect(resultOf(taken)).toEqual(refusal(422, 'Email is already in use'));
    const common = await create(newUser({ role: 'ADMIN', password: 'administrador' }));
    expect(resultOf(common)).toEqual(refusal(400, ['password is too common']));
    const wrong = await create({ name: 'x', email: 'x', password: 'x', role: 'OWNER' });
    expect(resultOf(wrong)).toEqual(
      refusal(400, [
        'email must be an email',
        'password must be longer than or equal to 12 characters',
        'role must be one of the following values: ADMIN, SUPPORT',
      ]),
    );
  });

  it('lists only operator users, newest first, paginated', async () => {
    const made = [await newOperator('SUPPORT'), await newOperator('ADMIN'), await newOperator('SUPPORT')];
    const first = await gateway.get('/admin/users?take=2', admin);
    expect(first.body.data.map((user: { id: string }) => user.id)).toEqual([made[2]?.id, made[1]?.id]);
    expect(first.text).not.toContain('argon2');
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: ApiResponse = await gateway.get(
        `/admin/users?take=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
        admin,
      );
      for (const user of page.body.data) {
        ids.push(user.id);
        expect(['ADMIN', 'SUPPORT']).toContain(user.role);
        expect(user.email).not.toBe(gateway.demo.seller.email);
      }
      cursor = page.body.nextCursor;
      expect(page.body.count).toBeGreaterThanOrEqual(4);
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(first.body.count);
  });

  it('ends a deleted user’s tokens at once here and within a second elsewhere, and the sign-in', async () => {
    const body = newUser({ role: 'SUPPORT' });
    const { id } = (await create(body)).body.data;
    const { accessToken, refreshToken } = (await login(body.email)).body;
    const as = { token: accessToken };
    // Used just before on both nodes, so that their caches are fresh.
    expect((await gateway.get('/admin/users', as)).status).toBe(200);
    expect((await other.get('/admin/users', as)).status).toBe(200);
    const deleted = await remove(id);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ status: true, data: { id } });
    expect(resultOf(await gateway.get('/admin/users', as))).toEqual(refusal(401, 'Unauthorized'));
    const from = performance.now();
    while ((await other.get('/admin/users', as)).status !== 401) {
      expect(performance.now() - from).toBeLessThan(1_000);
    }
    const refreshed = await gateway.post('/auth/refresh', { refreshToken }, { credential: 'none' });
    expect(refreshed.status).toBe(401);
    expect(resultOf(await login(body.email))).toEqual(refusal(401, 'Invalid credentials'));
    // The email can be used again.
    expect((await create(body)).status).toBe(201);
  });

  it('returns 404 for an unknown or deleted user, or one of a seller', async () => {
    const { id: gone } = await newOperator('SUPPORT');
    expect((await remove(gone)).status).toBe(200);
    const [owner] = await gateway.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
      gateway.demo.seller.email,
    ]);
    for (const id of [gone, randomUUID(), 'x', owner?.id ?? '']) {
      expect(resultOf(await remove(id))).toEqual(refusal(404, 'User not found'));
    }
    expect((await login(gateway.demo.seller.email, gateway.demo.seller.password)).status).toBe(200);
  });

  it('keeps the last ADMIN, also under concurrent deletions', async () => {
    const admins = async (): Promise<readonly string[]> => {
      const rows = await gateway.database.query<{ id: string }>(`SELECT id FROM users WHERE role = 'ADMIN'`);
      return rows.map((row) => row.id);
    };
    const me = gateway.demo.admin;
    const [mine] = await gateway.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
      me.email,
    ]);
    const myId = mine?.id ?? '';
    await gateway.database.query(`DELETE FROM users WHERE role = 'ADMIN' AND id <> $1`, [myId]);
    expect(await admins()).toEqual([myId]);
    await newOperator('SUPPORT');
    expect(resultOf(await remove(myId))).toEqual(refusal(422, 'The last ADMIN cannot be deleted'));
    expect((await gateway.get('/admin/users', admin)).status).toBe(200);

    let [first, firstId] = [admin, myId];
    for (let round = 0; round < 5; round += 1) {
      const second = await newAdmin(gateway);
      const secondId = second.id;
      const approve = async (asked: ApiResponse, as: CallOptions) =>
        gateway.post(`/admin/approvals/${asked.body.data.id}/approve`, undefined, as);
      const [ofSecond, ofFirst] = [await remove(secondId, first), await remove(firstId, second)];
      const responses = await Promise.all([approve(ofSecond, second), approve(ofFirst, first)]);
      expect(await admins()).toHaveLength(1);
      const won = responses.map((response) => response.status);
      // The other is rejected: as the last ADMIN, or because that user no longer exists.
      expect(won.filter((status) => status === 200)).toHaveLength(1);
      expect([401, 422]).toContain(won.find((status) => status !== 200));
      if (won[1] === 200) [first, firstId] = [second, secondId];
    }
    admin = first;
  });
});
