import { randomUUID } from 'node:crypto';

import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { requestPasswordReset } from '#identity/users/password-reset.ts';
import type { Db } from '#platform/database/connect.ts';
import type { DB } from '#platform/database/types.gen.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { tokenIn } from '#test/support/mail-server.ts';

let gateway: TestGateway;
const none = { credential: 'none' } as const;
/** For a worker on a busy machine. */
const SOON = { timeout: 10_000, interval: 50 };
const GOOD = 'correct horse battery 9';

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const address = (): string => `${randomUUID()}@example.com`;
const admin = async () => ({ token: await gateway.adminToken() });
const signIn = (email: string, password: string) => gateway.post('/login', { email, password }, none);
const owner = async () => {
  const { email, password } = gateway.demo.seller;
  return { token: String((await signIn(email, password)).body.accessToken) };
};

interface StoredMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const isReset = ({ subject }: StoredMail): boolean => subject.includes('Redefina');

async function mailsTo(email: string): Promise<readonly StoredMail[]> {
  const response = await gateway.get(`/sandbox/mails?to=${encodeURIComponent(email)}`, await admin());
  expect(response.status).toBe(200);
  return response.body.data;
}

async function tokenFor(email: string, matching: RegExp): Promise<string> {
  const found = await vi.waitFor(async () => {
    const mail = (await mailsTo(email)).find(({ subject }) => matching.test(subject));
    if (mail === undefined) throw new Error('there is no such mail yet');
    return mail;
  }, SOON);
  expect(tokenIn(found.html)).toBe(tokenIn(found.text));
  return tokenIn(found.text);
}

const accept = (token: string, password = GOOD, name = 'Bia') =>
  gateway.post('/auth/invitations/accept', { token, name, password }, none);

describe('an invitation to a team', () => {
  it('is emailed, refuses a common password, and creates the user once', async () => {
    const email = address();
    const invited = await gateway.post('/users/invitations', { email, role: 'FINANCE' }, await owner());
    expect(invited.status).toBe(201);
    const listed = await gateway.get('/users/invitations', await owner());
    expect(listed.body.data[0]).toEqual(invited.body.data);
    const token = await tokenFor(email, /convidou você/);

    const weak = await accept(token, 'password1234');
    expect([weak.status, weak.body.message]).toEqual([400, ['password is too common']]);
    const accepted = await accept(token);
    expect(accepted.body.data).toEqual({ id: invited.body.data.id, name: 'Bia', email, role: 'FINANCE' });
    expect((await signIn(email, GOOD)).body.user.role).toBe('FINANCE');
    expect((await accept(token)).body).toMatchObject({ statusCode: 400, code: 'invalid_link' });
    expect((await gateway.get('/users/invitations', await owner())).body.data).toEqual([]);
  });

  it('is in the language of the inviter, and void when withdrawn, replaced or a week old', async () => {
    const email = address();
    const english = { ...(await owner()), headers: { 'accept-language': 'en-US,en' } };
    const first = await gateway.post('/users/invitations', { email, role: 'VIEWER' }, english);
    const replaced = await tokenFor(email, /invited you/);
    const second = await gateway.post('/users/invitations', { email, role: 'VIEWER' }, await owner());
    const withdrawn = await tokenFor(email, /convidou/);
    const path = `/users/invitations/${second.body.data.id}`;
    expect((await gateway.delete(`/users/invitations/${first.body.data.id}`, await owner())).status).toBe(
      404,
    );
    expect((await gateway.delete(path, await owner())).body.data).toEqual({ id: second.body.data.id });
    for (const token of [replaced, withdrawn]) expect((await accept(token)).body.code).toBe('invalid_link');

    const late = address();
    await gateway.post('/users/invitations', { email: late, role: 'VIEWER' }, await owner());
    const token = await tokenFor(late, /convidou/);
    await gateway.advance(7 * 86_400 + 1);
    expect((await accept(token)).body.code).toBe('invalid_link');
  });

  it('does not reveal to the inviter that an address has an account elsewhere', async () => {
    const { email } = gateway.demo.admin;
    const invited = await gateway.post('/users/invitations', { email, role: 'VIEWER' }, await owner());
    expect(invited.status).toBe(201);
    const [mail] = await mailsTo(email);
    expect(mail?.text).toContain('já tem uma conta');
    expect(() => tokenIn(mail?.text ?? '')).toThrow('the mail has no link');
    const own = { email: gateway.demo.seller.email, role: 'VIEWER' };
    expect((await gateway.post('/users/invitations', own, await owner())).body.code).toBe('email_taken');
  });
});

describe('an invitation of an operator user', () => {
  it('waits for a second ADMIN if it creates an ADMIN', async () => {
    const email = address();
    const first = await gateway.post('/admin/users/invitations', { email, role: 'ADMIN' }, await admin());
    expect(first.status).toBe(201);
    const token = await tokenFor(email, /convidou/);
    const short = await accept(token, 'short word 9');
    expect(short.status).toBe(200);
    const second = { email: address(), role: 'ADMIN' };
    const pending = await gateway.post('/admin/users/invitations', second, await admin());
    expect([pending.status, pending.body.data.action]).toEqual([202, 'user.invite']);
    expect(await mailsTo(second.email)).toEqual([]);
    await gateway.advance(86_401);
    const approver = { token: String((await signIn(email, 'short word 9')).body.accessToken) };
    const approve = `/admin/approvals/${pending.body.data.id}/approve`;
    expect((await gateway.post(approve, undefined, approver)).body.data.result.email).toBe(second.email);
    expect((await accept(await tokenFor(second.email, /convidou/))).status).toBe(200);
  });
});

