import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { hasPermission } from '#platform/kit/permissions.ts';
import { type ApiResponse } from '#test/support/client.ts';
import { startNode } from '#test/support/node.ts';
import { OPERATOR_CHANGES } from './audit-log-operator-changes.ts';
import { MONEY_ACTIONS } from './audit-log-money-actions.ts';
import { SECOND_FACTOR_CHANGES } from './audit-log-second-factor-changes.ts';
import { SELLER_CHANGES } from './audit-log-seller-changes.ts';
import { newSeller, withdrawn } from '#test/support/withdrawals.ts';
import {
  PASSWORD,
  gateway,
  node,
  adminId,
  seller,
  owner,
  admin,
  type Row,
  person,
  hook,
  setUp,
  newHook,
  CNPJ,
} from './audit-log-setup.ts';

setUp();

const list = async (query = '') => gateway.get(`/admin/audit-log${query}`, await admin());

const allRows = () => gateway.database.query<Row>('SELECT * FROM audit_log ORDER BY at, id');

/** The entries of changes: without sign-ins, rejections and reads (security-log.test.ts). */
const rows = async () => (await allRows()).filter(({ action }) => !UNPROMPTED.has(action));

const UNPROMPTED = new Set(['user.sign-in', 'user.sign-in-failed', 'access.refused', 'personal-data.read']);

/** Every route that writes, except those below. A new one must be added here or there. */
const CHANGES = { ...OPERATOR_CHANGES, ...SELLER_CHANGES, ...SECOND_FACTOR_CHANGES, ...MONEY_ACTIONS };

/** Operations that resend something. */
const SENDS = new Set([
  'POST /v1/webhooks/:id/test',
  'POST /v1/webhooks/:id/replay',
  'POST /v1/webhooks/deliveries/:id/resend',
  'POST /v1/webhooks/deliveries/resend-failed',
  'POST /v1/webhooks/resend-transaction-event',
  'POST /v1/webhooks/resend-withdrawal-event',
]);

/**
 * Operations that only read or create something that takes no money, and simulated provider events.
 */
const UNRECORDED: readonly RegExp[] = [
  // Creation must not need another statement. It credits nothing until it is paid.
  /^POST \/v1\/transactions$/,
  /^POST \/v1\/card-tokens$/,
  /^POST \/v1\/public\/payment-links\/:code\/payments$/,
  /^POST \/pay\/t\/:paymentToken\/renewal$/,
  /^POST \/v1\/users\/me\/notification-feed\/read$/,
  /^POST \/v1\/(admin\/)?(transactions|customers|withdrawals)\/lookup$/,
  /^POST \/v1\/(users\/me\/passkeys|auth\/step-up)\/options$/,
  /^POST \/v1\/fees\/simulate$/,
  /^POST \/v1\/admin\/ledger\/checks$/,
  // Writes a row for the seller too: applications.test.ts.
  /^POST \/v1\/admin\/applications\/:id\/(approve|reject)$/,
  /^POST \/v1\/sandbox\/(transactions|disputes|refunds|withdrawals|settlement|subscriptions)/,
];

const cases = Object.entries(CHANGES).map(([name, prepare]) => ({ name, prepare }));

describe('changes by the gateway itself', () => {
  it('are recorded first, with the first operator and the demo data', async () => {
    const [operator, demo, key] = await rows();
    const { seller: demoSeller, admin: demoAdmin } = gateway.demo;
    const itself = { actor_kind: 'GATEWAY', actor_id: null, actor_name: null, request_id: null };
    expect(operator).toMatchObject({
      ...itself,
      action: 'user.created',
      record_id: adminId,
      seller_id: null,
      after: { name: 'Admin', email: demoAdmin.email, role: 'ADMIN' },
    });
    expect(demo).toMatchObject({
      ...itself,
      action: 'seller.created',
      record_id: demoSeller.id,
      after: { ownerEmail: demoSeller.email, document: '**.222.333/****-**' },
    });
    expect(key).toMatchObject({ ...itself, action: 'api-key.created', seller_id: demoSeller.id });
    // The other node found them created, and did not create others.
    expect((await rows()).filter((row) => row.actor_kind === 'GATEWAY')).toHaveLength(3);
  });
});

