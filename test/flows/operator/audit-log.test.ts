import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { hasPermission } from '#platform/kit/permissions.ts';
import { cnabEnvironment, returnOf } from '#test/support/bank-files.ts';
import { goodCharge, type Answer, type CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import { newSeller, withdrawn, type TestSeller } from '#test/support/withdrawals.ts';

const PASSWORD = 'a very secret password';
const CNPJ = '11222333000181';

let gateway: TestGateway;
/** Its routes are those of every gateway. */
let node: TestNode;
let adminId: string;
let seller: TestSeller;
let owner: CallOptions & { readonly id: string };

beforeAll(async () => {
  // Without due work, so that nothing changes but what a test changes.
  gateway = await startTestGateway({
    environment: { ...SHARED_SECRETS, ...cnabEnvironment('341') },
    worker: false,
  });
  node = await startNode({ databaseUrl: gateway.database.url });
  const [user] = await gateway.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
    gateway.demo.admin.email,
  ]);
  adminId = user?.id ?? '';
  seller = await newSeller(gateway, { balance: 100_000 });
  const email = `${randomUUID()}@example.com`;
  const made = await gateway.post(
    `/admin/sellers/${seller.id}/users`,
    { name: 'Caio', email, password: PASSWORD, role: 'OWNER' },
    await admin(),
  );
  const signedIn = await gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });
  owner = { id: made.body.data.id, token: signedIn.body.accessToken };
});
afterAll(async () => {
  await node.stop();
  await gateway.stop();
});

/** Signs in each time, since the clock is moved by hours. */
const admin = async (): Promise<{ readonly token: string }> => ({ token: await gateway.adminToken() });
const list = async (query = '') => gateway.get(`/admin/audit-log${query}`, await admin());

interface Row {
  readonly id: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly action: string;
  readonly record_type: string;
  readonly record_id: string | null;
  readonly seller_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly request_id: string | null;
}
const rows = () => gateway.database.query<Row>('SELECT * FROM audit_log ORDER BY at, id');

/** A change that is about to be made: what the log must say of it follows from the answer. */
interface Prepared {
  readonly act: () => Promise<Answer>;
  readonly says: (answer: Answer) => Partial<Row>;
}

const person = (changes: Readonly<Record<string, unknown>> = {}) => ({
  name: 'Bia',
  email: `${randomUUID()}@example.com`,
  password: PASSWORD,
  ...changes,
});
const hook = (changes: Readonly<Record<string, unknown>> = {}) => ({
  url: `https://localhost:50001/hook?token=${PASSWORD.replaceAll(' ', '-')}`,
  eventType: 'ALL',
  description: 'stock',
  ...changes,
});
const hookShown = { url: 'https://localhost:50001/hook?…', eventType: 'ALL', description: 'stock' };

async function newHook(): Promise<string> {
  const made = await gateway.post('/webhooks', hook(), { apiKey: seller.apiKey });
  expect(made.status).toBe(201);
  return String(made.body.data.id);
}

async function newKey(): Promise<string> {
  const made = await gateway.post('/api-keys', { name: 'till', role: 'FINANCE' }, { apiKey: seller.apiKey });
  expect(made.status).toBe(201);
  return String(made.body.data.id);
}

/** A paid charge, as disputes need one. */
async function paid(): Promise<string> {
  const made = await gateway.charge({}, { apiKey: seller.apiKey });
  const id = String(made.body.data.id);
  await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey: seller.apiKey });
  return id;
}

const keyId = async (): Promise<string> => {
  const [row] = await gateway.database.query<{ id: string }>(
    `SELECT id FROM api_keys WHERE seller_id = $1 AND name = 'test'`,
    [seller.id],
  );
  return row?.id ?? '';
};
/** Whose data it was is not written down. */
const aboutNobody = { record_type: 'payer', record_id: null, seller_id: null, before: null };

const byOperator = () => ({ actor_kind: 'OPERATOR_USER', actor_id: adminId, actor_name: 'Operator' });
const byKey = async () => ({ actor_kind: 'API_KEY', actor_id: await keyId(), actor_name: 'test' });
const byOwner = () => ({ actor_kind: 'SELLER_USER', actor_id: owner.id, actor_name: 'Caio' });
const keyMembers = (role: string) => ({
  name: 'till',
  role,
  prefix: expect.stringMatching(/^sk_test_\w{4}$/),
});

