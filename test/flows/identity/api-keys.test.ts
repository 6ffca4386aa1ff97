import { createHash, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SELLER_ROLES } from '#platform/kit/permissions.ts';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { countWaiting } from '#test/support/lock-table.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import { errorBody } from '#test/support/errors.ts';

const PASSWORD = 'a long enough password';

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

interface TestSeller {
  readonly id: string;
  readonly email: string;
  /** Its signed-in owner. */
  readonly as: CallOptions;
}

async function newSeller(): Promise<TestSeller> {
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
  const id: string = made.body.data.id;
  const rates = { requestsPerMinute: 1_000_000 };
  await gateway.patch(`/admin/sellers/${id}`, rates, admin);
  await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'first' }, admin);
  return { id, email, as: await signIn(email) };
}

async function signIn(email: string): Promise<CallOptions> {
  const signedIn = await gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });
  return { token: String(signedIn.body.accessToken) };
}

/** Another user of a seller, signed in. */
async function newMember(sellerId: string, role: string): Promise<{ id: string; as: CallOptions }> {
  const email = `${randomUUID()}@example.com`;
  const member = { name: 'Caio', email, password: PASSWORD, role };
  const made = await gateway.post(`/admin/sellers/${sellerId}/users`, member, admin);
  return { id: String(made.body.data.id), as: await signIn(email) };
}

const create = (as: CallOptions, body: unknown = { name: 'checkout' }): Promise<ApiResponse> =>
  gateway.post('/api-keys', body, as);

async function newKey(as: CallOptions, role?: string): Promise<{ id: string; as: CallOptions }> {
  const made = await create(as, { name: 'checkout', ...(role === undefined ? {} : { role }) });
  expect(made.status).toBe(201);
  return { id: made.body.data.id, as: { apiKey: made.body.data.key } };
}

const wallet = (as: CallOptions): Promise<ApiResponse> => gateway.get('/seller-wallet/gestao', as);

