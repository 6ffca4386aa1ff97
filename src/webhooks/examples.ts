import { ok } from '#platform/http/envelope.ts';

/** Examples of the API reference. A test validates each against its schema. */

const webhook = {
  id: '01a1fb6e-9f80-4a1b-8c2d-3e4f5a6b7c8d',
  url: 'https://loja.example/webhooks/vereda',
  eventType: 'TRANSACTION',
  description: 'orders',
  status: 'ACTIVE',
  disabledAt: null,
  disabledReason: null,
  createdAt: '2026-11-20T12:00:00.000Z',
};
/** 32 zero bytes. */
const secret = `whsec_${'A'.repeat(43)}=`;

export const CREATE_REQUEST = {
  'Transaction events': { url: webhook.url, eventType: 'TRANSACTION', description: 'orders' },
  'All events': { url: webhook.url, eventType: 'ALL' },
};
export const WEBHOOK_WITH_SECRET = { 'The secret is shown once': ok({ ...webhook, secret }) };
export const WEBHOOK_LIST = { 'One webhook': { status: true, data: [webhook], count: 1 } };
export const WEBHOOK = { 'A webhook': ok(webhook) };
export const POSTBACK_SECRET = { 'The secret': ok({ secret }) };
export const ROTATED_POSTBACK_SECRET = {
  'The new secret': ok({ secret, previousSignsUntil: '2026-03-04T12:00:00.000Z' }),
};
export const DELETED = { 'The id': ok({ id: webhook.id }) };
export const UPDATE_REQUEST = {
  'Another URL': { url: 'https://loja.example/webhooks/new' },
  'More events': { eventType: 'ALL', description: null },
  'Enabled again': { status: 'ACTIVE' },
};

const delivery = {
  id: '01a1fb6f-1a2b-4c3d-9e4f-5a6b7c8d9e0f',
  eventId: '01a1fb6f-1a2b-4d3e-8f4a-6b7c8d9e0f1a',
  event: 'TRANSACTION_UPDATED',
  recordId: '01a1fb66-e70d-4426-bcd4-28d378d6b6c1',
  webhookId: webhook.id,
  url: webhook.url,
  status: 'PENDING',
  attemptCount: 1,
  nextAttemptAt: '2026-11-20T12:05:40.000Z',
  createdAt: '2026-11-20T12:05:10.000Z',
  updatedAt: '2026-11-20T12:05:10.000Z',
};
const attempt = {
  number: 1,
  at: '2026-11-20T12:05:10.000Z',
  latencyMs: 84,
  statusCode: 500,
  responseBody: 'out of order',
  error: 'The server responded with status 500.',
};
const payload =
  '{"event":"TRANSACTION_UPDATED","data":{"id":"01a1fb66-e70d-4426-bcd4-28d378d6b6c1","status":"PAID"}}';

export const TEST_DELIVERY = { 'The delivery of the PING': ok({ deliveryId: delivery.id }) };
export const DELIVERY_LIST = {
  'A pending delivery': { status: true, data: [delivery], count: 1, nextCursor: null },
};
export const DELIVERY = {
  'A delivery and its first attempt': ok({ ...delivery, payload, attempts: [attempt] }),
};
export const RESENT_DELIVERY = { 'The new delivery': ok({ resent: 1, deliveryId: delivery.id }) };
export const RESENT = { 'Two deliveries': ok({ resent: 2 }) };
export const REPLAY_REQUEST = {
  'Count only': { since: '2026-11-20T12:00:00.000Z', dryRun: true },
  'Since a date': { since: '2026-11-20' },
};
export const REPLAY_RESULT = { 'Two deliveries': ok({ deliveries: 2, more: false }) };
export const RESEND_FAILED_REQUEST = {
  'To all endpoints': { since: '2026-11-20' },
  'To one webhook': { since: '2026-11-20T12:00:00.000Z', webhookId: webhook.id },
};
export const RESEND_FAILED_RESULT = {
  'All failed deliveries': ok({ resent: 2, more: false }),
  'The first 2,000': ok({ resent: 2_000, more: true }),
};
export const TRANSACTION_IDS = { 'One transaction': { transactionIds: [delivery.recordId] } };
export const WITHDRAWAL_IDS = {
  'One withdrawal': { withdrawalIds: ['01a1fb6a-3c4d-4e5f-8a6b-7c8d9e0f1a2b'] },
};

export const EVENT_TYPE_LIST = {
  'One event type': {
    status: true,
    data: [
      {
        name: 'PING',
        summary: 'A webhook was tested',
        description: 'Sent to one webhook when its seller requests a test, regardless of its event type.',
        eventType: null,
        schema: {
          type: 'object',
          required: ['event', 'data'],
          properties: { event: { const: 'PING' }, data: { type: 'object' } },
        },
        example: { event: 'PING', data: { id: webhook.id, sentAt: '2026-11-20T12:00:00.000Z' } },
      },
    ],
    count: 1,
  },
};

export const EVENT_PAGE = {
  'One event': {
    status: true,
    data: [
      {
        id: delivery.eventId,
        event: delivery.event,
        recordId: delivery.recordId,
        payload,
        createdAt: delivery.createdAt,
      },
    ],
    nextCursor: 'q83vASNFZ4mrze8BI0VniQ',
    more: false,
  },
};