/** A colleague of the owner who has signed in. */
async function newColleague(): Promise<{ readonly id: string; readonly token: string }> {
  const wanted = person({ role: 'OWNER' });
  const made = await gateway.post('/users', wanted, owner);
  const credentials = { email: wanted.email, password: PASSWORD };
  const signedIn = await gateway.post('/login', credentials, { credential: 'none' });
  return { id: String(made.body.data.id), token: String(signedIn.body.accessToken) };
}

/** Of `ahead` steps of thirty seconds from now, which the gateway takes for the next one. */
const codeOf = (secret: string, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 });

async function newSeed(as: CallOptions): Promise<string> {
  const begun = await gateway.post('/users/me/two-factor', { password: PASSWORD }, as);
  return String(begun.body.data.secret);
}

/** What a colleague changes of themself. */
const ofColleague = (id: string, action: string, changes: Partial<Row> = {}): Partial<Row> => ({
  actor_kind: 'SELLER_USER',
  actor_id: id,
  actor_name: 'Bia',
  action,
  record_type: 'user',
  record_id: id,
  seller_id: seller.id,
  before: null,
  after: null,
  ...changes,
});

/** Every route that changes what the log is about. A new one of that kind must be added here. */
const CHANGES: Readonly<Record<string, () => Promise<Prepared>>> = {
  'POST /v1/admin/sellers': async () => {
    const { name: ownerName, email: ownerEmail, password: ownerPassword } = person();
    const wanted = {
      name: 'Loja',
      documentType: 'CNPJ',
      document: CNPJ,
      ownerName,
      ownerEmail,
      ownerPassword,
    };
    const as = await admin();
    return {
      act: () => gateway.post('/admin/sellers', wanted, as),
      says: ({ body: { data } }) => ({
        ...byOperator(),
        action: 'seller.created',
        record_type: 'seller',
        record_id: data.id,
        seller_id: data.id,
        before: null,
        after: {
          name: 'Loja',
          documentType: 'CNPJ',
          document: '**.222.333/****-**',
          status: 'ACTIVE',
          requestsPerMinute: 120,
          creationsPerMinute: 60,
          boletoDelayDays: 1,
          cardDelayDays: 30,
          autoApproveUpTo: 0,
          negativeBalanceUpTo: 0,
          chargebackFee: 0,
          ownerId: expect.any(String),
          ownerName,
          ownerEmail,
        },
      }),
    };
  },

  'PATCH /v1/admin/sellers/:id': async () => {
    const as = await admin();
    const path = `/admin/sellers/${seller.id}`;
    await gateway.patch(path, { cardDelayDays: 30, boletoDelayDays: 1 }, as);
    return {
      act: () => gateway.patch(path, { cardDelayDays: 14, boletoDelayDays: 1 }, as),
      says: () => ({
        ...byOperator(),
        action: 'seller.updated',
        record_type: 'seller',
        record_id: seller.id,
        seller_id: seller.id,
        before: { cardDelayDays: 30 },
        after: { cardDelayDays: 14 },
      }),
    };
  },

  'PUT /v1/admin/sellers/:id/fees': async () => {
    const as = await admin();
    const fees = (await gateway.get('/sellers/me/fees', { apiKey: seller.apiKey })).body.data;
    const boleto = { type: 'FIXED', value: fees.boleto.value + 1 };
    return {
      act: () => gateway.call('PUT', `/admin/sellers/${seller.id}/fees`, { ...fees, boleto }, as),
      says: () => ({
        ...byOperator(),
        action: 'fees.replaced',
        record_type: 'fees',
        record_id: seller.id,
        seller_id: seller.id,
        before: { boleto: fees.boleto },
        after: { boleto },
      }),
    };
  },

  'POST /v1/admin/sellers/:id/api-keys': async () => {
    const as = await admin();
    return {
      act: () => gateway.post(`/admin/sellers/${seller.id}/api-keys`, { name: 'till' }, as),
      says: ({ body }) => ({
        ...byOperator(),
        action: 'api-key.created',
        record_type: 'api-key',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: keyMembers('OWNER'),
      }),
    };
  },

  'DELETE /v1/admin/sellers/:id/api-keys/:keyId': async () => {
    const as = await admin();
    const id = await newKey();
    return {
      act: () => gateway.delete(`/admin/sellers/${seller.id}/api-keys/${id.toUpperCase()}`, as),
      says: () => ({
        ...byOperator(),
        action: 'api-key.deleted',
        record_type: 'api-key',
        record_id: id,
        seller_id: seller.id,
        before: keyMembers('FINANCE'),
        after: null,
      }),
    };
  },

  'POST /v1/admin/sellers/:id/users': async () => {
    const as = await admin();
    const { password, ...shown } = person({ role: 'VIEWER' });
    return {
      act: () => gateway.post(`/admin/sellers/${seller.id}/users`, { password, ...shown }, as),
      says: ({ body }) => ({
        ...byOperator(),
        action: 'user.created',
        record_type: 'user',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: shown,
      }),
    };
  },

  'DELETE /v1/admin/sellers/:id/users/:userId': async () => {
    const as = await admin();
    const { password, ...shown } = person({ role: 'VIEWER' });
    const made = await gateway.post(`/admin/sellers/${seller.id}/users`, { password, ...shown }, as);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.delete(`/admin/sellers/${seller.id}/users/${id}`, as),
      says: () => ({
        ...byOperator(),
        action: 'user.deleted',
        record_type: 'user',
        record_id: id,
        seller_id: seller.id,
        before: shown,
        after: null,
      }),
    };
  },

  'POST /v1/admin/users': async () => {
    const as = await admin();
    const { password, ...shown } = person({ role: 'SUPPORT' });
    return {
      act: () => gateway.post('/admin/users', { password, ...shown }, as),
      says: ({ body }) => ({
        ...byOperator(),
        action: 'user.created',
        record_type: 'user',
        record_id: body.data.id,
        seller_id: null,
        before: null,
        after: shown,
      }),
    };
  },

  'DELETE /v1/admin/users/:id': async () => {
    const as = await admin();
    const { password, ...shown } = person({ role: 'SUPPORT' });
    const made = await gateway.post('/admin/users', { password, ...shown }, as);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.delete(`/admin/users/${id}`, as),
      says: () => ({
        ...byOperator(),
        action: 'user.deleted',
        record_type: 'user',
        record_id: id,
        seller_id: null,
        before: shown,
        after: null,
      }),
    };
  },

  'POST /v1/admin/withdrawals/:id/approve': async () => {
    const as = await admin();
    const id = await withdrawn(gateway, seller);
    return {
      act: () => gateway.post(`/admin/withdrawals/${id}/approve`, undefined, as),
      says: () => ({
        ...byOperator(),
        action: 'withdrawal.approved',
        record_type: 'withdrawal',
        record_id: id,
        seller_id: seller.id,
        before: { status: 'PENDING' },
        after: { status: 'APPROVED' },
      }),
    };
  },

  'POST /v1/admin/withdrawals/:id/reject': async () => {
    const as = await admin();
    const id = await withdrawn(gateway, seller);
    return {
      act: () => gateway.post(`/admin/withdrawals/${id}/reject`, { reason: 'unknown payee' }, as),
      says: () => ({
        ...byOperator(),
        action: 'withdrawal.rejected',
        record_type: 'withdrawal',
        record_id: id,
        seller_id: seller.id,
        before: { status: 'PENDING', rejectionReason: null },
        after: { status: 'REJECTED', rejectionReason: 'unknown payee' },
      }),
    };
  },

  'POST /v1/admin/transactions/:id/dispute': async () => {
    const as = await admin();
    const transactionId = await paid();
    return {
      act: () =>
        gateway.post(`/admin/transactions/${transactionId}/dispute`, { reason: 'not mine', amount: 400 }, as),
      says: ({ body }) => ({
        ...byOperator(),
        action: 'dispute.opened',
        record_type: 'dispute',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: {
          transactionId,
          status: 'OPEN',
          amount: 400,
          reason: 'not mine',
          resolvedAt: null,
          resolvedBy: null,
        },
      }),
    };
  },

  'POST /v1/admin/disputes/:id/resolve': async () => {
    const as = await admin();
    const reason = { reason: 'not mine' };
    const opened = await gateway.post(`/admin/transactions/${await paid()}/dispute`, reason, as);
    const id = String(opened.body.data.id);
    return {
      act: () => gateway.post(`/admin/disputes/${id}/resolve`, { outcome: 'RESOLVED' }, as),
      says: () => ({
        ...byOperator(),
        action: 'dispute.resolved',
        record_type: 'dispute',
        record_id: id,
        seller_id: seller.id,
        before: { status: 'OPEN', resolvedAt: null, resolvedBy: null },
        after: { status: 'RESOLVED', resolvedAt: expect.any(String), resolvedBy: adminId },
      }),
    };
  },

  'PUT /v1/admin/settings': async () => {
    const as = await admin();
    const { twoPersonApprovalAbove } = (await gateway.get('/admin/settings', as)).body.data;
    const next = (twoPersonApprovalAbove ?? 1_000_000) + 1;
    return {
      act: () => gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: next }, as),
      says: () => ({
        ...byOperator(),
        action: 'settings.updated',
        record_type: 'settings',
        record_id: null,
        seller_id: null,
        before: { twoPersonApprovalAbove },
        after: { twoPersonApprovalAbove: next },
      }),
    };
  },

  'POST /v1/admin/reversals/:id/settle': async () => {
    const as = await admin();
    const transactionId = await paid();
    // Money that comes twice goes back; here by hand, as where no machine can send it.
    await gateway.post(
      `/sandbox/transactions/${transactionId}/pay`,
      { reportId: randomUUID() },
      { apiKey: seller.apiKey },
    );
    const [due] = await gateway.database.query<{ id: string }>(
      `UPDATE payment_reversals SET status = 'MANUAL' WHERE transaction_id = $1 RETURNING id`,
      [transactionId],
    );
    const note = { note: 'sent by bank transfer' };
    return {
      act: () => gateway.post(`/admin/reversals/${due?.id}/settle`, note, as),
      says: () => ({
        ...byOperator(),
        action: 'reversal.settled',
        record_type: 'reversal',
        record_id: due?.id ?? '',
        seller_id: seller.id,
        before: { status: 'MANUAL', note: null, settledBy: null, sentAt: null },
        after: { status: 'SENT', ...note, settledBy: adminId, sentAt: expect.any(String) },
      }),
    };
  },

  'POST /v1/admin/reconciliation/files': async () => {
    const as = { ...(await admin()), headers: { 'content-type': 'text/csv' } };
    const file = `id,type,amount,fee,date,reference\r\n${randomUUID()},PAYMENT,1500,5,2026-03-02,\r\n`;
    return {
      act: () => gateway.post('/admin/reconciliation/files?provider=sandbox&day=2026-03-02', file, as),
      says: ({ body }) => ({
        ...byOperator(),
        action: 'settlement-file.imported',
        record_type: 'settlement-file',
        record_id: body.data.id,
        seller_id: null,
        before: null,
        after: {
          provider: 'sandbox',
          day: '2026-03-02',
          bytes: file.length,
          lines: 1,
          duplicates: 0,
          moneyIn: 1500,
          moneyOut: 0,
          fees: 5,
        },
      }),
    };
  },

  'POST /v1/admin/privacy/export': async () => {
    const as = await admin();
    const email = `${randomUUID()}@example.com`;
    await gateway.charge({ customer: { ...goodCharge().customer, email } }, { apiKey: seller.apiKey });
    return {
      act: () => gateway.post('/admin/privacy/export', { email }, as),
      says: () => ({ ...byOperator(), action: 'payer.exported', ...aboutNobody, after: { charges: 1 } }),
    };
  },

  'POST /v1/admin/privacy/erase': async () => {
    const as = await admin();
    const email = `${randomUUID()}@example.com`;
    await gateway.charge({ customer: { ...goodCharge().customer, email } }, { apiKey: seller.apiKey });
    return {
      act: () => gateway.post('/admin/privacy/erase', { email }, as),
      says: () => ({
        ...byOperator(),
        action: 'payer.erased',
        ...aboutNobody,
        after: { charges: 1, kept: 0 },
      }),
    };
  },

  'POST /v1/admin/cnab/shipments': async () => {
    const as = await admin();
    const { apiKey } = seller;
    await gateway.charge({ method: 'BOLETO' }, { apiKey });
    return {
      act: () => gateway.post('/admin/cnab/shipments', { service: 'BOLETOS' }, as),
      says: ({ body }) => ({
        ...byOperator(),
        action: 'cnab-shipment.created',
        record_type: 'cnab-shipment',
        record_id: body.data.id,
        seller_id: null,
        before: null,
        after: {
          bankCode: '341',
          number: body.data.number,
          service: 'BOLETOS',
          registrations: 1,
          writeOffs: 0,
          payments: 0,
          amount: 1500,
        },
      }),
    };
  },

  'POST /v1/admin/cnab/returns': async () => {
    const as = { ...(await admin()), headers: { 'content-type': 'text/plain' } };
    const answer = { title: '99999999', movement: '02', on: '2026-11-24' };
    const file = returnOf('341', [answer], Math.floor(Math.random() * 100_000));
    return {
      act: () => gateway.post('/admin/cnab/returns', file, as),
      says: ({ body }) => ({
        ...byOperator(),
        action: 'cnab-return.imported',
        record_type: 'cnab-return',
        record_id: body.data.id,
        seller_id: null,
        before: null,
        after: { bankCode: '341', number: body.data.number, bytes: file.length, lines: 1 },
      }),
    };
  },

  'POST /v1/sandbox/clock': async () => {
    const as = await admin();
    const [clock] = await gateway.database.query<{ offset: number }>(
      'SELECT (offset_ms / 1000)::int AS offset FROM domain_clock',
    );
    const offsetSeconds = clock?.offset ?? 0;
    return {
      act: () => gateway.post('/sandbox/clock', { advanceSeconds: 1 }, as),
      says: () => ({
        ...byOperator(),
        action: 'sandbox.clock-advanced',
        record_type: 'clock',
        record_id: null,
        seller_id: null,
        before: { offsetSeconds },
        after: { offsetSeconds: offsetSeconds + 1 },
      }),
    };
  },

  'POST /v1/api-keys': async () => ({
    act: () => gateway.post('/api-keys', { name: 'till', role: 'VIEWER' }, owner),
    says: ({ body }) => ({
      ...byOwner(),
      action: 'api-key.created',
      record_type: 'api-key',
      record_id: body.data.id,
      seller_id: seller.id,
      before: null,
      after: keyMembers('VIEWER'),
    }),
  }),

  'DELETE /v1/api-keys/:id': async () => {
    const [id, by] = [await newKey(), await byKey()];
    return {
      act: () => gateway.delete(`/api-keys/${id}`, { apiKey: seller.apiKey }),
      says: () => ({
        ...by,
        action: 'api-key.deleted',
        record_type: 'api-key',
        record_id: id,
        seller_id: seller.id,
        before: keyMembers('FINANCE'),
        after: null,
      }),
    };
  },

  'POST /v1/users': async () => {
    const { password, ...shown } = person({ role: 'FINANCE' });
    return {
      act: () => gateway.post('/users', { password, ...shown }, owner),
      says: ({ body }) => ({
        ...byOwner(),
        action: 'user.created',
        record_type: 'user',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: shown,
      }),
    };
  },

  'PATCH /v1/users/:id': async () => {
    const made = await gateway.post('/users', person({ role: 'FINANCE' }), owner);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.patch(`/users/${id}`, { name: 'Bia', role: 'VIEWER' }, owner),
      says: () => ({
        ...byOwner(),
        action: 'user.updated',
        record_type: 'user',
        record_id: id,
        seller_id: seller.id,
        before: { role: 'FINANCE' },
        after: { role: 'VIEWER' },
      }),
    };
  },

  'DELETE /v1/users/:id': async () => {
    const { password: _, ...shown } = person({ role: 'FINANCE' });
    const made = await gateway.post('/users', { ...shown, password: PASSWORD }, owner);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.delete(`/users/${id}`, owner),
      says: () => ({
        ...byOwner(),
        action: 'user.deleted',
        record_type: 'user',
        record_id: id,
        seller_id: seller.id,
        before: shown,
        after: null,
      }),
    };
  },

  'PATCH /v1/users/me': async () => {
    const { id, token } = await newColleague();
    return {
      act: () => gateway.patch('/users/me', { name: 'Bia Lima' }, { token }),
      says: () => ofColleague(id, 'user.updated', { before: { name: 'Bia' }, after: { name: 'Bia Lima' } }),
    };
  },

  'POST /v1/users/me/password': async () => {
    const { id, token } = await newColleague();
    const passwords = { currentPassword: PASSWORD, newPassword: `another ${PASSWORD}` };
    return {
      act: () => gateway.post('/users/me/password', passwords, { token }),
      says: () => ofColleague(id, 'user.password-changed'),
    };
  },

  'POST /v1/users/me/two-factor/confirm': async () => {
    const { id, token } = await newColleague();
    const secret = await newSeed({ token });
    return {
      act: () => gateway.post('/users/me/two-factor/confirm', { code: codeOf(secret) }, { token }),
      says: () => ofColleague(id, 'user.two-factor-enabled'),
    };
  },

  'DELETE /v1/users/me/two-factor': async () => {
    const { id, token } = await newColleague();
    const secret = await newSeed({ token });
    await gateway.post('/users/me/two-factor/confirm', { code: codeOf(secret) }, { token });
    const proof = () => ({ password: PASSWORD, code: codeOf(secret, 1) });
    return {
      act: () => gateway.call('DELETE', '/users/me/two-factor', proof(), { token }),
      says: () => ofColleague(id, 'user.two-factor-disabled'),
    };
  },

  'POST /v1/webhooks': async () => {
    const by = await byKey();
    return {
      act: () => gateway.post('/webhooks', hook(), { apiKey: seller.apiKey }),
      says: ({ body }) => ({
        ...by,
        action: 'webhook.created',
        record_type: 'webhook',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: hookShown,
      }),
    };
  },

  'PATCH /v1/webhooks/:id': async () => {
    const id = await newHook();
    const changes = { url: 'https://localhost:50001/hook?token=another', eventType: 'TRANSACTION' };
    return {
      act: () => gateway.patch(`/webhooks/${id}`, changes, owner),
      says: () => ({
        ...byOwner(),
        action: 'webhook.updated',
        record_type: 'webhook',
        record_id: id,
        seller_id: seller.id,
        before: { url: hookShown.url, eventType: 'ALL' },
        after: { url: hookShown.url, eventType: 'TRANSACTION' },
      }),
    };
  },

  'POST /v1/webhooks/:id/rotate-secret': async () => {
    const id = await newHook();
    return {
      act: () => gateway.post(`/webhooks/${id}/rotate-secret`, undefined, owner),
      says: () => ({
        ...byOwner(),
        action: 'webhook.secret-rotated',
        record_type: 'webhook',
        record_id: id,
        seller_id: seller.id,
        before: null,
        after: null,
      }),
    };
  },

  'DELETE /v1/webhooks/:id': async () => {
    const id = await newHook();
    return {
      act: () => gateway.delete(`/webhooks/${id}`, owner),
      says: () => ({
        ...byOwner(),
        action: 'webhook.deleted',
        record_type: 'webhook',
        record_id: id,
        seller_id: seller.id,
        before: hookShown,
        after: null,
      }),
    };
  },
};

