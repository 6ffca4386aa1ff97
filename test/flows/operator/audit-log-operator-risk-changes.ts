import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { admin, byOperator, gateway, seller, type Changes } from './audit-log-setup.ts';

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
const ofList = (id: string) => ({ ...ofRule(id), record_type: 'risk-list' });

/** Changes by the operator to risk rules and lists, and its reviews of transactions. */
export const OPERATOR_RISK_CHANGES: Changes = {
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
};
