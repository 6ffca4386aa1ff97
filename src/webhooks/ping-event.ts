import { Type } from 'typebox';

import { timestamp } from '#platform/http/envelope.ts';
import type { DocumentedEvent } from '#platform/openapi/events.ts';

export const PING = 'PING';

/** The event as documented in the API reference. */
export const PING_EVENT: DocumentedEvent = {
  name: PING,
  eventType: null,
  summary: 'A webhook was tested',
  description: 'Sent to one webhook when its seller requests a test, regardless of its event type.',
  schema: Type.Object(
    {
      event: Type.Literal(PING, { description: 'The name of the event.' }),
      data: Type.Object(
        {
          id: Type.String({ format: 'uuid', description: 'The id of the webhook.' }),
          sentAt: timestamp('When the test was requested.'),
        },
        { description: 'The test.' },
      ),
    },
    { title: 'PingEvent', description: 'Body of a test event.' },
  ),
  examples: {
    'A test': {
      event: PING,
      data: { id: '01a1fb6e-9f80-4a1b-8c2d-3e4f5a6b7c8d', sentAt: '2026-11-20T12:00:00.000Z' },
    },
  },
};
