import { Type } from 'typebox';

import { nullable } from '#platform/http/envelope.ts';
import type { App } from '#platform/http/server.ts';
import type { DocumentedEvent } from '#platform/openapi/events.ts';
import * as examples from './examples.ts';

/** JSON that the gateway does not look into. */
const AnyObject = (description: string) =>
  Type.Unsafe<unknown>({ type: 'object', additionalProperties: true, description });

const EventTypeSchema = Type.Object({
  name: Type.String({ description: 'What `event` says in the body.' }),
  summary: Type.String(),
  description: Type.String(),
  eventType: nullable(
    Type.String({
      description:
        'The type of the webhooks that are told, beside ALL: TRANSACTION, WITHDRAWAL or DISPUTE. Null for what is sent to one webhook alone.',
    }),
  ),
  schema: AnyObject('JSON Schema of the body.'),
  example: AnyObject('A body as it may come.'),
});

/** What webhooks are told, as the reference describes it. */
export function eventTypeRoutes(app: App, { events }: { readonly events: readonly DocumentedEvent[] }): void {
  const data = events.map(({ name, summary, description, eventType, schema, examples }) => ({
    ...{ name, summary, description, eventType },
    // Schemas carry symbols of their library, which are no JSON.
    schema: JSON.parse(JSON.stringify(schema)) as unknown,
    example: Object.values(examples)[0],
  }));
  app.get(
    '/webhooks/event-types',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'listEventTypes',
        summary: 'List what webhooks can be told',
        description:
          'Each event with the schema of its body and an example, for code that is generated or tested.',
        tags: ['Webhooks'],
        examples: { answer: examples.EVENT_TYPE_LIST },
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            data: Type.Array(EventTypeSchema),
            count: Type.Integer(),
          }),
        },
      },
    },
    () => ({ status: true as const, data, count: data.length }),
  );
}