describe('every change', () => {
  it('of any route is covered by this test', () => {
    const changing = node.routes
      .filter(({ method }) => !['GET', 'HEAD'].includes(method))
      .filter(({ access }) => access !== 'public')
      .map(({ method, url }) => `${method} ${url}`)
      .filter((name) => !SENDS.has(name))
      .filter((name) => !UNRECORDED.some((pattern) => pattern.test(name)));
    expect(changing.toSorted()).toEqual(Object.keys(CHANGES).toSorted());
    // Actions of the operator require this one permission, and actions on the own account the last
    // one.
    const ofAdmins = node.routes.filter(
      ({ access }) => access !== 'public' && hasPermission('ADMIN', access),
    );
    expect(new Set(ofAdmins.map(({ access }) => access))).toEqual(
      new Set(['operator:read', 'operator:write', 'session:end', 'account:own']),
    );
  });

  it.each(cases)('adds one row with actor, action, before and after for $name', async ({ prepare }) => {
    const { act, expectedRow } = await prepare();
    const before = new Set((await rows()).map(({ id }) => id));
    const response = await act();
    expect([200, 201]).toContain(response.status);
    const written = (await rows()).filter(({ id }) => !before.has(id));
    expect(written).toHaveLength(1);
    expect(written[0]).toMatchObject(expectedRow(response));
    const { before: was, after: is } = expectedRow(response);
    expect([written[0]?.before, written[0]?.after]).toEqual([was, is]);
    expect(written[0]?.request_id).toBe(response.headers.get('x-request-id'));
  });

  it.each(cases)('is rolled back if its row cannot be written, for $name', async ({ prepare }) => {
    const { act } = await prepare();
    const [was, count] = [await recorded(), (await rows()).length];
    await gateway.database.query('ALTER TABLE audit_log ADD CONSTRAINT refused CHECK (false) NOT VALID');
    try {
      expect((await act()).status).toBe(500);
    } finally {
      await gateway.database.query('ALTER TABLE audit_log DROP CONSTRAINT refused');
    }
    expect([await recorded(), (await rows()).length]).toEqual([was, count]);
    // Only the audit log row failed.
    expect([200, 201]).toContain((await act()).status);
    expect(await rows()).toHaveLength(count + 1);
  });
});

/** Everything that the log covers, as the database contains it. */
async function recorded(): Promise<readonly unknown[]> {
  const tables = [
    'sellers',
    'fee_schedules',
    'users',
    'second_factors',
    'recovery_codes',
    'invitations',
    'seller_settings',
    'notification_choices',
    'passkeys',
    'webhooks',
    'retired_webhook_secrets',
    'withdrawals',
    'withdrawal_approvals',
    'withdrawal_history',
    'disputes',
    'operator_settings',
    'stored_settings',
    'provider_orders',
    'paused_providers',
    'domain_clock',
    'payment_reversals',
    'settlement_files',
    'settlement_lines',
    'ledger_entries',
    'wallets',
  ];
  const found: unknown[] = [];
  for (const table of tables) {
    found.push(await gateway.database.query(`SELECT * FROM ${table} t ORDER BY t::text`));
  }
  // The time of a key's last use is written periodically.
  found.push(await gateway.database.query('SELECT seller_id, id, name, role FROM api_keys ORDER BY id'));
  return found;
}

