/** Examples of the API reference. A test validates each against its schema. */

const entry = {
  id: '01a1fb80-1f2e-4d3c-8b4a-5f6e7d8c9b0a',
  at: '2026-11-20T12:00:00.000Z',
  actor: {
    kind: 'OPERATOR_USER',
    id: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
    name: 'Caio Prado',
    role: 'ADMIN',
    keyPrefix: null,
  },
  action: 'seller.updated',
  recordType: 'seller',
  recordId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  before: { status: 'ACTIVE' },
  after: { status: 'SUSPENDED' },
  requestId: '9b2f4c1e-5d6a-4f7b-8c9d-0e1f2a3b4c5d',
};

const csvHeader =
  'id,at,actorKind,actorId,actorName,actorRole,actorKeyPrefix,' +
  'action,recordType,recordId,sellerId,before,after,requestId';
const csvRow = [
  entry.id,
  entry.at,
  entry.actor.kind,
  entry.actor.id,
  entry.actor.name,
  entry.actor.role,
  '',
  entry.action,
  entry.recordType,
  entry.recordId,
  entry.sellerId,
  '"{""status"":""ACTIVE""}"',
  '"{""status"":""SUSPENDED""}"',
  entry.requestId,
].join(',');

export const LOG = {
  'The only page': { status: true, data: [entry], count: 1, nextCursor: null },
  'An export': `${csvHeader}\r\n${csvRow}\r\n`,
};
