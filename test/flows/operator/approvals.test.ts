import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newAdmin } from '#test/support/operator.ts';
import { newSeller, withdrawn, type TestSeller } from '#test/support/withdrawals.ts';

const PASSWORD = 'a long password of four words';
const WEEK_SECONDS = 7 * 86_400;

let gateway: TestGateway;
let seller: TestSeller;
let ana: CallOptions & { readonly id: string };
let bia: CallOptions & { readonly id: string };

beforeAll(async () => {
  gateway = await startTestGateway({ worker: false });
  seller = await newSeller(gateway, { balance: 100_000 });
});
afterAll(() => gateway.stop());

const person = (role: string) => ({
  name: 'Eva',
  email: `${randomUUID()}@example.com`,
  password: PASSWORD,
  role,
});
const approve = (id: string, as: CallOptions) =>
  gateway.post(`/admin/approvals/${id}/approve`, undefined, as);
const setLimit = (twoPersonApprovalAbove: number | null, as: CallOptions) =>
  gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove }, as);
const limit = async () => (await gateway.get('/admin/settings', ana)).body.data.twoPersonApprovalAbove;
const signIn = (email: string) =>
  gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });

function pendingId(response: ApiResponse): string {
  expect([response.status, response.body.data]).toMatchObject([202, { status: 'PENDING', decidedBy: null }]);
  return String(response.body.data.id);
}

describe('an installation with one ADMIN', () => {
  it('applies changes at once, and a new ADMIN cannot approve for 24 hours', async () => {
    const admin = { token: await gateway.adminToken() };
    const wanted = person('ADMIN');
    const made = await gateway.post('/admin/users', wanted, admin);
    expect(made.status).toBe(201);
    const puppet = { token: String((await signIn(wanted.email)).body.accessToken) };
    const id = pendingId(await gateway.post(`/admin/sellers/${seller.id}/api-keys`, { name: 'x' }, admin));
    const message = 'ADMINs cannot approve during their first 24 hours';
    const refused = await approve(id, puppet);
    expect([refused.status, refused.body.message]).toEqual([422, message]);
    const withdrawal = await withdrawn(gateway, seller);
    const alone = await gateway.post(`/admin/withdrawals/${withdrawal}/approve`, undefined, puppet);
    expect([alone.status, alone.body.message]).toEqual([422, message]);
    const gone = pendingId(await gateway.delete(`/admin/users/${made.body.data.id}`, admin));
    await gateway.advance(86_400);
    const later = { token: String((await signIn(wanted.email)).body.accessToken) };
    expect((await approve(gone, later)).body.data.status).toBe('APPROVED');
    expect((await signIn(wanted.email)).status).toBe(401);
  });
});