describe('a request that is rejected or changes nothing', () => {
  it('adds no row', async () => {
    const as = await admin();
    const apiKey = { apiKey: seller.apiKey };
    const support = person({ role: 'SUPPORT' });
    await gateway.post('/admin/users', support, as);
    const signedIn = await gateway.post(
      '/login',
      { email: support.email, password: PASSWORD },
      { credential: 'none' },
    );
    const supporter = { token: String(signedIn.body.accessToken) };
    const decided = await withdrawn(gateway, seller);
    await gateway.post(`/admin/withdrawals/${decided}/reject`, { reason: 'no' }, as);
    const fees = (await gateway.get('/sellers/me/fees', apiKey)).body.data;
    const settings = (await gateway.get('/admin/settings', as)).body.data;
    const hookId = await newHook();
    const path = `/admin/sellers/${seller.id}`;
    const count = (await rows()).length;
    const responses = await Promise.all([
      gateway.post('/admin/users', person({ role: 'ADMIN', email: support.email }), as),
      gateway.post('/admin/users', person({ role: 'OWNER' }), as),
      gateway.post('/admin/users', person({ role: 'ADMIN' }), supporter),
      gateway.post('/login', { email: support.email, password: 'wrong' }, { credential: 'none' }),
      gateway.delete(`/admin/users/${adminId}`, as),
      gateway.delete(`/admin/users/${randomUUID()}`, as),
      gateway.delete(`${path}/users/${adminId}`, as),
      gateway.delete(`${path}/api-keys/${randomUUID()}`, as),
      gateway.patch(`/admin/sellers/${randomUUID()}`, { status: 'CLOSED' }, as),
      gateway.patch(path, { status: 'LOST' }, as),
      gateway.patch(path, { status: 'CLOSED' }, supporter),
      gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: -1 }, as),
      gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: 1 }, supporter),
      gateway.post(`/admin/withdrawals/${decided}/approve`, undefined, as),
      gateway.post(`/admin/withdrawals/${decided}/reject`, { reason: 'no' }, as),
      gateway.post(`/admin/disputes/${randomUUID()}/resolve`, { outcome: 'RESOLVED' }, as),
      gateway.post('/webhooks', hook({ url: 'http://localhost/' }), apiKey),
      gateway.delete(`/webhooks/${randomUUID()}`, apiKey),
      gateway.post(`/webhooks/${randomUUID()}/rotate-secret`, undefined, apiKey),
      gateway.post('/api-keys', { name: '' }, owner),
    ]);
    for (const response of responses) expect([400, 401, 403, 404, 422]).toContain(response.status);
    const unchanged = await Promise.all([
      gateway.patch(path, {}, as),
      gateway.patch(path, { status: 'ACTIVE' }, as),
      gateway.call('PUT', `${path}/fees`, fees, as),
      gateway.call('PUT', '/admin/settings', settings, as),
      gateway.patch(`/webhooks/${hookId}`, { eventType: 'ALL' }, owner),
    ]);
    for (const response of unchanged) expect(response.status).toBe(200);
    expect(await rows()).toHaveLength(count);
  });

  it('records an automatic approval without a user', async () => {
    const generous = await newSeller(gateway, { balance: 10_000, autoApproveUpTo: 5_000 });
    const first = await withdrawn(gateway, generous);
    await gateway.post(`/admin/withdrawals/${first}/approve`, undefined, await admin());
    const count = (await rows()).length;
    const id = await withdrawn(gateway, generous);
    expect((await rows()).at(-1)).toMatchObject({ action: 'withdrawal.created', record_id: id });
    expect(await gateway.database.query('SELECT status FROM withdrawals WHERE id = $1', [id])).toEqual([
      { status: 'APPROVED' },
    ]);
    expect(await rows()).toHaveLength(count + 1);
  });
});

