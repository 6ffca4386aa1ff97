import { Type, type Static } from 'typebox';

import { envelope, nullable, ok, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { isRecord } from '#platform/kit/records.ts';
import { APPROVAL_ACTIONS } from './request.ts';
import type { Approval } from './service.ts';
import { APPROVAL_STATUSES } from './store.ts';

const members = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    description,
  });

const properties = {
  id: recordId('The id of the request.'),
  action: Type.Enum([...APPROVAL_ACTIONS], { description: 'What was requested.' }),
  sellerId: nullable(recordId('The seller that the request concerns; null if it concerns none.')),
  request: members('The fields of the request, without secrets.'),
  status: Type.Enum([...APPROVAL_STATUSES], {
    description: 'EXPIRED: not approved or rejected within seven days.',
  }),
  requestedBy: recordId('The operator user who made the request.'),
  requesterName: Type.String({ description: 'Name of that user at the time.' }),
  decidedBy: nullable(recordId('The operator user who approved or rejected it.')),
  reason: nullable(Type.String({ description: 'Why it was rejected.' })),
  expiresAt: timestamp('When the request expires.'),
  createdAt: timestamp('When the request was made.'),
  decidedAt: nullable(timestamp('When it was approved or rejected.')),
};

export const ApprovalSchema = Type.Object(properties, {
  title: 'Approval',
  description: 'A request that needs approval by a second ADMIN.',
});

export const ExecutedApprovalSchema = Type.Object(
  {
    ...properties,
    result: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description:
        'The main fields of what the request created, changed or deleted. A new API key is shown only here.',
    }),
  },
  { title: 'ExecutedApproval', description: 'A request that was approved, and its result.' },
);

/** The response of an operation that waits for a second ADMIN. */
export const pendingResponse = { 202: envelope(ApprovalSchema) };

export const ApprovalsQuery = Type.Object({
  status: Type.Optional(
    Type.Enum([...APPROVAL_STATUSES], { description: 'Only requests with this status.' }),
  ),
  ...pageQuery,
});

export function viewApproval({ row, status }: Approval): Static<typeof ApprovalSchema> {
  const action = APPROVAL_ACTIONS.find((known) => known === row.action);
  if (action === undefined) throw new Error('the request has an unknown action');
  return {
    id: row.id,
    action,
    sellerId: row.seller_id,
    request: isRecord(row.summary) ? row.summary : {},
    status,
    requestedBy: row.requested_by,
    requesterName: row.requester_name,
    decidedBy: row.decided_by,
    reason: row.reason,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  };
}

const approval: Static<typeof ApprovalSchema> = {
  id: '01a1fb90-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  action: 'settings.replace',
  sellerId: null,
  request: { twoPersonApprovalAbove: 10_000_000 },
  status: 'PENDING',
  requestedBy: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
  requesterName: 'Caio Prado',
  decidedBy: null,
  reason: null,
  expiresAt: '2026-11-27T12:00:00.000Z',
  createdAt: '2026-11-20T12:00:00.000Z',
  decidedAt: null,
};
const decided = { decidedBy: '01a1fb61-1a2b-4c3d-8e4f-5a6b7c8d9e0f', decidedAt: '2026-11-20T13:00:00.000Z' };
const reason = 'not agreed';

/** Examples of the API reference. A test validates each against its schema. */
export const PENDING = { 'Waits for a second ADMIN': ok(approval) };
export const LISTED = {
  'The only page': { status: true, data: [approval], count: 1, nextCursor: null },
};
export const APPROVED = {
  'An approved request': ok({ ...approval, ...decided, status: 'APPROVED', result: approval.request }),
};
export const REJECTION = { 'With a reason': { reason } };
export const REJECTED = {
  'A rejected request': ok({ ...approval, ...decided, status: 'REJECTED', reason }),
};