describe('POST /api-keys', () => {
  it('returns a key that works at once, and shows it only once', async () => {
    const { as } = await newSeller();
    const made = await create(as, { name: 'checkout', role: 'DEVELOPER' });
    expect(made.status).toBe(201);
    const { key, ...shown } = made.body.data;
    expect(key).toMatch(/^sk_test_[0-9A-Za-z]{49}$/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'checkout',
      prefix: key.slice(0, 12),
      role: 'DEVELOPER',
      createdBy: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Ana' },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUsedAt: null,
    });
    expect((await wallet({ apiKey: key })).status).toBe(200);

    const listed = await gateway.get('/api-keys', as);
    expect(listed.text).not.toContain(key);
    expect(listed.text).not.toContain(createHash('sha256').update(key).digest('hex'));
    const [row] = await gateway.database.query<{ text: string }>(
      'SELECT api_keys::text AS text FROM api_keys WHERE id = $1',
      [shown.id],
    );
    expect(row?.text).not.toContain(key);
  });

  it('uses the role OWNER by default', async () => {
    const { as } = await newSeller();
    expect((await create(as)).body.data.role).toBe('OWNER');
    for (const role of SELLER_ROLES) {
      expect((await create(as, { name: 'x', role })).body.data.role).toBe(role);
    }
  });

  it('rejects permissions that the creator lacks', async () => {
    const { id, as } = await newSeller();
    const developer = (await newMember(id, 'DEVELOPER')).as;
    const may: Readonly<Record<string, readonly string[]>> = {
      OWNER: ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'],
      DEVELOPER: ['DEVELOPER', 'VIEWER'],
    };
    for (const [maker, options] of [
      ['OWNER', as],
      ['DEVELOPER', developer],
    ] as const) {
      for (const role of SELLER_ROLES) {
        const made = await create(options, { name: 'x', role });
        expect(made.status, `${maker} makes ${role}`).toBe(may[maker]?.includes(role) === true ? 201 : 403);
      }
    }
    const unnamed = await create(developer);
    expect(unnamed.status).toBe(403);
    expect(unnamed.body).toEqual(errorBody('permission_denied'));
    // A signed-in developer has the same permissions as a developer's key.
    const email = `${randomUUID()}@example.com`;
    const seller = await newSeller();
    await gateway.post(
      `/admin/sellers/${seller.id}/users`,
      { name: 'Dev', email, password: PASSWORD, role: 'DEVELOPER' },
      admin,
    );
    const signedIn = await gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });
    const token = { token: signedIn.body.accessToken };
    expect((await create(token, { name: 'x', role: 'FINANCE' })).status).toBe(403);
    expect((await create(token, { name: 'x', role: 'VIEWER' })).status).toBe(201);
  });

  it('reports all violations at once', async () => {
    const { as } = await newSeller();
    for (const [body, message] of [
      [{}, ['name should not be empty']],
      [
        { name: ' ', role: 'ADMIN' },
        [
          'name should not be empty',
          'role must be one of the following values: OWNER, FINANCE, DEVELOPER, VIEWER',
        ],
      ],
      [{ name: 'x'.repeat(101) }, ['name must be shorter than or equal to 100 characters']],
      [{ name: 7 }, ['name must be a string']],
    ] as const) {
      const response = await create(as, body);
      expect(response.status).toBe(400);
      expect(response.body.message).toEqual(message);
    }
    expect((await gateway.get('/api-keys', as)).body.count).toBe(1);
  });

  it('allows at most 50 keys, also concurrently, and another after a deletion', async () => {
    const { id, as } = await newSeller();
    const responses = await Promise.all(Array.from({ length: 60 }, () => create(as)));
    expect(responses.filter((response) => response.status === 201)).toHaveLength(49);
    const refused = responses.filter((response) => response.status !== 201);
    for (const response of refused) {
      expect(response.body).toEqual(errorBody('too_many_api_keys', 'A seller can have at most 50 API keys'));
    }
    const listed = await gateway.get('/api-keys', as);
    expect(listed.body).toMatchObject({ status: true, count: 50 });
    expect(listed.body.data).toHaveLength(50);
    const byOperator = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'x' }, admin);
    expect(byOperator.status).toBe(422);

    const { id: gone } = listed.body.data[0];
    expect((await gateway.delete(`/api-keys/${gone}`, as)).status).toBe(200);
    // Delayed until several are in progress, so that each could see space for one more. Three
    // changes of a seller run at a time.
    await gateway.database.query('BEGIN');
    await gateway.database.query('SELECT FROM sellers WHERE id = $1 FOR UPDATE', [id]);
    const racing = Promise.all(Array.from({ length: 6 }, () => create(as)));
    await expect.poll(() => countWaiting(gateway.database)).toBe(3);
    await gateway.database.query('COMMIT');
    expect((await racing).filter((response) => response.status === 201)).toHaveLength(1);
    expect((await gateway.get('/api-keys', as)).body.count).toBe(50);
    // Another seller has a separate limit.
    expect((await create((await newSeller()).as)).status).toBe(201);
  });
});

describe('GET /api-keys', () => {
  it('lists the seller’s own keys, newest first', async () => {
    const [seller, foreign] = [await newSeller(), await newSeller()];
    const names = ['one', 'two', 'three'];
    for (const name of names) await create(seller.as, { name, role: 'VIEWER' });
    await create(foreign.as, { name: 'not mine' });
    const { body } = await gateway.get('/api-keys', seller.as);
    expect(body.count).toBe(4);
    expect(body.data.map((key: { name: string }) => key.name)).toEqual(['three', 'two', 'one', 'first']);
    for (const key of body.data) {
      expect(Object.keys(key)).toEqual([
        'id',
        'name',
        'prefix',
        'role',
        'createdBy',
        'createdAt',
        'lastUsedAt',
      ]);
    }
  });

  it('returns the time of the last use by the domain clock', async () => {
    const { as } = await newSeller();
    const key = await newKey(as, 'VIEWER');
    const lastUse = async (): Promise<string | null> => {
      const { body } = await gateway.get('/api-keys', as);
      return body.data.find((one: { id: string }) => one.id === key.id).lastUsedAt;
    };
    expect(await lastUse()).toBeNull();
    const from = Date.now();
    await wallet(key.as);
    const first = Date.parse((await lastUse()) ?? '');
    expect(first).toBeGreaterThanOrEqual(from);
    await wallet(key.as);
    expect(Date.parse((await lastUse()) ?? '')).toBeGreaterThanOrEqual(first);
  });

  it('includes uses on another node after that node writes them, at the latest at shutdown', async () => {
    const { as } = await newSeller();
    const key = await newKey(as, 'VIEWER');
    const node = await startNode({ databaseUrl: gateway.database.url });
    const from = Date.now();
    const calls = Array.from({ length: 20 }, () => node.get('/transactions', key.as));
    for (const response of await Promise.all(calls)) expect(response.status).toBe(200);
    const written = async (): Promise<string | null> => {
      const rows = await gateway.database.query<{ at: string | null }>(
        'SELECT last_used_at::text AS at FROM api_keys WHERE id = $1',
        [key.id],
      );
      return rows[0]?.at ?? null;
    };
    // Requests do not write it: the table is unchanged until the node flushes.
    expect(await written()).toBeNull();
    await node.stop();
    expect(Date.parse((await written()) ?? '')).toBeGreaterThanOrEqual(from - 1_000);
    const { body } = await gateway.get('/api-keys', as);
    expect(body.data.find((one: { id: string }) => one.id === key.id).lastUsedAt).not.toBeNull();
  });
});