describe('the audit log', () => {
  it('contains no password, key, secret or full document', async () => {
    const [dump] = await gateway.database.query<{ text: string }>(
      `SELECT string_agg(a::text, E'\\n') AS text FROM audit_log a`,
    );
    const text = dump?.text ?? '';
    expect(text.split('\n').length).toBeGreaterThan(50);
    const secrets = await gateway.database.query<{ secret: string }>(`
      SELECT password_hash AS secret FROM users
      UNION SELECT encode(key_hash, 'hex') FROM api_keys
      UNION SELECT encrypted_secret FROM webhooks
      UNION SELECT encrypted_secret FROM retired_webhook_secrets
      UNION SELECT encrypted_payee FROM withdrawals
      UNION SELECT encrypted_secret FROM second_factors
      UNION SELECT encode(code_hash, 'hex') FROM recovery_codes
      UNION SELECT document FROM sellers
      UNION SELECT encode(token_hash, 'hex') FROM refresh_tokens`);
    expect(secrets.length).toBeGreaterThan(20);
    for (const { secret } of secrets) expect(text).not.toContain(secret);
    const { demo } = gateway;
    const words = [PASSWORD, PASSWORD.replaceAll(' ', '-'), demo.apiKey, seller.apiKey];
    for (const word of [...words, demo.admin.password, demo.seller.password, CNPJ]) {
      expect(text).not.toContain(word);
    }
    expect(text).not.toMatch(/whsec_|argon2|sk_test_\w{5}|token=|(?<![\w-])\d{11}"/);
  });

  it('is listed newest first, paginated, with a count', async () => {
    const as = await admin();
    const all = (await allRows())
      .map(({ id }) => id)
      .toSorted()
      .toReversed();
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `?take=40${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page: ApiResponse = await gateway.get(`/admin/audit-log${query}`, as);
      expect([page.status, page.body.count]).toEqual([200, all.length]);
      for (const { id } of page.body.data) ids.push(id);
      cursor = page.body.nextCursor;
    }
    expect(ids).toEqual(all);
    expect(
      (await gateway.get('/admin/audit-log?take=2&skip=3', as)).body.data.map(({ id }: { id: string }) => id),
    ).toEqual(all.slice(3, 5));
  });

  it('is filtered by action, actor, seller and record', async () => {
    const made = await gateway.post('/admin/users', person({ role: 'SUPPORT' }), await admin());
    const { id, name, email, role } = made.body.data;
    const entry = {
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: { kind: 'OPERATOR_USER', id: adminId, name: 'Admin', role: 'ADMIN', keyPrefix: null },
      action: 'user.created',
      recordType: 'user',
      recordId: id,
      sellerId: null,
      before: null,
      after: { name, email, role },
      requestId: made.headers.get('x-request-id'),
    };
    for (const recordId of [id, String(id).toUpperCase()]) {
      expect((await list(`?recordId=${recordId}`)).body).toEqual({
        status: true,
        data: [entry],
        count: 1,
        nextCursor: null,
      });
    }
    const requestId = made.headers.get('x-request-id');
    expect((await list(`?requestId=${requestId}`)).body).toMatchObject({ data: [entry], count: 1 });
    await gateway.delete(`/admin/users/${id}`, await admin());
    // Entries of a deleted actor are kept.
    expect((await list(`?recordId=${id}`)).body.data.map(({ action }: { action: string }) => action)).toEqual(
      ['user.deleted', 'user.created'],
    );
    for (const [query, condition, value] of [
      ['action=webhook.created', 'action', 'webhook.created'],
      [`actorId=${owner.id}`, 'actor_id', owner.id],
      [`sellerId=${seller.id}`, 'seller_id', seller.id],
    ] as const) {
      const [expected] = await gateway.database.query<{ count: string }>(
        `SELECT count(*)::int AS count FROM audit_log WHERE ${condition} = $1`,
        [value],
      );
      const response = await list(`?${query}`);
      expect(response.body.count).toBe(expected?.count);
      expect(response.body.count).toBeGreaterThan(1);
    }
    expect((await list(`?actorId=${owner.id}&action=webhook.deleted&sellerId=${seller.id}`)).body.count).toBe(
      2,
    );
    expect((await list(`?actorId=${adminId}&action=webhook.deleted`)).body.data).toEqual([]);
  });

  it('is filtered by day in São Paulo', async () => {
    await gateway.advance(3 * 86_400);
    const made = await gateway.post('/admin/users', person({ role: 'SUPPORT' }), await admin());
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(
      new Date(made.body.data.createdAt),
    );
    const found = await list(`?startDate=${day}&endDate=${day}&action=user.created`);
    expect(found.body.data.map(({ recordId }: { recordId: string }) => recordId)).toEqual([
      made.body.data.id,
    ]);
    const as = await admin();
    const count = (await allRows()).length;
    expect((await gateway.get(`/admin/audit-log?endDate=${day}`, as)).body.count).toBe(count);
    expect((await list('?startDate=2026-02-31')).body.message).toEqual([
      'startDate must be a valid ISO 8601 date string',
    ]);
    expect((await list('?action=seller.sold')).status).toBe(400);
  });

  it('is exported completely as CSV', async () => {
    const response = await list(`?export=true&take=1&sellerId=${seller.id}`);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = response.text.trimEnd().split('\r\n');
    expect(head).toBe(
      'id,at,actorKind,actorId,actorName,actorRole,actorKeyPrefix,' +
        'action,recordType,recordId,sellerId,before,after,requestId',
    );
    expect(lines).toHaveLength((await list(`?sellerId=${seller.id}`)).body.count);
    const ids = lines.map((line) => line.slice(0, 36));
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(response.text).toContain('"{""cardDelayDays"":14}"');
  });

  it('requires the operator', async () => {
    expect((await gateway.get('/admin/audit-log', { apiKey: seller.apiKey })).status).toBe(403);
    expect((await gateway.get('/admin/audit-log', { credential: 'none' })).status).toBe(401);
  });
});

const storedKeys = () => gateway.database.query('SELECT key FROM idempotency_keys');

describe('an audit log row', () => {
  it('is accessed by one file, which only inserts and reads', async () => {
    const source = new URL('../../../src/', import.meta.url);
    const naming: string[] = [];
    for (const entry of await readdir(source, { recursive: true })) {
      if (!entry.endsWith('.ts')) continue;
      const text = await readFile(new URL(entry, source), 'utf8');
      if (/\baudit_log\b|\bAuditLog\b/.test(text)) naming.push(entry);
      if (entry !== 'audit/store.ts') continue;
      expect(text).toContain(`insertInto('audit_log')`);
      expect(text).not.toMatch(
        /updateTable|deleteFrom|onConflict|mergeInto|replaceInto|\b(UPDATE|DELETE|TRUNCATE)\b/,
      );
    }
    expect(naming.toSorted()).toEqual([
      'audit/store.ts',
      'platform/database/grants.ts',
      'platform/database/history-privileges.ts',
      'platform/database/types.gen.ts',
    ]);
  });

  it('cannot be changed or deleted even by the owner of the table', async () => {
    const granted = await gateway.database.query<{ privilege: string }>(
      `SELECT a.privilege_type AS privilege FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = 'audit_log'::regclass AND a.grantee = c.relowner`,
    );
    const names = granted.map(({ privilege }) => privilege);
    expect(names).toEqual(expect.arrayContaining(['INSERT', 'SELECT']));
    for (const refused of ['UPDATE', 'DELETE', 'TRUNCATE']) expect(names).not.toContain(refused);
  });

  it('is kept by the cleanup job for years', async () => {
    const before = await rows();
    await gateway.advance(10 * 365 * 86_400);
    expect(await storedKeys()).not.toEqual([]);
    const worker = await startNode({ databaseUrl: gateway.database.url, worker: true });
    try {
      await vi.waitFor(async () => expect(await storedKeys()).toEqual([]), { timeout: 10_000 });
    } finally {
      await worker.stop();
    }
    const after = await rows();
    expect(after.slice(0, before.length)).toEqual(before);
  });
});
