import { randomBytes, randomUUID } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { countWaiting } from '#test/support/lock-table.ts';
import { tokenIn } from '#test/support/mail-server.ts';
import { newAdmin, secondApproval } from '#test/support/operator.ts';
import { newSeller } from '#test/support/withdrawals.ts';

const PASSWORD = 'correct horse battery 9';
const none = { credential: 'none' } as const;

let gateway: TestGateway;
let admin: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway();
  admin = { token: await gateway.adminToken() };
});
afterAll(() => gateway.stop());

const address = (): string => `${randomUUID()}@example.com`;
const idsOf = ({ body }: ApiResponse) => body.data.map(({ id }: { readonly id: string }) => id);
const accept = (token: string) =>
  gateway.post('/auth/invitations/accept', { token, name: 'Bia', password: PASSWORD }, none);

/** The token of the invitation that was mailed to the address. */
async function tokenFor(email: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const { body } = await gateway.get(`/sandbox/mails?to=${encodeURIComponent(email)}`, admin);
      return tokenIn(body.data[0].text);
    },
    { timeout: 10_000, interval: 200 },
  );
}

async function newOwner(sellerId: string): Promise<{ readonly id: string; readonly as: CallOptions }> {
  const user = { name: 'Dona', email: address(), password: PASSWORD, role: 'OWNER' };
  const made = await gateway.post(`/admin/sellers/${sellerId}/users`, user, admin);
  const { id } = await secondApproval(gateway, made);
  const { body } = await gateway.post('/login', { email: user.email, password: PASSWORD }, none);
  return { id: String(id), as: { token: String(body.accessToken) } };
}

/** A seller with two OWNERs, of whom each has invited a person. */
async function newTeam() {
  const { id: sellerId } = await newSeller(gateway);
  const [inviter, other] = [await newOwner(sellerId), await newOwner(sellerId)];
  const email = address();
  const made = await gateway.post('/users/invitations', { email, role: 'OWNER' }, inviter.as);
  const kept = await gateway.post('/users/invitations', { email: address(), role: 'VIEWER' }, other.as);
  expect([made.status, kept.status]).toEqual([201, 201]);
  const invitationId = String(made.body.data.id);
  const keptId = String(kept.body.data.id);
  return {
    sellerId,
    inviterId: inviter.id,
    as: other.as,
    invitationId,
    keptId,
    token: await tokenFor(email),
  };
}
type Team = Awaited<ReturnType<typeof newTeam>>;

const pendingOf = async ({ as }: Team) => idsOf(await gateway.get('/users/invitations', as));

describe('the invitations of a user', () => {
  it.each([
    ['deleted by the team', ({ inviterId, as }: Team) => gateway.delete(`/users/${inviterId}`, as)],
    ['demoted', ({ inviterId, as }: Team) => gateway.patch(`/users/${inviterId}`, { role: 'VIEWER' }, as)],
    [
      'deleted by the operator',
      ({ sellerId, inviterId }: Team) =>
        gateway.delete(`/admin/sellers/${sellerId}/users/${inviterId}`, admin),
    ],
  ])('end when the user is %s, and are in the audit log', async (_, act) => {
    const team = await newTeam();
    expect((await act(team)).status).toBe(200);
    expect((await accept(team.token)).body.code).toBe('invalid_link');
    expect(await pendingOf(team)).toEqual([team.keptId]);
    const rows = await gateway.database.query<{ action: string; seller_id: string }>(
      'SELECT action, seller_id FROM audit_log WHERE record_id = $1 ORDER BY id',
      [team.invitationId],
    );
    expect(rows).toEqual([
      { action: 'user.invited', seller_id: team.sellerId },
      { action: 'user.invitation-withdrawn', seller_id: team.sellerId },
    ]);
  });

  it('stay when the user is renamed and remains an OWNER', async () => {
    const team = await newTeam();
    const changes = { name: 'Dona Maria', role: 'OWNER' };
    expect((await gateway.patch(`/users/${team.inviterId}`, changes, team.as)).status).toBe(200);
    expect(await pendingOf(team)).toEqual([team.keptId, team.invitationId]);
  });

  it('cannot be accepted if the user was deleted while inviting', async () => {
    const { inviterId, token } = await newTeam();
    await gateway.database.query('DELETE FROM users WHERE id = $1', [inviterId]);
    expect((await accept(token)).body.code).toBe('invalid_link');
  });

  it('end when an operator user is deleted, also those to teams of sellers', async () => {
    const team = await newTeam();
    const second = await newAdmin(gateway);
    const [colleague, member] = [address(), address()];
    const body = { email: colleague, role: 'SUPPORT' };
    expect((await gateway.post('/admin/users/invitations', body, second)).status).toBe(201);
    const user = { name: 'Bia', email: member, role: 'OWNER' };
    const asked = await gateway.post(`/admin/sellers/${team.sellerId}/users`, user, second);
    const approve = `/admin/approvals/${asked.body.data.id}/approve`;
    expect((await gateway.post(approve, undefined, admin)).status).toBe(200);
    const tokens = [await tokenFor(colleague), await tokenFor(member)];
    await secondApproval(gateway, await gateway.delete(`/admin/users/${second.id}`, admin));
    for (const token of tokens) expect((await accept(token)).body.code).toBe('invalid_link');
    expect(await pendingOf(team)).toEqual([team.keptId, team.invitationId]);
  });
});

