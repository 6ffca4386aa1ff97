import { Type } from 'typebox';

import { releaseCapacity } from '#platform/http/admission-control.ts';
import { Timestamp } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import { MAX_TAKE } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import * as examples from './examples.ts';
import type { WebhooksService } from './service.ts';

/** The longest that a request may wait, in seconds: less than proxies commonly give one. */
const MAX_WAIT_SECONDS = 25;

const EventSchema = Type.Object({
  id: Type.String({
    format: 'uuid',
    description: 'What the header `webhook-id` says where it is delivered.',
  }),
  event: Type.String({ description: 'The name of the event.' }),
  recordId: Type.String({ format: 'uuid', description: 'What it is about.' }),
  payload: Type.String({ description: 'The body that webhooks are sent, byte for byte.' }),
  createdAt: Timestamp,
});

const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 12_000,
      description:
        'The nextCursor of the answer before; `now` for what comes from now on. Without it: from the oldest event that is kept.',
    }),
  ),
  types: Type.Optional(
    Type.String({ maxLength: 500, description: 'Names of events, separated by commas; all unless told.' }),
  ),
  wait: Type.Integer({
    minimum: 0,
    maximum: MAX_WAIT_SECONDS,
    default: 0,
    description: 'Seconds to wait for an event where there is none yet. A request may be answered earlier.',
  }),
  take: Type.Integer({ minimum: 1, maximum: MAX_TAKE, default: 50, description: 'Events of one answer.' }),
});

/** Events for who asks for them: a developer's machine, or a system that cannot be called. */
export function eventStreamRoutes(app: App, { webhooks }: { readonly webhooks: WebhooksService }): void {
  const stopping = new AbortController();
  // Who waits is answered at once when the gateway stops, and asks the next one.
  app.addHook('preClose', async () => stopping.abort());

  app.get(
    '/events',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'readEvents',
        summary: 'Read events, oldest first',
        description:
          'What webhooks are told, for systems that ask instead of being called. Pass nextCursor as `after` to read on: each event comes once, also those that were written at the same moment as others, which may come in any order. With `wait` the request is answered when there is something to tell. An answer may hold a few events more than `take`.',
        tags: ['Events'],
        refusals: { 400: [['after must be the nextCursor of a previous answer, or now']] },
        examples: { answer: examples.EVENT_PAGE },
        querystring: EventsQuery,
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            data: Type.Array(EventSchema),
            nextCursor: Type.String({ description: 'Pass it as `after` to read on. Never null.' }),
            more: Type.Boolean({ description: 'Whether there is more to read at once.' }),
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
        types: types?.split(',').map((name) => name.trim()),
        take,
        waitMs: wait * 1000,
        signal: AbortSignal.any([disconnected.signal, stopping.signal]),
      });
      if (read === undefined) {
        throw new HttpError(400, ['after must be the nextCursor of a previous answer, or now']);
      }
      const data = read.events.map(({ id, type, recordId, payload, createdAt }) => ({
        ...{ id, event: type, recordId, payload },
        createdAt: createdAt.toISOString(),
      }));
      return { status: true as const, data, nextCursor: read.cursor, more: read.more };
    },
  );
}
