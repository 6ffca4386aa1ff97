import {
  byKey,
  byOwner,
  gateway,
  hook,
  hookShown,
  newHook,
  owner,
  seller,
  type Changes,
} from './audit-log-setup.ts';

/** Changes by sellers to webhooks and their secrets. */
export const SELLER_WEBHOOK_CHANGES: Changes = {
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
};
