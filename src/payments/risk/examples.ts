import type { Static } from 'typebox';

import { FOUND } from '#payments/transactions/examples.ts';
import { ok } from '#platform/http/envelope.ts';
import type { EntrySchema, QueuedSchema, ReviewSchema, RuleSchema } from './schema.ts';

const createdAt = '2026-11-24T12:00:00.000Z';
const fields = {
  name: 'Large first Pix of a person',
  when: {
    amountAbove: 500_000,
    methods: ['PIX' as const],
    count: { of: 'charges' as const, by: 'document' as const, windowSeconds: 86_400, above: 3 },
  },
  action: 'REVIEW' as const,
};
const rule: Static<typeof RuleSchema> = {
  id: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d31',
  position: 4,
  ...fields,
  enabled: true,
  sellerId: null,
  publicReason: null,
  createdAt,
  updatedAt: createdAt,
};

export const RULE_BODIES = { 'Review many large charges by Pix': fields };
export const RULE = { 'A rule': ok(rule) };
export const RULES = { 'One rule': { ...ok([rule]), count: 1 } };
export const RULE_CHANGES = { 'Turn it off': { enabled: false }, 'Decide first': { position: 1 } };
export const RULE_CHANGED = { 'Turned off': ok({ ...rule, enabled: false }) };
export const RULE_DELETED = { Deleted: ok({ id: rule.id }) };

const entry: Static<typeof EntrySchema> = {
  id: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d32',
  kind: 'blocked-emails',
  value: 'f***@example.com',
  fingerprint: 'Zk3xQ0aB.9J2nFq7Vn0cXl8mQmYz4Rk',
  note: 'Three chargebacks in October',
  createdAt,
};
export const ENTRY_BODIES = { 'An email': { value: 'fraud@example.com', note: entry.note } };
export const ENTRY = { Added: ok(entry) };
export const ENTRIES = { 'One email': { ...ok([entry]), count: 1 } };
export const ENTRY_DELETED = { Deleted: ok({ id: entry.id }) };

const { data: found } = FOUND['A paid Pix transaction'];
const transaction = { ...found, status: 'PENDING' as const, paidAt: null, pix: null, riskStatus: 'REVIEW' };
const sellerId = '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f';
const queued: Static<typeof QueuedSchema> = {
  id: found.id,
  sellerId,
  sellerName: 'Loja Demonstração',
  method: 'PIX',
  status: 'PENDING',
  amount: found.amount,
  createdAt,
};
export const QUEUE = { 'A Pix': { ...ok([queued]), count: 1, nextCursor: null } };

const review: Static<typeof ReviewSchema> = {
  transaction,
  sellerId,
  sellerName: 'Loja Demonstração',
  rule: { id: rule.id, name: rule.name, action: 'REVIEW' },
  cardFingerprint: null,
  relatives: [{ ...queued, id: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d33', status: 'PAID', by: 'document' }],
};
export const REVIEW = { 'A Pix': ok(review) };
export const DECISIONS = {
  Approve: { decision: 'APPROVE' as const },
  Refuse: { decision: 'REFUSE' as const },
};
export const DECIDED = { 'An approved Pix': ok({ ...found, riskStatus: 'APPROVED' }) };