/** What needs the same permissions and changes no registration: it sends something once more. */
const SENDS = new Set([
  'POST /v1/webhooks/:id/test',
  'POST /v1/webhooks/:id/replay',
  'POST /v1/webhooks/deliveries/:id/resend',
  'POST /v1/webhooks/deliveries/resend-failed',
  'POST /v1/webhooks/resend-transaction-event',
  'POST /v1/webhooks/resend-withdrawal-event',
]);

/** What ends nothing but a session, or begins what counts only when it is confirmed. */
const UNTOLD = new Set(['POST /v1/users/me/two-factor', 'DELETE /v1/users/me/sessions/:id']);

/** The permissions of routes that change what the log is about. */
const CHANGING: ReadonlySet<string> = new Set([
  'operator:write',
  'api-keys:write',
  'webhooks:write',
  'users:write',
  'account:own',
]);

const cases = Object.entries(CHANGES).map(([name, prepare]) => ({ name, prepare }));

describe('what the gateway itself does', () => {
  it('is the first that the log says: the first operator and the demo (C13)', async () => {
    const [operator, demo, key] = await rows();
    const { seller: demoSeller, admin: demoAdmin } = gateway.demo;
    const itself = { actor_kind: 'GATEWAY', actor_id: null, actor_name: null, request_id: null };
    expect(operator).toMatchObject({
      ...itself,
      action: 'user.created',
      record_id: adminId,
      seller_id: null,
      after: { name: 'Operator', email: demoAdmin.email, role: 'ADMIN' },
    });
    expect(demo).toMatchObject({
      ...itself,
      action: 'seller.created',
      record_id: demoSeller.id,
      after: { ownerEmail: demoSeller.email, document: '**.222.333/****-**' },
    });
    expect(key).toMatchObject({ ...itself, action: 'api-key.created', seller_id: demoSeller.id });
    // The other node found them made, and so made no second ones.
    expect((await rows()).filter((row) => row.actor_kind === 'GATEWAY')).toHaveLength(3);
  });
});