describe('an installation with two ADMINs', () => {
  beforeAll(async () => {
    ana = await newAdmin(gateway);
    bia = await newAdmin(gateway);
  });

  it('rejects the approval of a request by a deleted ADMIN', async () => {
    const caio = await newAdmin(gateway);
    const wanted = person('ADMIN');
    const id = pendingId(await gateway.post('/admin/users', wanted, caio));
    await gateway.database.query('DELETE FROM users WHERE id = $1', [caio.id]);
    const refused = await approve(id, bia);
    expect([refused.status, refused.body.code]).toEqual([422, 'approval_not_pending']);
    expect((await signIn(wanted.email)).status).toBe(401);
  });

  it('requires approval to raise or remove the two-person limit, not to lower it', async () => {
    expect((await setLimit(1_000, ana)).status).toBe(200);
    expect((await setLimit(900, ana)).status).toBe(200);
    const raised = pendingId(await setLimit(1_000, ana));
    const removed = pendingId(await setLimit(null, ana));
    expect(await limit()).toBe(900);
    const own = await approve(raised, ana);
    expect([own.status, own.body.message]).toEqual([
      422,
      'This user made the request; another ADMIN must approve it',
    ]);
    const approved = await approve(raised, bia);
    expect([approved.status, approved.body.data]).toMatchObject([
      200,
      {
        status: 'APPROVED',
        decidedBy: bia.id,
        requestedBy: ana.id,
        result: { twoPersonApprovalAbove: 1_000 },
      },
    ]);
    expect(await limit()).toBe(1_000);
    expect((await approve(raised, bia)).body.message).toBe('Request is no longer pending');
    const path = `/admin/approvals/${removed}/reject`;
    const rejected = await gateway.post(path, { reason: 'not agreed' }, bia);
    expect(rejected.body.data).toMatchObject({ status: 'REJECTED', reason: 'not agreed' });
    expect((await approve(removed, bia)).status).toBe(422);
    expect(await limit()).toBe(1_000);
  });

  it('requires approval to create or delete an ADMIN, not a SUPPORT user', async () => {
    const support = await gateway.post('/admin/users', person('SUPPORT'), ana);
    expect(support.status).toBe(201);
    expect((await gateway.delete(`/admin/users/${support.body.data.id}`, ana)).status).toBe(200);
    const wanted = person('ADMIN');
    const id = pendingId(await gateway.post('/admin/users', wanted, ana));
    expect((await signIn(wanted.email)).status).toBe(401);
    const [stored] = await gateway.database.query<{ row: string }>(
      'SELECT a::text AS row FROM operator_approvals a WHERE id = $1',
      [id],
    );
    expect(stored?.row).not.toContain(PASSWORD);
    expect((await approve(id, bia)).status).toBe(200);
    const signedIn = await signIn(wanted.email);
    expect(signedIn.status).toBe(200);
    const gone = pendingId(await gateway.delete(`/admin/users/${signedIn.body.user.id}`, bia));
    expect((await approve(gone, ana)).status).toBe(200);
    expect((await signIn(wanted.email)).status).toBe(401);
  });

  it('requires approval to raise the automatic approval of a seller, for the whole change', async () => {
    const path = `/admin/sellers/${seller.id}`;
    const id = pendingId(await gateway.patch(path, { autoApproveUpTo: 500, chargebackFee: 7 }, ana));
    const before = (await gateway.get(path, ana)).body.data;
    expect(before).toMatchObject({ autoApproveUpTo: 0, chargebackFee: 0 });
    expect((await approve(id, bia)).status).toBe(200);
    expect((await gateway.get(path, ana)).body.data).toMatchObject({
      autoApproveUpTo: 500,
      chargebackFee: 7,
    });
    expect((await gateway.patch(path, { autoApproveUpTo: 100 }, ana)).status).toBe(200);
  });

  it('requires approval to raise the negative balance of a seller above the two-person limit', async () => {
    const path = `/admin/sellers/${seller.id}`;
    await setLimit(1_000, ana);
    expect((await gateway.patch(path, { negativeBalanceUpTo: 1_000 }, ana)).status).toBe(200);
    const id = pendingId(await gateway.patch(path, { negativeBalanceUpTo: 1_001 }, ana));
    expect((await gateway.get(path, ana)).body.data.negativeBalanceUpTo).toBe(1_000);
    expect((await approve(id, bia)).status).toBe(200);
    expect((await gateway.get(path, ana)).body.data.negativeBalanceUpTo).toBe(1_001);
    expect((await gateway.patch(path, { negativeBalanceUpTo: 0 }, ana)).status).toBe(200);
  });

  it('requires approval for a user and a key of a seller, and then returns the key', async () => {
    const path = `/admin/sellers/${seller.id}`;
    const wanted = person('OWNER');
    const user = pendingId(await gateway.post(`${path}/users`, wanted, ana));
    expect((await signIn(wanted.email)).status).toBe(401);
    await approve(user, bia);
    expect((await signIn(wanted.email)).status).toBe(200);
    const key = pendingId(await gateway.post(`${path}/api-keys`, { name: 'server', role: 'VIEWER' }, ana));
    const { result } = (await approve(key, bia)).body.data;
    expect((await gateway.get('/seller-wallet/gestao', { apiKey: result.key })).status).toBe(200);
  });

  it('executes a request once if several ADMINs approve it at the same time', async () => {
    const carla = await newAdmin(gateway);
    const path = `/admin/sellers/${seller.id}/api-keys`;
    const id = pendingId(await gateway.post(path, { name: 'once' }, ana));
    const responses = await Promise.all([approve(id, bia), approve(id, carla), approve(id, bia)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
    const keys = (await gateway.get(path, ana)).body.data;
    expect(keys.filter(({ name }: { name: string }) => name === 'once')).toHaveLength(1);
  });

  it('keeps a request pending if its execution fails', async () => {
    const wanted = person('ADMIN');
    const [first, second] = [
      pendingId(await gateway.post('/admin/users', wanted, ana)),
      pendingId(await gateway.post('/admin/users', wanted, ana)),
    ];
    expect((await approve(first, bia)).status).toBe(200);
    expect((await approve(second, bia)).body.code).toBe('email_taken');
    const listed = (await gateway.get('/admin/approvals?status=PENDING', bia)).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).toContain(second);
  });

  it('refuses a key beyond the limit of the seller, as described', async () => {
    const { id: sellerId } = await newSeller(gateway);
    const id = pendingId(await gateway.post(`/admin/sellers/${sellerId}/api-keys`, { name: 'last' }, ana));
    await gateway.database.query(
      `INSERT INTO api_keys (seller_id, id, name, prefix, role, key_hash, created_at)
       SELECT $1, gen_random_uuid(), 'x', 'sk_test_x', 'VIEWER', sha256(n::text::bytea), now()
       FROM generate_series(1, 50) AS n`,
      [sellerId],
    );
    expect((await approve(id, bia)).body.code).toBe('too_many_api_keys');
  });

  it('audits requests and decisions, and changes under the name of the requester', async () => {
    const id = pendingId(await setLimit(9_999, ana));
    await approve(id, bia);
    const entries = (await gateway.get(`/admin/audit-log?recordId=${id}`, bia)).body.data;
    expect(entries).toMatchObject([
      { action: 'approval.approved', actor: { id: bia.id } },
      { action: 'approval.requested', actor: { id: ana.id }, after: { twoPersonApprovalAbove: 9_999 } },
    ]);
    const changed = (await gateway.get('/admin/audit-log?action=settings.updated&take=1', bia)).body.data;
    expect(changed).toMatchObject([{ actor: { id: ana.id }, after: { twoPersonApprovalAbove: 9_999 } }]);
  });

  it('returns 404 for an unknown request', async () => {
    for (const id of [randomUUID(), 'x']) {
      expect((await approve(id, bia)).body.message).toBe('Approval not found');
    }
  });

  it('expires requests after seven days', async () => {
    const id = pendingId(await setLimit(null, ana));
    await gateway.advance(WEEK_SECONDS);
    const again = await newAdmin(gateway);
    expect((await approve(id, again)).body.message).toBe('Request is no longer pending');
    const expired = (await gateway.get('/admin/approvals?status=EXPIRED', again)).body.data;
    expect(expired).toContainEqual(expect.objectContaining({ id, status: 'EXPIRED' }));
  });
});
