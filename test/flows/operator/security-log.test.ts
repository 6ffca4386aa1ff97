import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, withdrawn, type TestSeller } from '#test/support/withdrawals.ts';

const PASSWORD = 'a very secret password';
const NONE = { credential: 'none' } as const;

let gateway: TestGateway;
let seller: TestSeller;
let admin: { readonly token: string };

beforeAll(async () => {
  gateway = await startTestGateway({ worker: false });
  seller = await newSeller(gateway, { balance: 100_000 });
  admin = { token: await gateway.adminToken() };
});
afterAll(() => gateway.stop());

const logOf = async (query: string) => (await gateway.get(`/admin/audit-log?${query}`, admin)).body.data;
const signIn = (email: string, password = PASSWORD) => gateway.post('/login', { email, password }, NONE);

const person = (email: string) => ({ name: 'Bia', email, password: PASSWORD, role: 'OWNER' });

async function newUser() {
  const email = `${randomUUID()}@example.com`;
  const path = `/admin/sellers/${seller.id}/users`;
  const made = await gateway.post(path, person(email), admin);
  expect(made.status).toBe(201);
  return { id: String(made.body.data.id), email };
}

describe('the security log of a session', () => {
  it('records a refresh token that is used twice', async () => {
    const { id, email } = await newUser();
    const { refreshToken } = (await signIn(email)).body;
    expect((await gateway.post('/auth/refresh', { refreshToken }, NONE)).status).toBe(200);
    expect((await gateway.post('/auth/refresh', { refreshToken }, NONE)).status).toBe(401);
    expect(await logOf(`action=user.refresh-token-reused&recordId=${id}`)).toMatchObject([
      { actor: { kind: 'ANONYMOUS' }, sellerId: seller.id, after: { reason: 'TOKEN_REUSED' } },
    ]);
  });

  it('records a wrong password within a session', async () => {
    const { id, email } = await newUser();
    const { accessToken: token } = (await signIn(email)).body;
    const body = { currentPassword: 'something wrong', newPassword: `another ${PASSWORD}` };
    expect((await gateway.post('/users/me/password', body, { token })).status).toBe(422);
    expect(await logOf(`action=user.verification-failed&recordId=${id}`)).toMatchObject([
      { actor: { kind: 'SELLER_USER', id }, sellerId: seller.id, after: { reason: 'wrong_password' } },
    ]);
  });
});

describe('the creation of a user', () => {
  it('with an email that is taken is recorded, and refused after ten in an hour', async () => {
    const [own, other] = [await newSeller(gateway), await newUser()];
    const owner = person(`${randomUUID()}@example.com`);
    await gateway.post(`/admin/sellers/${own.id}/users`, owner, admin);
    const token = String((await signIn(owner.email)).body.accessToken);
    const create = (email: string) => gateway.post('/users', person(email), { token });
    expect((await create(`${randomUUID()}@example.com`)).status).toBe(201);
    const responses = await Promise.all(Array.from({ length: 12 }, async () => create(other.email)));
    const counted = (code: string) => responses.filter(({ body }) => body.code === code).length;
    expect([counted('email_taken'), counted('rate_limited')]).toEqual([10, 2]);
    const late = await create(`${randomUUID()}@example.com`);
    expect([late.status, Number(late.headers.get('retry-after')) > 60]).toEqual([429, true]);
    const entries = await logOf(`action=access.refused&sellerId=${own.id}&take=100`);
    expect(entries).toHaveLength(10);
    expect(entries[0]).toMatchObject({
      actor: { kind: 'SELLER_USER', name: 'Bia' },
      after: { operation: 'POST /v1/users', reason: 'email_taken', email: other.email },
    });
  });
});