describe('the invitations of a seller', () => {
  it('are limited to three in a day for one address and 50 in seven days, also if revoked', async () => {
    const { id: sellerId } = await newSeller(gateway);
    const { as } = await newOwner(sellerId);
    const send = (email: string) => gateway.post('/users/invitations', { email, role: 'VIEWER' }, as);
    const refused = { status: 422, body: { code: 'too_many_invitations' } };
    const email = address();
    for (let n = 0; n < 3; n += 1) {
      const { status, body } = await send(email);
      expect(status).toBe(201);
      expect((await gateway.delete(`/users/invitations/${body.data.id}`, as)).status).toBe(200);
    }
    // Refused ones do not count against the limit of the seller.
    for (const again of [email, email.toUpperCase()]) expect(await send(again)).toMatchObject(refused);
    const mails = await gateway.get(`/sandbox/mails?to=${email}`, admin);
    expect(mails.body.data).toHaveLength(3);
    const others = await Promise.all(Array.from({ length: 49 }, async () => send(address())));
    const revoked = others.filter(({ status }) => status === 201);
    expect(revoked).toHaveLength(47);
    for (const { body } of revoked) await gateway.delete(`/users/invitations/${body.data.id}`, as);
    expect(await send(address())).toMatchObject(refused);
  });
});

describe('invitations that are refused', () => {
  it('do not count against the limits', async () => {
    const { id: sellerId } = await newSeller(gateway);
    const { id, as } = await newOwner(sellerId);
    const [me] = await gateway.database.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      id,
    ]);
    const asSeller = () => gateway.post('/users/invitations', { email: me?.email, role: 'VIEWER' }, as);
    const { email } = gateway.demo.admin;
    const operator = { email, role: 'SUPPORT' };
    const asOperator = () => gateway.post('/admin/users/invitations', operator, admin);
    const asUser = () => gateway.post('/admin/users', { name: 'Bia', ...operator }, admin);
    for (const invite of [asSeller, asSeller, asSeller, asSeller, asOperator, asUser, asOperator, asUser])
      expect((await invite()).body.code).toBe('email_taken');
  });
});

describe('two invitations of an address at once', () => {
  it('leave one, whose link works', async () => {
    const { id: sellerId } = await newSeller(gateway);
    const { id, as } = await newOwner(sellerId);
    const email = address();
    const first = new pg.Client({ connectionString: gateway.database.url });
    await first.connect();
    await first.query('BEGIN');
    await first.query(
      `INSERT INTO invitations (id, seller_id, name, email, role, locale, token_hash, created_by, creator_name,
         expires_at, created_at)
       VALUES (gen_random_uuid(), $1, '', $2, 'OWNER', 'en', $3, $4, 'Dona', now() + interval '7 days', now())`,
      [sellerId, email, randomBytes(32), id],
    );
    const second = gateway.post('/users/invitations', { email, role: 'VIEWER' }, as);
    let isDone = false;
    void second.finally(() => {
      isDone = true;
    });
    await expect.poll(async () => isDone || (await countWaiting(gateway.database)) > 0).toBe(true);
    await first.query('COMMIT');
    await first.end();
    const { status, body } = await second;
    expect(status).toBe(201);
    expect(idsOf(await gateway.get('/users/invitations', as))).toEqual([body.data.id]);
    expect((await accept(await tokenFor(email))).body.data).toMatchObject({ email, role: 'VIEWER' });
  });
});

describe('the invitations of the operator', () => {
  const refused = { status: 422, body: { code: 'too_many_invitations' } };

  it('are limited to three in a day for one address, whatever invites', async () => {
    const { id: sellerId } = await newSeller(gateway);
    const email = address();
    const seller = { name: 'Loja', documentType: 'CNPJ', document: '11222333000181' };
    const ways = [
      () => gateway.post('/admin/users/invitations', { email, role: 'SUPPORT' }, admin),
      () => gateway.post('/admin/users', { name: 'Bia', email, role: 'SUPPORT' }, admin),
      () => gateway.post(`/admin/sellers/${sellerId}/users`, { name: 'Bia', email, role: 'OWNER' }, admin),
      () => gateway.post('/admin/sellers', { ...seller, ownerName: 'Bia', ownerEmail: email }, admin),
    ];
    for (const invite of ways.slice(0, 3)) expect((await invite()).status).toBe(201);
    for (const invite of ways) expect(await invite()).toMatchObject(refused);
    const other = { ...seller, ownerName: 'Bia', ownerEmail: address() };
    expect((await gateway.post('/admin/sellers', other, admin)).status).toBe(201);
    const mails = await gateway.get(`/sandbox/mails?to=${email}`, admin);
    expect(mails.body.data).toHaveLength(3);
    const withPassword = { name: 'Bia', email, role: 'SUPPORT', password: PASSWORD };
    expect((await gateway.post('/admin/users', withPassword, admin)).status).toBe(201);
  });

  it('are limited to 500 in seven days, also if revoked', async () => {
    let sent: ApiResponse;
    let count = 0;
    do {
      const body = { email: address(), role: 'SUPPORT' };
      sent = await gateway.post('/admin/users/invitations', body, admin);
      count += 1;
      if (sent.status === 201) await gateway.delete(`/admin/users/invitations/${sent.body.data.id}`, admin);
    } while (sent.status === 201 && count <= 501);
    expect(sent).toMatchObject(refused);
    expect(count).toBeGreaterThan(450);
  });
});

describe('a user who was deleted a moment ago', () => {
  it('creates no other user', async () => {
    const { id: sellerId } = await newSeller(gateway);
    const { id, as } = await newOwner(sellerId);
    expect((await gateway.get('/users/me', as)).status).toBe(200);
    // The session is cached.
    await gateway.database.query('DELETE FROM users WHERE id = $1', [id]);
    const email = address();
    const user = { name: 'Bia', email, password: PASSWORD, role: 'OWNER' };
    expect([401, 403]).toContain((await gateway.post('/users', user, as)).status);
    expect(await gateway.database.query('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([]);
  });
});
