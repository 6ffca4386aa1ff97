import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { returnOf } from '#test/support/bank-files.ts';
import { goodCharge } from '#test/support/client.ts';
import { newApplicant } from '#test/support/applications.ts';
import { newAdmin } from '#test/support/operator.ts';
import { withdrawn } from '#test/support/withdrawals.ts';
import {
  payerRecord,
  admin,
  adminId,
  byOperator,
  CNPJ,
  gateway,
  keyMembers,
  leaveRequester,
  newKey,
  paid,
  person,
  seller,
  type Prepared,
} from './audit-log-setup.ts';

const RULE = { name: 'Large', when: { amountAbove: 9_000_000 }, action: 'REFUSE', enabled: true };
const RULE_MEMBERS = {
  name: RULE.name,
  enabled: true,
  riskAction: RULE.action,
  position: expect.any(Number),
  publicReason: null,
  when: RULE.when,
};
const ofRule = (id: string) => ({
  ...byOperator(),
  record_type: 'risk-rule',
  record_id: id,
  seller_id: null,
});
const PAUSE = { provider: 'sandbox', reason: 'Maintenance' };
const ofProvider = () => ({
  ...byOperator(),
  record_type: 'provider',
  record_id: null,
  seller_id: null,
});
const ofList = (id: string) => ({ ...ofRule(id), record_type: 'risk-list' });