describe('every change', () => {
  it('that a route can make is known to this test (C13)', () => {
    const changing = node.routes
      .filter(({ method }) => !['GET', 'HEAD'].includes(method))
      .filter(({ access }) => CHANGING.has(access))
      .map(({ method, url }) => `${method} ${url}`)
      .filter((name) => !SENDS.has(name) && !UNTOLD.has(name));
    expect(changing.toSorted()).toEqual(Object.keys(CHANGES).toSorted());
    // Whoever acts for the operator acts by this one permission, and for themself by the last.
    const ofAdmins = node.routes.filter(
      ({ access }) => access !== 'public' && hasPermission('ADMIN', access),
    );
    expect(new Set(ofAdmins.map(({ access }) => access))).toEqual(
      new Set(['operator:read', 'operator:write', 'session:end', 'account:own']),
    );
  });

  it.each(cases)('$name: writes one row, with who, what, before and after (C13)', async ({ prepare }) => {
    const { act, says } = await prepare();
    const before = new Set((await rows()).map(({ id }) => id));
    const answer = await act();
    expect([200, 201]).toContain(answer.status);
    const written = (await rows()).filter(({ id }) => !before.has(id));
    expect(written).toHaveLength(1);
    expect(written[0]).toMatchObject(says(answer));
    const { before: was, after: is } = says(answer);
    expect([written[0]?.before, written[0]?.after]).toEqual([was, is]);
    expect(written[0]?.request_id).toBe(answer.headers.get('x-request-id'));
  });

  it.each(cases)('$name: does not happen where its row cannot be written (C13)', async ({ prepare }) => {
    const { act } = await prepare();
    const [was, count] = [await recorded(), (await rows()).length];
    await gateway.database.query('ALTER TABLE audit_log ADD CONSTRAINT refused CHECK (false) NOT VALID');
    try {
      expect((await act()).status).toBe(500);
    } finally {
      await gateway.database.query('ALTER TABLE audit_log DROP CONSTRAINT refused');
    }
    expect([await recorded(), (await rows()).length]).toEqual([was, count]);
    // Nothing but the row was in the way.
    expect([200, 201]).toContain((await act()).status);
    expect(await rows()).toHaveLength(count + 1);
  });
});

