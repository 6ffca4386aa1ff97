import { Type } from 'typebox';

import { nullable, Timestamp } from '#platform/http/envelope.ts';
import type { DocumentedEvent } from '#platform/openapi/events.ts';
import { DISPUTE_STATUSES } from './states.ts';

export const DISPUTE_UPDATED = 'DISPUTE_UPDATED';

/** The event as the API reference documents it. */
export const DISPUTE_EVENT: DocumentedEvent = {
  name: DISPUTE_UPDATED,
  eventType: 'DISPUTE',
  summary: 'A dispute has changed its status',
  description: 'Sent to webhooks of the types DISPUTE and ALL.',
  schema: Type.Object(
    {
      event: Type.Literal(DISPUTE_UPDATED),
      data: Type.Object({
        id: Type.String({ format: 'uuid' }),
        transactionId: Type.String({ format: 'uuid' }),
        status: Type.Enum([...DISPUTE_STATUSES]),
        amount: Type.Integer({ description: 'Disputed amount in cents, which is held.' }),
        reason: Type.String(),
        createdAt: Timestamp,
        resolvedAt: nullable(Timestamp),
      }),
    },
    { title: 'DisputeUpdated' },
  ),
  examples: {
    'A dispute is opened': {
      event: DISPUTE_UPDATED,
      data: {
        id: '01a1fb70-5e21-4b3c-9d4e-6f7a8b9c0d1e',
        transactionId: '01a1fb66-e70d-4426-bcd4-28d378d6b6c1',
        status: 'OPEN',
        amount: 14970,
        reason: 'product not received',
        createdAt: '2026-11-22T09:30:00.000Z',
        resolvedAt: null,
      },
    },
  },
};