describe('DELETE /api-keys/{id}', () => {
  it('revokes the key at once on this node and within a second on others, and no other key', async () => {
    const { as } = await newSeller();
    const [gone, stays] = [await newKey(as), await newKey(as)];
    // Used just before on both nodes, so that their caches are fresh.
    for (const key of [gone, stays]) {
      expect((await wallet(key.as)).status).toBe(200);
      expect((await other.get('/seller-wallet/gestao', key.as)).status).toBe(200);
    }
    const deleted = await gateway.delete(`/api-keys/${gone.id}`, as);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ status: true, data: { id: gone.id } });
    const refused = await wallet(gone.as);
    expect(refused.body).toEqual(errorBody('revoked_api_key'));
    const from = performance.now();
    while ((await other.get('/seller-wallet/gestao', gone.as)).status !== 401) {
      expect(performance.now() - from).toBeLessThan(1_000);
    }
    expect((await wallet(stays.as)).status).toBe(200);
    const { body } = await gateway.get('/api-keys', as);
    expect(body.data.map((key: { id: string }) => key.id)).not.toContain(gone.id);
  });

  it('revokes a key in use, so that no request after the response succeeds', async () => {
    const { as } = await newSeller();
    const key = await newKey(as);
    let deletedAt = Number.POSITIVE_INFINITY;
    const late: number[] = [];
    const busy = async (): Promise<void> => {
      for (let refusals = 0; refusals < 5;) {
        const from = performance.now();
        const { status } = await wallet(key.as);
        if (status === 401) refusals += 1;
        else if (from > deletedAt) late.push(status);
      }
    };
    const callers = Array.from({ length: 8 }, busy);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    expect((await gateway.delete(`/api-keys/${key.id}`, as)).status).toBe(200);
    deletedAt = performance.now();
    await Promise.all(callers);
    expect(late).toEqual([]);
  });

  it('rejects API keys, which cannot create or delete keys', async () => {
    const { as } = await newSeller();
    const stolen = await newKey(as, 'OWNER');
    for (const response of [
      await create(stolen.as, { name: 'mine' }),
      await gateway.delete(`/api-keys/${stolen.id}`, stolen.as),
    ]) {
      expect([response.status, response.body]).toEqual([403, errorBody('permission_denied')]);
    }
    expect((await gateway.get('/api-keys', as)).body.count).toBe(2);
  });

  it('rejects a key with a permission that the user lacks', async () => {
    const { id, as } = await newSeller();
    const developer = await newMember(id, 'DEVELOPER');
    for (const [role, status] of [
      ['OWNER', 403],
      ['FINANCE', 403],
      ['DEVELOPER', 200],
      ['VIEWER', 200],
    ] as const) {
      const key = await newKey(as, role);
      expect((await gateway.delete(`/api-keys/${key.id}`, developer.as)).status).toBe(status);
      expect((await wallet(key.as)).status).toBe(status === 200 ? 401 : 200);
    }
  });

  it('revokes the keys created by a user who is deleted, if requested', async () => {
    for (const endKeys of [true, false]) {
      const { id, as } = await newSeller();
      const member = await newMember(id, 'DEVELOPER');
      const [theirs, ours] = [await newKey(member.as, 'DEVELOPER'), await newKey(as, 'DEVELOPER')];
      expect((await gateway.delete(`/users/${member.id}?endKeys=${endKeys}`, as)).status).toBe(200);
      const expected = endKeys ? 401 : 200;
      await expect.poll(async () => (await wallet(theirs.as)).status, { timeout: 2_000 }).toBe(expected);
      expect((await wallet(ours.as)).status).toBe(200);
      const { body } = await gateway.get('/api-keys', as);
      const kept = body.data.find((key: { id: string }) => key.id === theirs.id);
      expect(kept?.createdBy).toEqual(endKeys ? undefined : { id: member.id, name: 'Caio' });
    }
  });

  it('leaves no key of a user who was deleted or demoted while creating it', async () => {
    const { id: sellerId, as } = await newSeller();
    const before = (await gateway.get('/api-keys', as)).body.count;
    for (const change of [
      "UPDATE users SET role = 'VIEWER' WHERE id = $1",
      'DELETE FROM users WHERE id = $1',
    ]) {
      const member = await newMember(sellerId, 'DEVELOPER');
      expect((await gateway.get('/api-keys', member.as)).status).toBe(200);
      // The session and the role are cached.
      await gateway.database.query(change, [member.id]);
      const made = await create(member.as, { name: 'late', role: 'VIEWER' });
      expect([401, 403]).toContain(made.status);
    }
    expect((await gateway.get('/api-keys', as)).body.count).toBe(before);
  });

  it('revokes the keys created by a user whose new role could not create them, if requested', async () => {
    for (const endKeys of [true, false]) {
      const { id, as } = await newSeller();
      const member = await newMember(id, 'OWNER');
      const [owner, viewer] = [await newKey(member.as, 'OWNER'), await newKey(member.as, 'VIEWER')];
      const ours = await newKey(as, 'OWNER');
      const changed = await gateway.patch(`/users/${member.id}`, { role: 'DEVELOPER', endKeys }, as);
      expect(changed.status).toBe(200);
      const expected = endKeys ? 401 : 200;
      await expect.poll(async () => (await wallet(owner.as)).status, { timeout: 2_000 }).toBe(expected);
      expect((await wallet(viewer.as)).status).toBe(200);
      expect((await wallet(ours.as)).status).toBe(200);
      const log = await gateway.get(`/admin/audit-log?action=api-key.deleted&recordId=${owner.id}`, admin);
      expect(log.body.count).toBe(endKeys ? 1 : 0);
    }
  });

  it('revokes the keys of a user whom the operator deletes, if requested', async () => {
    const { id, as } = await newSeller();
    const member = await newMember(id, 'DEVELOPER');
    const theirs = await newKey(member.as, 'DEVELOPER');
    const deleted = await gateway.delete(`/admin/sellers/${id}/users/${member.id}?endKeys=true`, admin);
    expect(deleted.status).toBe(200);
    const { body } = await gateway.get('/api-keys', as);
    expect(body.data.map((key: { id: string }) => key.id)).not.toContain(theirs.id);
    const log = await gateway.get(`/admin/audit-log?action=api-key.deleted&recordId=${theirs.id}`, admin);
    expect(log.body.count).toBe(1);
  });

  it('returns 404 for an unknown or deleted key, or one of another seller', async () => {
    const [seller, other] = [await newSeller(), await newSeller()];
    const foreign = await newKey(other.as);
    const gone = await newKey(seller.as);
    await gateway.delete(`/api-keys/${gone.id}`, seller.as);
    for (const id of [randomUUID(), 'x', foreign.id, gone.id]) {
      const response = await gateway.delete(`/api-keys/${id}`, seller.as);
      expect(response.body).toEqual(errorBody('api_key_not_found'));
      expect(response.status).toBe(404);
    }
    expect((await wallet(foreign.as)).status).toBe(200);
  });
});