/** All that the log is about, as it is in the database. */
async function recorded(): Promise<readonly unknown[]> {
  const tables = [
    'sellers',
    'fee_schedules',
    'users',
    'second_factors',
    'recovery_codes',
    'webhooks',
    'retired_webhook_secrets',
    'withdrawals',
    'withdrawal_approvals',
    'withdrawal_history',
    'disputes',
    'operator_settings',
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
  // When a key was last used is written from time to time.
  found.push(await gateway.database.query('SELECT seller_id, id, name, role FROM api_keys ORDER BY id'));
  return found;
}

describe('what is refused or changes nothing', () => {
  it('writes no row (C13)', async () => {
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
    const answers = await Promise.all([
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
      gateway.post('/api-keys', { name: '' }, apiKey),
    ]);
    for (const answer of answers) expect([400, 401, 403, 404, 422]).toContain(answer.status);
    const unchanged = await Promise.all([
      gateway.patch(path, {}, as),
      gateway.patch(path, { status: 'ACTIVE' }, as),
      gateway.call('PUT', `${path}/fees`, fees, as),
      gateway.call('PUT', '/admin/settings', settings, as),
      gateway.patch(`/webhooks/${hookId}`, { eventType: 'ALL' }, owner),
      gateway.post('/auth/logout', undefined, supporter),
    ]);
    for (const answer of unchanged) expect(answer.status).toBe(200);
    expect(await rows()).toHaveLength(count);
  });

  it('of what an allowance decides by itself nobody is the author (C10, C13)', async () => {
    const generous = await newSeller(gateway, { balance: 10_000, autoApproveUpTo: 5_000 });
    const count = (await rows()).length;
    const id = await withdrawn(gateway, generous);
    expect(await gateway.database.query('SELECT status FROM withdrawals WHERE id = $1', [id])).toEqual([
      { status: 'APPROVED' },
    ]);
    expect(await rows()).toHaveLength(count);
  });
});

describe('the log', () => {
  it('holds no password, key, secret or whole document of all that went before (C5, C7)', async () => {
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

  it('is read newest first, page by page, and counted (C2, C13)', async () => {
    const all = (await rows())
      .map(({ id }) => id)
      .toSorted()
      .toReversed();
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Answer = await list(`?take=40${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect([page.status, page.body.count]).toEqual([200, all.length]);
      for (const { id } of page.body.data) ids.push(id);
      cursor = page.body.nextCursor;
    }
    expect(ids).toEqual(all);
    expect((await list('?take=2&skip=3')).body.data.map(({ id }: { id: string }) => id)).toEqual(
      all.slice(3, 5),
    );
  });

  it('is read by action, actor, seller and record (C13)', async () => {
    const made = await gateway.post('/admin/users', person({ role: 'SUPPORT' }), await admin());
    const { id, name, email, role } = made.body.data;
    const entry = {
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: { kind: 'OPERATOR_USER', id: adminId, name: 'Operator' },
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
    await gateway.delete(`/admin/users/${id}`, await admin());
    // Of somebody who is gone everything stays.
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
      const answer = await list(`?${query}`);
      expect(answer.body.count).toBe(expected?.count);
      expect(answer.body.count).toBeGreaterThan(1);
    }
    expect((await list(`?actorId=${owner.id}&action=webhook.deleted&sellerId=${seller.id}`)).body.count).toBe(
      2,
    );
    expect((await list(`?actorId=${adminId}&action=webhook.deleted`)).body.data).toEqual([]);
  });

  it('is read by day, as São Paulo counts days (C2)', async () => {
    await gateway.advance(3 * 86_400);
    const made = await gateway.post('/admin/users', person({ role: 'SUPPORT' }), await admin());
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(
      new Date(made.body.data.createdAt),
    );
    const found = await list(`?startDate=${day}&endDate=${day}`);
    expect(found.body.data.map(({ recordId }: { recordId: string }) => recordId)).toEqual([
      made.body.data.id,
    ]);
    expect((await list(`?endDate=${day}`)).body.count).toBe((await rows()).length);
    expect((await list('?startDate=2026-02-31')).body.message).toEqual([
      'startDate must be a valid ISO 8601 date string',
    ]);
    expect((await list('?action=seller.sold')).status).toBe(400);
  });

  it('is exported whole as CSV (C2)', async () => {
    const answer = await list(`?export=true&take=1&sellerId=${seller.id}`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = answer.text.trimEnd().split('\r\n');
    expect(head).toBe(
      'id,at,actorKind,actorId,actorName,action,recordType,recordId,sellerId,before,after,requestId',
    );
    expect(lines).toHaveLength((await list(`?sellerId=${seller.id}`)).body.count);
    const ids = lines.map((line) => line.slice(0, 36));
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(answer.text).toContain('"{""cardDelayDays"":14}"');
  });

  it('is for the operator alone (C5)', async () => {
    expect((await gateway.get('/admin/audit-log', { apiKey: seller.apiKey })).status).toBe(403);
    expect((await gateway.get('/admin/audit-log', { credential: 'none' })).status).toBe(401);
  });
});

describe('a row that was written', () => {
  it('is named by one file, which only inserts and reads (C13)', async () => {
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
      'platform/database/types.gen.ts',
    ]);
  });

  it('may not be changed or deleted even by the owner of the table, who took those rights from itself', async () => {
    const granted = await gateway.database.query<{ privilege: string }>(
      `SELECT a.privilege_type AS privilege FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = 'audit_log'::regclass AND a.grantee = c.relowner`,
    );
    const names = granted.map(({ privilege }) => privilege);
    expect(names).toEqual(expect.arrayContaining(['INSERT', 'SELECT']));
    for (const refused of ['UPDATE', 'DELETE', 'TRUNCATE']) expect(names).not.toContain(refused);
  });

  it('survives the clean-up and years (C13)', async () => {
    const before = await rows();
    await gateway.advance(10 * 365 * 86_400);
    const keys = () => gateway.database.query('SELECT key FROM idempotency_keys');
    expect(await keys()).not.toEqual([]);
    const worker = await startNode({ databaseUrl: gateway.database.url, worker: true });
    try {
      await vi.waitFor(async () => expect(await keys()).toEqual([]), { timeout: 10_000 });
    } finally {
      await worker.stop();
    }
    const after = await rows();
    expect(after.slice(0, before.length)).toEqual(before);
  });
});