describe('a password', () => {
  it('is not reset by a link from before a change, of another purpose, or used twice at once', async () => {
    const email = address();
    await gateway.post('/users/invitations', { email, role: 'OWNER' }, await owner());
    const invitation = await tokenFor(email, /convidou/);
    const reset = (token: string, password: string) =>
      gateway.post('/auth/password/reset', { token, password }, none);
    expect((await reset(invitation, GOOD)).body.code).toBe('invalid_link');
    expect((await accept(invitation)).status).toBe(200);

    await gateway.post('/auth/password/forgot', { email }, none);
    const old = await tokenFor(email, /Redefina/);
    expect((await accept(old)).body.code).toBe('invalid_link');
    const as = { token: String((await signIn(email, GOOD)).body.accessToken) };
    const next = 'correct horse battery 8';
    const passwords = { currentPassword: GOOD, newPassword: next };
    expect((await gateway.post('/users/me/password', passwords, as)).status).toBe(200);
    expect((await reset(old, GOOD)).body.code).toBe('invalid_link');

    await gateway.post('/auth/password/forgot', { email }, none);
    const token = await vi.waitFor(async () => {
      const fresh = await tokenFor(email, /Redefina/);
      expect(fresh).not.toBe(old);
      return fresh;
    }, SOON);
    const statuses = (await Promise.all([reset(token, GOOD), reset(token, `${GOOD}1`)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400]);
  });
});

describe('an invitation by a caller without permission', () => {
  it('is refused: other roles, API keys, roles of the operator, other sellers', async () => {
    const email = address();
    await gateway.post('/users/invitations', { email, role: 'FINANCE' }, await owner());
    await accept(await tokenFor(email, /convidou/));
    const finance = { token: String((await signIn(email, GOOD)).body.accessToken) };
    const body = { email: address(), role: 'OWNER' };
    expect((await gateway.post('/users/invitations', body, finance)).status).toBe(403);
    expect((await gateway.post('/users/invitations', body)).status).toBe(403);
    expect((await gateway.post('/admin/users/invitations', body, await owner())).status).toBe(403);
    const asAdmin = { ...body, role: 'ADMIN' };
    expect((await gateway.post('/users/invitations', asAdmin, await owner())).status).toBe(400);
    expect(await mailsTo(body.email)).toEqual([]);
    const made = await gateway.post('/users/invitations', body, await owner());
    const path = `/admin/users/invitations/${made.body.data.id}`;
    expect((await gateway.delete(path, await admin())).status).toBe(404);
  });
});

describe('a forgotten password', () => {
  it('is reset by a link that works once, and all sessions end', async () => {
    const { email } = gateway.demo.seller;
    const before = String((await signIn(email, gateway.demo.seller.password)).body.accessToken);
    const unknown = await gateway.post('/auth/password/forgot', { email: address() }, none);
    const known = await gateway.post('/auth/password/forgot', { email }, none);
    expect([known.status, known.body]).toEqual([200, unknown.body]);
    const token = await tokenFor(email, /Redefina/);
    const reset = (password: string) => gateway.post('/auth/password/reset', { token, password }, none);
    expect((await reset('password1234')).body.message).toEqual(['password is too common']);
    expect((await reset('correct horse battery 8')).status).toBe(200);
    expect((await reset(GOOD)).body.code).toBe('invalid_link');
    expect((await gateway.get('/users/me', { token: before })).status).toBe(401);
    expect((await signIn(email, gateway.demo.seller.password)).status).toBe(401);
    expect((await signIn(email, 'correct horse battery 8')).status).toBe(200);
    expect((await mailsTo(email)).some(({ subject }) => subject.includes('foi alterada'))).toBe(true);
  });

  it('runs the same statements for an address with an account and one without', async () => {
    const statementsFor = async (email: string) => {
      const statements: string[] = [];
      const pool = new Pool({ connectionString: gateway.database.url, max: 1 });
      const db: Db = new Kysely<DB>({
        dialect: new PostgresDialect({ pool }),
        log: ({ query }) => void statements.push(query.sql),
      });
      await requestPasswordReset({ db, clock: { now: () => new Date() } }, email, 'pt-BR');
      await db.destroy();
      return statements;
    };
    const known = await statementsFor(gateway.demo.admin.email);
    expect(known).toHaveLength(1);
    expect(await statementsFor(address())).toEqual(known);
  });

  it('leaves at most three links, which expire after half an hour', async () => {
    const { email } = gateway.demo.seller;
    const count = async () => (await mailsTo(email)).filter(isReset).length;
    const before = await count();
    for (let time = 0; time < 5; time += 1) await gateway.post('/auth/password/forgot', { email }, none);
    await vi.waitFor(async () => {
      expect(await gateway.database.query('SELECT FROM password_reset_requests')).toEqual([]);
    });
    expect(await count()).toBe(before + 3);
    const token = await tokenFor(email, /Redefina/);
    await gateway.advance(30 * 60);
    const late = await gateway.post('/auth/password/reset', { token, password: GOOD }, none);
    expect(late.body.code).toBe('invalid_link');
  });
});
