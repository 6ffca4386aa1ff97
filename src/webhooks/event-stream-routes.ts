import { Type } from 'typebox';

import { releaseCapacity } from '#platform/http/admission-control.ts';
import { timestamp } from '#platform/http/envelope.ts';
import { ValidationError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import { MAX_TAKE } from '#platform/http/pagination.ts';
import type { Rule } from '#platform/http/rules.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import type { DocumentedEvent } from '#platform/openapi/events.ts';
import * as examples from './examples.ts';
import type { WebhooksService } from './service.ts';

/** Less than the usual timeouts of proxies. */
const MAX_WAIT_SECONDS = 25;

const invalidCursor = (): ValidationError =>
  new ValidationError([{ path: ['after'], rule: 'must be the nextCursor of a previous response, or now' }]);

const EventSchema = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'The `webhook-id` header of its deliveries.',
    }),
    event: Type.String({ description: 'The name of the event.' }),
    recordId: Type.String({ format: 'uuid', description: 'The record that the event is about.' }),
    payload: Type.String({ description: 'The request body of its deliveries, byte for byte.' }),
    createdAt: timestamp('When the event was written.'),
  },
  { title: 'Event', description: 'An event that webhooks receive.' },
);

/** The names in the comma-separated parameter `types`; undefined for all events. */
const parseTypes = (types: string | undefined): readonly string[] | undefined =>
  types === undefined || types === '' ? undefined : types.split(',').map((name) => name.trim());

const typesRule =
  (names: readonly string[]): CrossFieldRule =>
  ({ types }) => {
    if (typeof types !== 'string' || (parseTypes(types) ?? []).every((name) => names.includes(name)))
      return [];
    const rule: Rule = `must be one of the following values: ${names.join(', ')}`;
    return [{ path: ['types'], rule, code: 'invalid_option' }];
  };

const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 12_000,
      description:
        'The nextCursor of the previous response, or `now` for future events. Defaults to the ' +
        'oldest retained event.',
    }),
  ),
  types: Type.Optional(
    Type.String({ maxLength: 500, description: 'Comma-separated event names. Defaults to all events.' }),
  ),
  wait: Type.Integer({
    minimum: 0,
    maximum: MAX_WAIT_SECONDS,
    default: 0,
    description: 'Seconds to wait if there is no event yet. The response may come earlier.',
  }),
  take: Type.Integer({
    minimum: 1,
    maximum: MAX_TAKE,
    default: 50,
    description: 'Maximum number of events per response.',
  }),
});

interface EventStreamDeps {
  readonly webhooks: WebhooksService;
  readonly events: readonly DocumentedEvent[];
}

/** Events for clients that poll: a developer's machine, or a system that cannot be called. */
export function eventStreamRoutes(app: App, { webhooks, events }: EventStreamDeps): void {
  const stopping = new AbortController();
  // On shutdown, waiting requests get a response at once and continue at another instance.
  app.addHook('preClose', async () => stopping.abort());

  app.get(
    '/events',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'listEvents',
        summary: 'List events',
        description:
          'Returns the events that webhooks receive, oldest first. Use it if webhooks cannot ' +
          'reach your system. Pass `nextCursor` as `after` to continue. Each event is returned ' +
          'once; events written at the same time are in no particular order. With `wait`, the ' +
          'response is sent as soon as there is an event. A response may contain a few more ' +
          'events than `take`.',
        tags: ['Events'],
        errors: [invalidCursor()],
        examples: { response: examples.EVENT_PAGE },
        querystring: withCrossFieldRules(EventsQuery, [typesRule(events.map(({ name }) => name))]),
        response: {
          200: Type.Object({
            status: Type.Literal(true, { description: 'True: the request succeeded.' }),
            data: Type.Array(EventSchema, { description: 'Events, oldest first.' }),
            nextCursor: Type.String({ description: 'Pass it as `after` to continue. Never null.' }),
            more: Type.Boolean({ description: 'Whether more events can be read now.' }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { after, types, wait, take } = request.query;
      if (wait > 0) releaseCapacity(request.raw);
      const disconnected = new AbortController();
      reply.raw.once('close', () => disconnected.abort());
      const read = await webhooks.readEvents(callingSeller(request).id, {
        after,
        types: parseTypes(types),
        take,
        waitMs: wait * 1000,
        signal: AbortSignal.any([disconnected.signal, stopping.signal]),
      });
      if (read === undefined) {
        throw invalidCursor();
      }
      const data = read.events.map(({ id, type, recordId, payload, createdAt }) => ({
        id,
        event: type,
        recordId,
        payload,
        createdAt: createdAt.toISOString(),
      }));
      return { status: true as const, data, nextCursor: read.cursor, more: read.more };
    },
  );
}
