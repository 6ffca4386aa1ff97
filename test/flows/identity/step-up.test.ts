import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newBrowser } from '#test/support/browser.ts';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, withdrawn, type TestSeller } from '#test/support/withdrawals.ts';

const PASSWORD = 'a long enough password';
/** STEP_UP_WITHDRAWAL_ABOVE by default, in cents. */
const LIMIT = 100_000;

let gateway: TestGateway;
let seller: TestSeller;
let memberId: string;
/**
 * Sessions whose users were verified more than five minutes ago: of a browser, and of a program.
 */
let stale: Readonly<Record<'owner' | 'admin', CallOptions>>;
let program: Readonly<Record<'owner' | 'admin', CallOptions>>;

beforeAll(async () => {
  gateway = await startTestGateway();
  seller = await newSeller(gateway, { balance: 10 * LIMIT });
  const admin = { token: await gateway.adminToken() };
  const add = async (role: string): Promise<{ readonly id: string; readonly email: string }> => {
    const user = { name: 'Bia', email: newEmail(), password: PASSWORD, role };
    const made = await gateway.post(`/admin/sellers/${seller.id}/users`, user, admin);
    return { id: String(made.body.data.id), email: user.email };
  };
  const { email } = await add('OWNER');
  memberId = (await add('VIEWER')).id;
  const owner = { email, password: PASSWORD };
  stale = { owner: await signInBrowser(owner), admin: await signInBrowser(gateway.demo.admin) };
  program = { owner: await signIn(owner), admin };
  await gateway.advance(5 * 60 + 1);
});
afterAll(() => gateway.stop());

const newEmail = (): string => `${randomUUID()}@example.com`;

interface Credentials {
  readonly email: string;
  readonly password: string;
}

async function signInBrowser(credentials: Credentials): Promise<CallOptions> {
  const body = { ...credentials, session: 'cookie' };
  return { token: String((await newBrowser(gateway.baseUrl).post('/login', body)).body.accessToken) };
}

async function signIn(credentials: Credentials): Promise<CallOptions> {
  const { body } = await gateway.post('/login', credentials, { credential: 'none' });
  return { token: String(body.accessToken) };
}

const verify = (as: CallOptions, password: string): Promise<ApiResponse> =>
  gateway.post('/auth/step-up', { password }, as);

const resultOf = ({ status, body }: ApiResponse) => (body.code === undefined ? status : [status, body.code]);
const STEP_UP = [403, 'step_up_required'];

interface Sensitive {
  readonly operation: string;
  readonly call: (as: CallOptions) => Promise<ApiResponse>;
  readonly success: ReturnType<typeof resultOf>;
}

const newUser = (role: string) => ({ name: 'Bia', email: newEmail(), password: PASSWORD, role });
const operatorPassword = 'a long password of an operator';

const OF_OWNERS: readonly Sensitive[] = [
  {
    operation: 'POST /users',
    call: (as) => gateway.post('/users', newUser('OWNER'), as),
    success: 201,
  },
  {
    operation: 'PATCH /users/{id}',
    call: (as) => gateway.patch(`/users/${memberId}`, { role: 'OWNER' }, as),
    success: 200,
  },
  {
    operation: 'POST /users/invitations',
    call: (as) => gateway.post('/users/invitations', { email: newEmail(), role: 'OWNER' }, as),
    success: 201,
  },
  {
    operation: 'GET /webhooks/postback-secret',
    call: (as) => gateway.get('/webhooks/postback-secret', as),
    success: 200,
  },
  {
    operation: 'POST /webhooks/{id}/rotate-secret',
    call: (as) => gateway.post(`/webhooks/${randomUUID()}/rotate-secret`, undefined, as),
    success: [404, 'webhook_not_found'],
  },
];

let autoApproved = 0;

const OF_ADMINS: readonly Sensitive[] = [
  {
    operation: 'POST /admin/users',
    call: (as) => gateway.post('/admin/users', { ...newUser('SUPPORT'), password: operatorPassword }, as),
    success: 201,
  },
  {
    operation: 'POST /admin/users/invitations',
    call: (as) => gateway.post('/admin/users/invitations', { email: newEmail(), role: 'SUPPORT' }, as),
    success: 201,
  },
  {
    operation: 'POST /admin/sellers/{id}/users',
    call: (as) => gateway.post(`/admin/sellers/${seller.id}/users`, newUser('OWNER'), as),
    success: 201,
  },
  {
    operation: 'PATCH /admin/sellers/{id} with higher limits',
    call: (as) => gateway.patch(`/admin/sellers/${seller.id}`, { autoApproveUpTo: (autoApproved += 1) }, as),
    success: 200,
  },
  {
    operation: 'PUT /admin/settings',
    call: (as) => gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: null }, as),
    success: 200,
  },
  {
    operation: 'PATCH /admin/settings',
    call: (as) => gateway.patch('/admin/settings', { signupsPerHour: null }, as),
    success: 200,
  },
  {
    operation: 'POST /admin/approvals/{id}/approve',
    call: (as) => gateway.post(`/admin/approvals/${randomUUID()}/approve`, undefined, as),
    success: [404, 'approval_not_found'],
  },
  {
    operation: 'POST /admin/withdrawals/{id}/approve above the limit',
    call: async (as) => approve(await withdrawn(gateway, seller, { amount: LIMIT + 1 }), as),
    success: 200,
  },
];

const approve = (id: string, as: CallOptions): Promise<ApiResponse> =>
  gateway.post(`/admin/withdrawals/${id}/approve`, undefined, as);

describe('a browser session five minutes after the sign-in', () => {
  it.each(OF_OWNERS)('of an OWNER must be verified for $operation', async ({ call, success }) => {
    expect(resultOf(await call(stale.owner))).toEqual(STEP_UP);
    expect(resultOf(await call(program.owner))).toEqual(success);
  });

  it.each(OF_ADMINS)('of an ADMIN must be verified for $operation', async ({ call, success }) => {
    expect(resultOf(await call(stale.admin))).toEqual(STEP_UP);
    expect(resultOf(await call(program.admin))).toEqual(success);
  });

  it('lowers limits, approves small withdrawals, removes users and invitations without step-up', async () => {
    const id = await withdrawn(gateway, seller, { amount: LIMIT });
    expect((await approve(id, stale.admin)).status).toBe(200);
    const added = await gateway.post('/users', newUser('VIEWER'), program.owner);
    const body = { email: newEmail(), role: 'VIEWER' };
    const invited = await gateway.post('/users/invitations', body, program.owner);
    for (const path of [`/users/${added.body.data.id}`, `/users/invitations/${invited.body.data.id}`])
      expect((await gateway.delete(path, stale.owner)).status).toBe(200);
    const lower = await gateway.patch(`/admin/sellers/${seller.id}`, { autoApproveUpTo: 0 }, stale.admin);
    expect(lower.status).toBe(200);
  });

  it('may do all of it after a step-up', async () => {
    expect((await verify(stale.owner, PASSWORD)).status).toBe(200);
    expect((await verify(stale.admin, gateway.demo.admin.password)).status).toBe(200);
    for (const { call, success } of OF_OWNERS) expect(resultOf(await call(stale.owner))).toEqual(success);
    for (const { call, success } of OF_ADMINS) expect(resultOf(await call(stale.admin))).toEqual(success);
  });
});

it('leaves API keys as they were', async () => {
  expect((await gateway.get('/webhooks/postback-secret', { apiKey: seller.apiKey })).status).toBe(200);
});
