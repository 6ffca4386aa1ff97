import { randomInt, randomUUID } from 'node:crypto';
import { byOwner, gateway, owner, seller, type Changes, type Prepared } from './audit-log-setup.ts';

/** Changes by sellers to customers, payment links, subscriptions and stored cards. */
export const SELLER_CUSTOMER_CHANGES: Changes = {
  'POST /v1/customers': async () => ({
    act: () => gateway.post('/customers', customer(), owner),
    expectedRow: ({ body }) => ({
      ...ofCustomer(body.data.id, 'customer.created'),
      before: null,
      after: { documentType: 'CPF' },
    }),
  }),

  'PATCH /v1/customers/:id': async () => {
    const { body } = await gateway.post('/customers', customer(), owner);
    return {
      act: () => gateway.patch(`/customers/${body.data.id}`, { email: 'ana.lima@example.com' }, owner),
      expectedRow: () => ({
        ...ofCustomer(body.data.id, 'customer.updated'),
        before: { changed: [] },
        after: { changed: ['email'] },
      }),
    };
  },

  'DELETE /v1/customers/:id': async () => {
    const { body } = await gateway.post('/customers', customer(), owner);
    return {
      act: () => gateway.delete(`/customers/${body.data.id}`, owner),
      expectedRow: () => ({
        ...ofCustomer(body.data.id, 'customer.deleted'),
        before: { documentType: 'CPF' },
        after: null,
      }),
    };
  },

  'POST /v1/payment-links': async () => ({
    act: newLink,
    expectedRow: ({ body }) => ({
      ...ofCustomer(body.data.id, 'payment-link.created'),
      record_type: 'payment-link',
      before: null,
      after: { amount: 1500, status: 'ACTIVE' },
    }),
  }),

  'PATCH /v1/payment-links/:id': async () => {
    const { body } = await newLink();
    return {
      act: () => gateway.patch(`/payment-links/${body.data.id}`, { status: 'INACTIVE' }, owner),
      expectedRow: () => ({
        ...ofCustomer(body.data.id, 'payment-link.updated'),
        record_type: 'payment-link',
        before: { changed: [] },
        after: { changed: ['status'] },
      }),
    };
  },

  'POST /v1/subscriptions': async () => ({
    act: () => newSubscription(),
    expectedRow: ({ body }) => ({
      ...ofCustomer(body.data.id, 'subscription.created'),
      record_type: 'subscription',
      before: null,
      after: { amount: 1500, status: 'ACTIVE' },
    }),
  }),

  'PATCH /v1/subscriptions/:id': async () => {
    const { body } = await newSubscription();
    return {
      act: () => gateway.patch(`/subscriptions/${body.data.id}`, { amount: 2500 }, owner),
      expectedRow: () => ({
        ...ofCustomer(body.data.id, 'subscription.updated'),
        record_type: 'subscription',
        before: { changed: [] },
        after: { changed: ['amount'] },
      }),
    };
  },

  'POST /v1/subscriptions/:id/cancel': subscriptionChange('cancel', 'ACTIVE', 'CANCELLED'),

  'POST /v1/subscriptions/:id/pause': subscriptionChange('pause', 'ACTIVE', 'PAUSED'),

  'POST /v1/subscriptions/:id/resume': subscriptionChange('resume', 'PAUSED', 'ACTIVE'),

  'POST /v1/subscriptions/:id/invoices/:number/retry': async () => {
    const { body } = await newSubscription();
    const failed = [seller.id, body.data.id];
    await gateway.database.query(
      `INSERT INTO subscription_invoices (seller_id, subscription_id, number, id, due_date, amount, status,
        attempts, retries_left, created_at, updated_at)
      VALUES ($1, $2, 1, $2, '2026-01-01', 1500, 'FAILED', 1, 0, now(), now())`,
      failed,
    );
    await gateway.database.query(
      `INSERT INTO subscription_attempts (seller_id, id, subscription_id, invoice_number, number, kind,
        transaction_id, charge_date, state, attempts, due_at, created_at, updated_at)
      VALUES ($1, $2, $2, 1, 1, 'CHARGE', $2, '2026-01-01', 'FAILED', 0, now(), now(), now())`,
      failed,
    );
    return {
      act: () => gateway.post(`/subscriptions/${body.data.id}/invoices/1/retry`, {}, owner),
      expectedRow: () => ({
        ...ofCustomer(body.data.id, 'subscription.invoice-retried'),
        record_type: 'subscription',
        before: null,
        after: { number: 1, status: 'PENDING' },
      }),
    };
  },

  'DELETE /v1/card-tokens/:id': async () => {
    const card = { number: '4111111111111111', holderName: 'ANA', expirationMonth: 12, expirationYear: 2035 };
    const { body } = await gateway.post('/card-tokens', card, owner);
    return {
      act: () => gateway.delete(`/card-tokens/${body.data.id}`, owner),
      expectedRow: () => ({
        ...ofCustomer(body.data.id, 'card-token.deleted'),
        record_type: 'card-token',
        before: {},
        after: null,
      }),
    };
  },
};

const newSubscription = (changes: object = {}) =>
  gateway.post(
    '/subscriptions',
    {
      customer: customer(),
      amount: 1500,
      method: 'BOLETO',
      interval: 'MONTHLY',
      startDate: '2090-01-01',
      ...changes,
    },
    { ...owner, idempotencyKey: randomUUID() },
  );

function subscriptionChange(
  action: 'cancel' | 'pause' | 'resume',
  from: string,
  to: string,
): () => Promise<Prepared> {
  return async () => {
    const { body } = await newSubscription();
    if (from === 'PAUSED') await gateway.post(`/subscriptions/${body.data.id}/pause`, {}, owner);
    const name = { cancel: 'canceled', pause: 'paused', resume: 'resumed' }[action];
    return {
      act: () => gateway.post(`/subscriptions/${body.data.id}/${action}`, {}, owner),
      expectedRow: () => ({
        ...ofCustomer(body.data.id, `subscription.${name}`),
        record_type: 'subscription',
        before: { status: from },
        after: { status: to },
      }),
    };
  };
}

const newLink = () =>
  gateway.post(
    '/payment-links',
    { title: 'Caneca', amount: 1500 },
    { ...owner, idempotencyKey: randomUUID() },
  );

const customer = () => ({
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: String(randomInt(10 ** 10, 10 ** 11)),
});

const ofCustomer = (id: string, action: string) => ({
  ...byOwner(),
  action,
  record_type: 'customer',
  record_id: id,
  seller_id: seller.id,
});