/** Changes by the operator, by route: how to make each, and the audit log entry it writes. */
export const OPERATOR_CHANGES: Readonly<Record<string, () => Promise<Prepared>>> = {
  'POST /v1/admin/applications/:id/ask': async () => {
    const { id } = await newApplicant(gateway);
    const as = await admin();
    return {
      act: () => gateway.post(`/admin/applications/${id}/ask`, { message: 'Which website?' }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'application.question-asked',
        record_type: 'application',
        record_id: id,
        seller_id: id,
        before: { status: 'DRAFT' },
        after: { status: 'QUESTION' },
      }),
    };
  },
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
      expectedRow: ({ body: { data } }) => ({
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
      expectedRow: () => ({
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
      expectedRow: () => ({
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
      expectedRow: ({ body }) => ({
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
      expectedRow: () => ({
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
      expectedRow: ({ body }) => ({
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
      expectedRow: () => ({
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
      expectedRow: ({ body }) => ({
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

  'POST /v1/admin/users/invitations': async () => {
    const as = await admin();
    const { email } = person();
    return {
      act: () => gateway.post('/admin/users/invitations', { email, role: 'SUPPORT' }, as),
      expectedRow: ({ body }) => ({
        ...byOperator(),
        action: 'user.invited',
        record_type: 'invitation',
        record_id: body.data.id,
        seller_id: null,
        before: null,
        after: { email, role: 'SUPPORT' },
      }),
    };
  },

  'DELETE /v1/admin/users/invitations/:id': async () => {
    const as = await admin();
    const { email } = person();
    const made = await gateway.post('/admin/users/invitations', { email, role: 'SUPPORT' }, as);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.delete(`/admin/users/invitations/${id}`, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'user.invitation-withdrawn',
        record_type: 'invitation',
        record_id: id,
        seller_id: null,
        before: { email, role: 'SUPPORT' },
        after: null,
      }),
    };
  },

  'POST /v1/admin/mails/:id/retry': async () => {
    const as = await admin();
    const { email } = person();
    await gateway.post('/admin/users/invitations', { email, role: 'SUPPORT' }, as);
    // The server has refused it.
    const [row] = await gateway.database.query<{ id: string }>(
      "UPDATE mails SET status = 'FAILED' WHERE recipient = $1 RETURNING id",
      [email],
    );
    return {
      act: () => gateway.post(`/admin/mails/${row?.id}/retry`, undefined, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'mail.retried',
        record_type: 'mail',
        record_id: row?.id ?? '',
        seller_id: null,
        before: { status: 'FAILED' },
        after: { status: 'PENDING' },
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
      expectedRow: () => ({
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
      expectedRow: () => ({
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
      expectedRow: () => ({
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
      expectedRow: ({ body }) => ({
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
      expectedRow: () => ({
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

  'POST /v1/admin/approvals/:id/approve': async () => decision('approve'),
  'POST /v1/admin/approvals/:id/reject': async () => decision('reject'),

  'POST /v1/admin/risk-rules': async () => {
    const as = await admin();
    return {
      act: () => gateway.post('/admin/risk-rules', RULE, as),
      expectedRow: ({ body }) => ({
        ...ofRule(body.data.id),
        action: 'risk-rule.created',
        before: null,
        after: RULE_MEMBERS,
      }),
    };
  },

  'PATCH /v1/admin/risk-rules/:id': async () => {
    const as = await admin();
    const { id } = (await gateway.post('/admin/risk-rules', RULE, as)).body.data;
    return {
      act: () => gateway.patch(`/admin/risk-rules/${id}`, { name: 'Changed' }, as),
      expectedRow: () => ({
        ...ofRule(id),
        action: 'risk-rule.updated',
        before: { name: RULE.name },
        after: { name: 'Changed' },
      }),
    };
  },

  'DELETE /v1/admin/risk-rules/:id': async () => {
    const as = await admin();
    const { id, position } = (await gateway.post('/admin/risk-rules', RULE, as)).body.data;
    return {
      act: () => gateway.delete(`/admin/risk-rules/${id}`, as),
      expectedRow: () => ({
        ...ofRule(id),
        action: 'risk-rule.deleted',
        before: {
          ...RULE_MEMBERS,
          position,
        },
        after: null,
      }),
    };
  },

  'POST /v1/admin/risk-lists/:kind': async () => {
    const as = await admin();
    const entry = { value: `${randomUUID()}@example.com`, note: 'Chargebacks' };
    return {
      act: () => gateway.post('/admin/risk-lists/blocked-emails', entry, as),
      expectedRow: ({ body }) => ({
        ...ofList(body.data.id),
        action: 'risk-list.entry-added',
        before: null,
        after: {
          list: 'blocked-emails',
          note: 'Chargebacks',
        },
      }),
    };
  },

  'DELETE /v1/admin/risk-lists/:kind': async () => {
    const as = await admin();
    const value = `${randomUUID()}@example.com`;
    const added = await gateway.post('/admin/risk-lists/blocked-emails', { value }, as);
    return {
      act: () => gateway.delete(`/admin/risk-lists/blocked-emails?value=${value}`, as),
      expectedRow: () => ({
        ...ofList(added.body.data.id),
        action: 'risk-list.entry-removed',
        before: { list: 'blocked-emails' },
        after: null,
      }),
    };
  },

  'POST /v1/admin/transactions/:id/review': async () => {
    const as = await admin();
    const { when } = RULE;
    const rule = { name: 'Review', when: { ...when, amountAbove: 876_543 }, action: 'REVIEW' };
    await gateway.post('/admin/risk-rules', { ...rule, sellerId: seller.id }, as);
    const created = await gateway.charge({ amount: 876_544 }, { apiKey: seller.apiKey });
    const { id, riskStatus } = created.body.data;
    expect(riskStatus).toBe('REVIEW');
    return {
      act: () => gateway.post(`/admin/transactions/${id}/review`, { decision: 'APPROVE' }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'transaction.review-approved',
        record_type: 'transaction',
        record_id: id,
        seller_id: seller.id,
        before: null,
        after: { status: 'APPROVED' },
      }),
    };
  },

  'PUT /v1/admin/settings': async () => {
    const as = await admin();
    const { twoPersonApprovalAbove } = (await gateway.get('/admin/settings', as)).body.data;
    const next = (twoPersonApprovalAbove ?? 1_000_000) + 1;
    return {
      act: () => gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: next }, as),
      expectedRow: () => ({
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

  'PATCH /v1/admin/settings': async () => {
    const as = await admin();
    const { webhookLogDays } = (await gateway.get('/admin/settings', as)).body.data;
    return {
      act: () => gateway.patch('/admin/settings', { webhookLogDays: webhookLogDays + 1 }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'settings.updated',
        record_type: 'settings',
        record_id: null,
        seller_id: null,
        before: { webhookLogDays },
        after: { webhookLogDays: webhookLogDays + 1 },
      }),
    };
  },

  'PUT /v1/admin/provider-routes/:method': async () => {
    const as = await admin();
    const set = (providers: readonly string[] | null) =>
      gateway.call('PUT', '/admin/provider-routes/PIX', { providers }, as);
    await set(null);
    return {
      act: () => set(['sandbox']),
      expectedRow: () => ({
        ...ofProvider(),
        action: 'provider.order-changed',
        before: { isDefault: true },
        after: { isDefault: false },
      }),
    };
  },

  'POST /v1/admin/provider-routes/:method/pause': async () => {
    const as = await admin();
    await gateway.post('/admin/provider-routes/CREDIT_CARD/resume', { provider: 'sandbox' }, as);
    return {
      act: () => gateway.post('/admin/provider-routes/CREDIT_CARD/pause', PAUSE, as),
      expectedRow: () => ({
        ...ofProvider(),
        action: 'provider.paused',
        before: null,
        after: { method: 'CREDIT_CARD', ...PAUSE },
      }),
    };
  },

  'POST /v1/admin/provider-routes/:method/resume': async () => {
    const as = await admin();
    await gateway.post('/admin/provider-routes/CREDIT_CARD/pause', PAUSE, as);
    return {
      act: () => gateway.post('/admin/provider-routes/CREDIT_CARD/resume', { provider: 'sandbox' }, as),
      expectedRow: () => ({
        ...ofProvider(),
        action: 'provider.resumed',
        before: { method: 'CREDIT_CARD', ...PAUSE },
        after: null,
      }),
    };
  },

  'PUT /v1/admin/default-fees': async () => {
    const as = await admin();
    const fees = (await gateway.get('/admin/default-fees', as)).body.data;
    const boleto = { type: 'FIXED', value: fees.boleto.value + 1 };
    return {
      act: () => gateway.call('PUT', '/admin/default-fees', { ...fees, boleto }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'fees.replaced',
        record_type: 'fees',
        record_id: null,
        seller_id: null,
        before: { boleto: fees.boleto },
        after: { boleto },
      }),
    };
  },

  'PUT /v1/admin/provider-costs': async () => {
    const as = await admin();
    const { data } = (await gateway.get('/admin/provider-costs', as)).body;
    const { fixed } = data.find(({ method }: { method: string }) => method === 'PIX');
    const cost = { provider: 'sandbox', method: 'PIX', fixed: fixed + 1, percentage: 0 };
    return {
      act: () => gateway.call('PUT', '/admin/provider-costs', cost, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'provider-cost.replaced',
        record_type: 'provider-cost',
        record_id: 'sandbox/PIX',
        seller_id: null,
        before: { fixed },
        after: { fixed: fixed + 1 },
      }),
    };
  },

  'POST /v1/admin/reversals/:id/settle': async () => {
    const as = await admin();
    const transactionId = await paid();
    // A second payment is reversed; manually in this test.
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
      expectedRow: () => ({
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
      expectedRow: ({ body }) => ({
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
      expectedRow: () => ({
        ...byOperator(),
        action: 'payer.exported',
        ...payerRecord,
        after: { charges: 1 },
      }),
    };
  },

  'POST /v1/admin/privacy/erase': async () => {
    const as = await admin();
    const email = `${randomUUID()}@example.com`;
    await gateway.charge({ customer: { ...goodCharge().customer, email } }, { apiKey: seller.apiKey });
    return {
      act: () => gateway.post('/admin/privacy/erase', { email }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'payer.erased',
        ...payerRecord,
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
      expectedRow: ({ body }) => ({
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
      expectedRow: ({ body }) => ({
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

  'POST /v1/admin/cnab/returns/:id/lines/:line/decide': async () => {
    const as = await admin();
    const answer = { title: '99999999', movement: '06', paid: 1, on: '2026-11-20' };
    const file = returnOf('341', [answer], Math.floor(Math.random() * 100_000));
    const imported = await gateway.post('/admin/cnab/returns', file, {
      ...as,
      headers: { 'content-type': 'text/plain' },
    });
    const { id } = imported.body.data;
    const body = { decision: 'DISMISSED', note: 'not ours' };
    return {
      act: () => gateway.post(`/admin/cnab/returns/${id}/lines/3/decide`, body, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'cnab-return-line.dismissed',
        record_type: 'cnab-return',
        record_id: id,
        seller_id: null,
        before: { line: null, decision: null, note: null },
        after: { line: 3, decision: 'DISMISSED', note: 'not ours' },
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
      expectedRow: () => ({
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
};

const setLimit = (cents: number) =>
  gateway.database.query('UPDATE operator_settings SET two_person_approval_above = $1', [cents]);

/**
 * A decision on a request of another ADMIN that changes nothing else, because it is already true.
 */
async function decision(name: 'approve' | 'reject'): Promise<Prepared> {
  const as = await admin();
  const other = await newAdmin(gateway);
  await setLimit(1_000_000);
  const asked = await gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: 2_000_000 }, other);
  await setLimit(2_000_000);
  leaveRequester(other.id);
  const id = String(asked.body.data.id);
  const [status, reason, body] =
    name === 'approve' ? ['APPROVED', null, undefined] : ['REJECTED', 'no', { reason: 'no' }];
  return {
    act: () => gateway.post(`/admin/approvals/${id}/${name}`, body, as),
    expectedRow: () => ({
      ...byOperator(),
      action: `approval.${name === 'approve' ? 'approved' : 'rejected'}`,
      record_type: 'approval',
      record_id: id,
      seller_id: null,
      before: name === 'approve' ? { status: 'PENDING' } : { status: 'PENDING', reason: null },
      after: name === 'approve' ? { status } : { status, reason },
    }),
  };
}
