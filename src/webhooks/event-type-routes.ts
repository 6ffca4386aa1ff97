import { Type } from 'typebox';

import { listEnvelope, nullable } from '#platform/http/envelope.ts';
import type { App } from '#platform/http/server.ts';
import type { DocumentedEvent } from '#platform/openapi/events.ts';
import * as examples from './examples.ts';

/** JSON of any form. */
const AnyObject = (description: string) =>
  Type.Unsafe<unknown>({ type: 'object', additionalProperties: true, description });

const EventTypeSchema = Type.Object(
  {
    name: Type.String({ description: 'The value of `event` in the body.' }),
    summary: Type.String({ description: 'What happened, in a few words.' }),
    description: Type.String({ description: 'Which webhooks receive it, and when.' }),
    eventType: nullable(
      Type.String({
        description:
          'The event type of the webhooks that receive it, in addition to ALL: TRANSACTION, ' +
          'WITHDRAWAL, DISPUTE or SUBSCRIPTION. Null for events sent to a single webhook.',
      }),
    ),
    schema: AnyObject('JSON Schema of the body.'),
    example: AnyObject('An example body.'),
  },
  { title: 'EventType', description: 'An event type of webhooks.' },
);

/** The event types, as documented in the API reference. */
export function eventTypeRoutes(app: App, { events }: { readonly events: readonly DocumentedEvent[] }): void {
  const data = events.map(({ name, summary, description, eventType, schema, examples }) => ({
    name,
    summary,
    description,
    eventType,
    schema: JSON.parse(JSON.stringify(schema)) as unknown,
    example: Object.values(examples)[0],
  }));
  app.get(
    '/webhooks/event-types',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'listEventTypes',
        summary: 'List event types',
        description:
          'Returns each event type with the JSON Schema of its body and an example. Use it to ' +
          'generate code and tests.',
        tags: ['Webhooks'],
        examples: { response: examples.EVENT_TYPE_LIST },
        response: {
          200: listEnvelope(EventTypeSchema),
        },
      },
    },
    () => ({ status: true as const, data, count: data.length }),
  );
}
