import { Type } from 'typebox';

import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import type { DocumentedEvent } from '#platform/openapi/events.ts';
import { DisputeSchema } from './schema.ts';

export const DISPUTE_UPDATED = 'DISPUTE_UPDATED';

/** The event as the API reference documents it. */
export const DISPUTE_EVENT: DocumentedEvent = {
  name: DISPUTE_UPDATED,
  eventType: 'DISPUTE',
  summary: "A dispute's status changed",
  description: 'Sent to webhooks of the types DISPUTE and ALL.',
  schema: Type.Object(
    {
      event: Type.Literal(DISPUTE_UPDATED, { description: 'The name of the event.' }),
      data: Type.Object(
        {
          id: recordId('The id of the dispute.'),
          transactionId: recordId('The disputed transaction.'),
          status: DisputeSchema.properties.status,
          amount: DisputeSchema.properties.amount,
          reason: Type.String({ description: 'Reason that the payer or the bank gave.' }),
          createdAt: timestamp('When it was opened.'),
          resolvedAt: nullable(timestamp('When it was closed; null while it is open.')),
        },
        { description: 'The dispute.' },
      ),
    },
    { title: 'DisputeUpdatedEvent', description: 'Body of a dispute event.' },
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
