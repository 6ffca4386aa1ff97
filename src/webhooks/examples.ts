import { ok } from '#http/envelope.ts';

/** What the reference shows of webhooks. A test holds each against its schema. */

const webhook = {
  id: '01a1fb6e-9f80-4a1b-8c2d-3e4f5a6b7c8d',
  url: 'https://loja.example/webhooks/vereda',
  eventType: 'TRANSACTION',
  description: 'orders',
  createdAt: '2026-11-20T12:00:00.000Z',
};
/** Not a secret of anybody's: 32 bytes of zero. */
const secret = `whsec_${'A'.repeat(43)}=`;

export const WANTED = {
  'What becomes of charges': { url: webhook.url, eventType: 'TRANSACTION', description: 'orders' },
  Everything: { url: webhook.url, eventType: 'ALL' },
};
export const REGISTERED = { 'The secret is shown once': ok({ ...webhook, secret }) };
export const LISTED = { 'One webhook': { status: true, data: [webhook], count: 1 } };
export const FOUND = { 'A webhook': ok(webhook) };
export const POSTBACK_SECRET = { 'The secret': ok({ secret }) };
export const DELETED = { 'The id': ok({ id: webhook.id }) };
