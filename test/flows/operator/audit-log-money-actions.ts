import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { withdraw } from '#test/support/withdrawals.ts';
import { admin, byKey, gateway, paid, seller, type Changes } from './audit-log-setup.ts';

const as = () => ({ apiKey: seller.apiKey });

/** The entry of an action of the seller's API key on one of its transactions. */
const onTransaction = async (id: string, action: string, after: object) => ({
  ...(await byKey()),
  action,
  record_type: 'transaction',
  record_id: id,
  seller_id: seller.id,
  before: null,
  after,
});

async function authorized(): Promise<string> {
  const card = { number: '4111111111111111', holderName: 'ANA SOUZA', cvv: '123' };
  const made = await gateway.charge(
    {
      method: 'CREDIT_CARD',
      amount: 1e4,
      installments: 1,
      capture: false,
      card: {
        ...card,
        expirationMonth: 12,
        expirationYear: 2049,
      },
    },
    as(),
  );
  expect(made.body.data.status).toBe('AUTHORIZED');
  return String(made.body.data.id);
}

/** What sellers do with money, by route: how to do each, and the audit log entry it writes. */
export const MONEY_ACTIONS: Changes = {
  'POST /v1/withdrawals': async () => {
    const by = await byKey();
    return {
      act: () => withdraw(gateway, seller),
      expectedRow: ({ body }) => ({
        ...by,
        action: 'withdrawal.created',
        record_type: 'withdrawal',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: { method: 'PIX', origin: 'PIX', amount: body.data.amount },
      }),
    };
  },

  'POST /v1/transactions/:id/refund': async () => {
    const id = await paid();
    const after = { refundId: expect.stringMatching(/^[\da-f-]{36}$/), amount: 100 };
    const said = await onTransaction(id, 'transaction.refunded', after);
    return {
      act: () =>
        gateway.post(
          `/transactions/${id}/refund`,
          { amount: 100 },
          { ...as(), idempotencyKey: randomUUID() },
        ),
      expectedRow: () => said,
    };
  },

  'POST /v1/transactions/:id/capture': async () => {
    const id = await authorized();
    const said = await onTransaction(id, 'transaction.captured', { amount: 9_000 });
    return {
      act: () => gateway.post(`/transactions/${id}/capture`, { amount: 9_000 }, as()),
      expectedRow: () => said,
    };
  },

  'POST /v1/transactions/:id/void': async () => {
    const id = await authorized();
    const said = await onTransaction(id, 'transaction.voided', { amount: 10_000 });
    return { act: () => gateway.post(`/transactions/${id}/void`, undefined, as()), expectedRow: () => said };
  },

  'POST /v1/transactions/:id/cancel': async () => {
    const made = await gateway.charge({ amount: 700 }, as());
    const id = String(made.body.data.id);
    const said = await onTransaction(id, 'transaction.canceled', { amount: made.body.data.amount });
    return {
      act: () => gateway.post(`/transactions/${id}/cancel`, undefined, as()),
      expectedRow: () => said,
    };
  },

  'POST /v1/disputes/appeal': async () => {
    const disputeId = await disputed();
    const by = await byKey();
    return {
      act: () => gateway.post('/disputes/appeal', { disputeId, appealReason: 'delivered' }, as()),
      expectedRow: () => ({
        ...by,
        action: 'dispute.appealed',
        record_type: 'dispute',
        record_id: disputeId,
        seller_id: seller.id,
        before: { status: 'OPEN' },
        after: { status: 'UNDER_REVIEW' },
      }),
    };
  },

  'POST /v1/disputes/:id/attachments': async () => {
    const disputeId = await disputed();
    const body = new FormData();
    body.set('file', new File(['%PDF-1.7'], 'a.pdf', { type: 'application/pdf' }));
    const by = await byKey();
    return {
      act: async () => {
        const response = await fetch(`${gateway.baseUrl}/disputes/${disputeId}/attachments`, {
          method: 'POST',
          headers: { 'x-api-key': as().apiKey },
          body,
        });
        const text = await response.text();
        return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
      },
      expectedRow: ({ body: response }) => ({
        ...by,
        action: 'dispute.attachment-added',
        record_type: 'dispute',
        record_id: disputeId,
        seller_id: seller.id,
        before: null,
        after: { attachmentId: response.data.id, bytes: 8 },
      }),
    };
  },

  'POST /v1/disputes/:id/messages': async () => {
    const disputeId = await disputed();
    const by = await byKey();
    return {
      act: () => gateway.post(`/disputes/${disputeId}/messages`, { text: 'delivered' }, as()),
      expectedRow: ({ body }) => ({
        ...by,
        action: 'dispute.message-added',
        record_type: 'dispute',
        record_id: disputeId,
        seller_id: seller.id,
        before: null,
        after: { messageId: body.data.id },
      }),
    };
  },
};

async function disputed(): Promise<string> {
  const path = `/admin/transactions/${await paid()}/dispute`;
  const opened = await gateway.post(path, { reason: 'not mine' }, await admin());
  return String(opened.body.data.id);
}
