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

/** Changes by sellers, by route: how to make each, and the audit log entry it writes. */
export const SELLER_CHANGES: Readonly<Record<string, () => Promise<Prepared>>> = {
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
    const id = await newKey();
    return {
      act: () => gateway.delete(`/api-keys/${id}`, owner),
      says: () => ({
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

  'POST /v1/auth/logout': async () => {
    const { id, token } = await newColleague();
    return {
      act: () => gateway.post('/auth/logout', undefined, { token }),
      says: () => ofColleague(id, 'user.sign-out'),
    };
  },

  'DELETE /v1/users/me/sessions/:id': async () => {
    const { id, token } = await newColleague();
    const listed = await gateway.get('/users/me/sessions', { token });
    const sessionId = String(listed.body.data[0].id);
    return {
      act: () => gateway.delete(`/users/me/sessions/${sessionId}`, { token }),
      says: () => ofColleague(id, 'user.session-ended', { after: { sessionId, reason: 'REVOKED' } }),
    };
  },

  'POST /v1/users/me/two-factor': async () => {
    const { id, token } = await newColleague();
    return {
      act: () => gateway.post('/users/me/two-factor', { password: PASSWORD }, { token }),
      says: () => ofColleague(id, 'user.two-factor-begun'),
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

  'POST /v1/webhooks/postback-secret/rotate': async () => ({
    act: () => gateway.post('/webhooks/postback-secret/rotate', undefined, owner),
    says: () => ({
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
