import { expect } from 'vitest';
import { newAdmin } from '#test/support/operator.ts';
import { withdrawn } from '#test/support/withdrawals.ts';
import {
  admin,
  adminId,
  byOperator,
  gateway,
  leaveRequester,
  paid,
  seller,
  type Changes,
  type Prepared,
} from './audit-log-setup.ts';

/** Changes by the operator to withdrawals and disputes, and its decisions on approvals. */
export const OPERATOR_DECISION_CHANGES: Changes = {
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
