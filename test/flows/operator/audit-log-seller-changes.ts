import { randomInt, randomUUID } from 'node:crypto';

import { addDocument, DETAILS, newApplicant, type Applicant } from '#test/support/applications.ts';
import {
  PASSWORD,
  gateway,
  seller,
  owner,
  type Prepared,
  person,
  hook,
  hookShown,
  newKey,
  byKey,
  byOwner,
  keyMembers,
  newColleague,
  codeOf,
  newSeed,
  ofColleague,
  newHook,
} from './audit-log-setup.ts';

const ofApplication = ({ id, ownerId }: Applicant, action: string) => ({
  actor_kind: 'SELLER_USER',
  actor_id: ownerId,
  action,
  record_type: 'application',
  record_id: id,
  seller_id: id,
  before: null,
});

/** Changes by sellers, by route: how to make each, and the audit log entry it writes. */
export const SELLER_CHANGES: Readonly<Record<string, () => Promise<Prepared>>> = {
  'POST /v1/api-keys': async () => ({
    act: () => gateway.post('/api-keys', { name: 'till', role: 'VIEWER' }, owner),
    expectedRow: ({ body }) => ({
      ...byOwner(),
      action: 'api-key.created',
      record_type: 'api-key',
      record_id: body.data.id,
      seller_id: seller.id,
      before: null,
      after: keyMembers('VIEWER'),
    }),
  }),

  'PATCH /v1/application': async () => {
    const applicant = await newApplicant(gateway);
    return {
      act: () => gateway.patch('/application', { activity: 'mugs', phone: null }, applicant.as),
      expectedRow: () => ({
        ...ofApplication(applicant, 'application.updated'),
        after: { changed: ['phone', 'activity'] },
      }),
    };
  },

  'POST /v1/application/submit': async () => {
    const applicant = await newApplicant(gateway);
    await gateway.patch('/application', DETAILS, applicant.as);
    await addDocument(gateway, applicant, 'IDENTITY');
    return {
      act: () => gateway.post('/application/submit', {}, applicant.as),
      expectedRow: () => ({
        ...ofApplication(applicant, 'application.submitted'),
        before: { status: 'DRAFT' },
        after: { status: 'SUBMITTED' },
      }),
    };
  },

  'POST /v1/application/documents': async () => {
    const applicant = await newApplicant(gateway);
    return {
      act: () => addDocument(gateway, applicant, 'IDENTITY'),
      expectedRow: ({ body }) => ({
        ...ofApplication(applicant, 'application.document-added'),
        after: { attachmentId: body.data.id, bytes: 8 },
      }),
    };
  },

  'DELETE /v1/application/documents/:documentId': async () => {
    const applicant = await newApplicant(gateway);
    const { body } = await addDocument(gateway, applicant, 'IDENTITY');
    const id = String(body.data.id);
    return {
      act: () => gateway.delete(`/application/documents/${id}`, applicant.as),
      expectedRow: () => ({
        ...ofApplication(applicant, 'application.document-deleted'),
        after: { attachmentId: id },
      }),
    };
  },

  'DELETE /v1/api-keys/:id': async () => {
    const id = await newKey();
    return {
      act: () => gateway.delete(`/api-keys/${id}`, owner),
      expectedRow: () => ({
        ...byOwner(),
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
      expectedRow: ({ body }) => ({
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

  'POST /v1/users/invitations': async () => {
    const { email } = person();
    return {
      act: () => gateway.post('/users/invitations', { email, role: 'FINANCE' }, owner),
      expectedRow: ({ body }) => ({
        ...byOwner(),
        action: 'user.invited',
        record_type: 'invitation',
        record_id: body.data.id,
        seller_id: seller.id,
        before: null,
        after: { email, role: 'FINANCE' },
      }),
    };
  },

  'DELETE /v1/users/invitations/:id': async () => {
    const { email } = person();
    const made = await gateway.post('/users/invitations', { email, role: 'FINANCE' }, owner);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.delete(`/users/invitations/${id}`, owner),
      expectedRow: () => ({
        ...byOwner(),
        action: 'user.invitation-withdrawn',
        record_type: 'invitation',
        record_id: id,
        seller_id: seller.id,
        before: { email, role: 'FINANCE' },
        after: null,
      }),
    };
  },

  'PATCH /v1/sellers/me/settings': async () => {
    const shown = { displayName: `Loja ${person().email.slice(0, 8)}` };
    const before = (await gateway.get('/sellers/me/settings', owner)).body.data;
    return {
      act: () => gateway.patch('/sellers/me/settings', shown, owner),
      expectedRow: () => ({
        ...byOwner(),
        action: 'seller-settings.updated',
        record_type: 'seller-settings',
        record_id: null,
        seller_id: seller.id,
        before: { displayName: before.displayName },
        after: shown,
      }),
    };
  },

  'PATCH /v1/users/me/notifications': async () => {
    const { mail } = (await gateway.get('/users/me/notifications', owner)).body.data;
    const mailed = Object.keys(mail).filter((kind) => mail[kind]);
    const kind = 'withdrawal-paid';
    const after = mailed.includes(kind)
      ? mailed.filter((one) => one !== kind)
      : Object.keys(mail).filter((one) => mail[one] || one === kind);
    return {
      act: () => gateway.patch('/users/me/notifications', { mail: { [kind]: !mail[kind] } }, owner),
      expectedRow: () => ({
        ...byOwner(),
        action: 'user.notifications-chosen',
        record_type: 'user',
        record_id: owner.id,
        seller_id: seller.id,
        before: { mailed },
        after: { mailed: after },
      }),
    };
  },

  'PATCH /v1/users/:id': async () => {
    const made = await gateway.post('/users', person({ role: 'FINANCE' }), owner);
    const id = String(made.body.data.id);
    return {
      act: () => gateway.patch(`/users/${id}`, { name: 'Bia', role: 'VIEWER' }, owner),
      expectedRow: () => ({
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
      expectedRow: () => ({
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
      expectedRow: () =>
        ofColleague(id, 'user.updated', { before: { name: 'Bia' }, after: { name: 'Bia Lima' } }),
    };
  },

  'POST /v1/users/me/password': async () => {
    const { id, token } = await newColleague();
    const passwords = { currentPassword: PASSWORD, newPassword: `another ${PASSWORD}` };
    return {
      act: () => gateway.post('/users/me/password', passwords, { token }),
      expectedRow: () => ofColleague(id, 'user.password-changed'),
    };
  },

  'POST /v1/auth/logout': async () => {
    const { id, token } = await newColleague();
    return {
      act: () => gateway.post('/auth/logout', undefined, { token }),
      expectedRow: () => ofColleague(id, 'user.sign-out'),
    };
  },

  'DELETE /v1/users/me/sessions/:id': async () => {
    const { id, token } = await newColleague();
    const listed = await gateway.get('/users/me/sessions', { token });
    const sessionId = String(listed.body.data[0].id);
    return {
      act: () => gateway.delete(`/users/me/sessions/${sessionId}`, { token }),
      expectedRow: () => ofColleague(id, 'user.session-ended', { after: { sessionId, reason: 'REVOKED' } }),
    };
  },

  'POST /v1/users/me/two-factor': async () => {
    const { id, token } = await newColleague();
    return {
      act: () => gateway.post('/users/me/two-factor', { password: PASSWORD }, { token }),
      expectedRow: () => ofColleague(id, 'user.two-factor-begun'),
    };
  },

  'POST /v1/users/me/two-factor/confirm': async () => {
    const { id, token } = await newColleague();
    const secret = await newSeed({ token });
    return {
      act: () => gateway.post('/users/me/two-factor/confirm', { code: codeOf(secret) }, { token }),
      expectedRow: () => ofColleague(id, 'user.two-factor-enabled'),
    };
  },

  'DELETE /v1/users/me/two-factor': async () => {
    const { id, token } = await newColleague();
    const secret = await newSeed({ token });
    await gateway.post('/users/me/two-factor/confirm', { code: codeOf(secret) }, { token });
    const proof = () => ({ password: PASSWORD, code: codeOf(secret, 1) });
    return {
      act: () => gateway.call('DELETE', '/users/me/two-factor', proof(), { token }),
      expectedRow: () => ofColleague(id, 'user.two-factor-disabled'),
    };
  },

  'POST /v1/webhooks': async () => {
    const by = await byKey();
    return {
      act: () => gateway.post('/webhooks', hook(), { apiKey: seller.apiKey }),
      expectedRow: ({ body }) => ({
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
      expectedRow: () => ({
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
      expectedRow: () => ({
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

  'POST /v1/webhooks/postback-secret/rotate': async () => ({
    act: () => gateway.post('/webhooks/postback-secret/rotate', undefined, owner),
    expectedRow: () => ({
      ...byOwner(),
      action: 'postback-secret.rotated',
      record_type: 'postback-secret',
      record_id: seller.id,
      seller_id: seller.id,
      before: null,
      after: null,
    }),
  }),

  'DELETE /v1/webhooks/:id': async () => {
    const id = await newHook();
    return {
      act: () => gateway.delete(`/webhooks/${id}`, owner),
      expectedRow: () => ({
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
      `INSERT INTO subscription_invoices (seller_id, subscription_id, number, id, due_date, amount, status, attempts,
        retries_left, created_at, updated_at) VALUES ($1, $2, 1, $2, '2026-01-01', 1500, 'FAILED', 1, 0, now(), now())`,
      failed,
    );
    await gateway.database.query(
      `INSERT INTO subscription_attempts (seller_id, id, subscription_id, invoice_number, number, kind, transaction_id,
        charge_date, state, attempts, due_at, created_at, updated_at)
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