describe('a sign-in', () => {
  it('is recorded with the user, the address and the request', async () => {
    const { id, email } = await newUser();
    const response = await signIn(email);
    expect(await logOf(`action=user.sign-in&recordId=${id}`)).toEqual([
      expect.objectContaining({
        actor: { kind: 'SELLER_USER', id, name: 'Bia', role: 'OWNER', keyPrefix: null },
        sellerId: seller.id,
        requestId: response.headers.get('x-request-id'),
        after: expect.objectContaining({ address: '127.0.0.1', secondFactor: null }),
      }),
    ]);
  });

  it('with a wrong password is recorded without the password', async () => {
    const { id, email } = await newUser();
    const response = await signIn(email, 'something wrong');
    expect(response.status).toBe(401);
    const [entry] = await logOf(`action=user.sign-in-failed&recordId=${id}`);
    expect(entry).toMatchObject({
      actor: { kind: 'ANONYMOUS', id: null },
      sellerId: seller.id,
      requestId: response.headers.get('x-request-id'),
      after: { reason: 'WRONG_PASSWORD', email, address: '127.0.0.1' },
    });
    expect(JSON.stringify(entry)).not.toContain('something wrong');
  });

  it('with an unknown email is recorded with the email masked', async () => {
    const email = `x${randomUUID()}@example.com`;
    const response = await signIn(email, 'something wrong');
    const [entry] = await logOf(`requestId=${response.headers.get('x-request-id')}`);
    expect(entry).toMatchObject({
      action: 'user.sign-in-failed',
      recordId: null,
      sellerId: null,
      after: {
        reason: 'UNKNOWN_EMAIL',
        email: 'x***@example.com',
      },
    });
  });

  it('that is throttled is recorded once', async () => {
    const { id, email } = await newUser();
    // Others also count by address, so fewer than ten may remain.
    const statuses = [];
    for (let attempt = 0; attempt < 14; attempt += 1) statuses.push((await signIn(email, 'wrong')).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(1);
    const entries = await logOf(`action=user.sign-in-failed&recordId=${id}`);
    const reasons = entries.map(({ after }: { after: { reason: string } }) => after.reason);
    expect(reasons.filter((reason: string) => reason === 'TOO_MANY_ATTEMPTS')).toHaveLength(1);
    expect(reasons).toHaveLength(statuses.filter((status) => status === 401).length + 1);
  });
});

describe('a rejection', () => {
  it('for lack of permission is recorded once per hour, caller and operation', async () => {
    const made = await gateway.post(
      `/admin/sellers/${seller.id}/api-keys`,
      { name: 'viewer', role: 'VIEWER' },
      admin,
    );
    const { id, key } = made.body.data;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const options = { apiKey: String(key), idempotencyKey: randomUUID() };
      expect((await gateway.post('/withdrawals', {}, options)).status).toBe(403);
    }
    const entries = await logOf(`action=access.refused&actorId=${id}`);
    expect(entries).toMatchObject([
      {
        actor: { kind: 'API_KEY', id, name: 'viewer', role: 'VIEWER' },
        sellerId: seller.id,
        after: { operation: 'POST /v1/withdrawals', reason: 'permission_denied' },
      },
    ]);
  });
});

describe('personal data', () => {
  it('read by the operator is recorded once per hour and record', async () => {
    const charge = await gateway.charge({}, { apiKey: seller.apiKey });
    const id = String(charge.body.data.id);
    for (let read = 0; read < 2; read += 1)
      expect((await gateway.get(`/admin/transactions/${id}`, admin)).status).toBe(200);
    expect(await logOf(`action=personal-data.read&recordId=${id}`)).toMatchObject([
      {
        recordType: 'transaction',
        actor: {
          kind: 'OPERATOR_USER',
          role: 'ADMIN',
        },
        after: {
          operation: 'GET /v1/admin/transactions/:id',
          export: false,
        },
      },
    ]);
  });

  it('exported by the operator is recorded as an export', async () => {
    await withdrawn(gateway, seller);
    expect((await gateway.get('/admin/withdrawals?export=true', admin)).status).toBe(200);
    const entries = await logOf('action=personal-data.read');
    expect(entries[0]).toMatchObject({
      recordType: 'withdrawal',
      recordId: null,
      after: {
        operation: 'GET /v1/admin/withdrawals',
        export: true,
      },
    });
  });

  it('is not returned if the read cannot be recorded', async () => {
    const charge = await gateway.charge({}, { apiKey: seller.apiKey });
    const path = `/admin/transactions/${charge.body.data.id}`;
    await gateway.database.query('ALTER TABLE audit_log ADD CONSTRAINT refused CHECK (false) NOT VALID');
    try {
      expect((await gateway.get(path, admin)).status).toBe(500);
      expect((await gateway.get(path, admin)).status).toBe(500);
    } finally {
      await gateway.database.query('ALTER TABLE audit_log DROP CONSTRAINT refused');
    }
    expect((await gateway.get(path, admin)).status).toBe(200);
  });
});
