import { Type, type Static } from 'typebox';

import { dateQuery, dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, nullable, ok, pageEnvelope, recordId, timestamp } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { DELIVERY_STATUSES, type Delivery, type EventSnapshot } from './delivery.ts';
import * as examples from './examples.ts';
import type { WebhooksService } from './service.ts';

const tags = ['Webhooks'];

const delivery = {
  id: recordId('The id of the delivery.'),
  eventId: Type.String({
    format: 'uuid',
    description: 'The `webhook-id` header of every attempt and of every delivery of this event.',
  }),
  event: Type.String({ description: 'The name of the event.' }),
  recordId: Type.String({
    format: 'uuid',
    description:
      'The record that the event is about: a transaction, withdrawal, dispute, subscription or ' +
      'invoice, or the webhook for PING.',
  }),
  webhookId: nullable(Type.String({ format: 'uuid', description: 'Null for a postbackUrl.' })),
  url: Type.String({ description: 'URL that the event is sent to.' }),
  status: Type.Enum([...DELIVERY_STATUSES], {
    description:
      'PENDING: waits for its next attempt. FAILED: not delivered, and not retried. HELD: not sent, ' +
      'because the webhook was disabled. A replay sends it.',
  }),
  attemptCount: Type.Integer({ description: 'The number of attempts made.' }),
  nextAttemptAt: nullable(timestamp('When the next attempt is due; null unless `status` is PENDING.')),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
};
const DeliverySchema = Type.Object(delivery, {
  title: 'Delivery',
  description: 'A delivery of an event to an endpoint.',
});

const AttemptSchema = Type.Object(
  {
    number: Type.Integer({ description: 'Starts at 1.' }),
    at: timestamp('When the attempt started.'),
    latencyMs: Type.Integer({
      description: 'Milliseconds from the start of the call to the end of the response.',
    }),
    statusCode: nullable(Type.Integer({ description: 'Null without a response.' })),
    responseBody: nullable(Type.String({ description: 'The first 1 KiB of the response body.' })),
    error: nullable(Type.String({ description: 'Why the attempt failed.' })),
  },
  { title: 'DeliveryAttempt', description: 'An attempt to deliver an event.' },
);

const DeliveryWithAttemptsSchema = Type.Object(
  {
    ...delivery,
    payload: Type.String({ description: 'The request body, byte for byte.' }),
    attempts: Type.Array(AttemptSchema, { description: 'All attempts, oldest first.' }),
  },
  { title: 'DeliveryWithAttempts', description: 'A delivery with its payload and its attempts.' },
);

const DeliveriesQuery = withCrossFieldRules(
  Type.Object({
    status: Type.Optional(
      Type.Enum([...DELIVERY_STATUSES], { description: 'Only deliveries with this status.' }),
    ),
    webhookId: Type.Optional(recordId('Only deliveries to this webhook.')),
    recordId: Type.Optional(recordId('Only deliveries about this record.')),
    event: Type.Optional(
      Type.String({ maxLength: 64, description: 'Only deliveries of the event with this name.' }),
    ),
    ...dateQuery,
    ...pageQuery,
  }),
  [dateRule],
);

const ResentSchema = Type.Object(
  {
    resent: Type.Integer({ description: 'The number of deliveries created.' }),
  },
  { title: 'Resend', description: 'What was sent again.' },
);

const MAX_RECORDS = 100;
const idsOf = (records: string) =>
  Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: MAX_RECORDS,
    description: `Ids of up to ${MAX_RECORDS} ${records}.`,
  });

/** Returns the current state of records as events, or undefined if one of the ids is unknown. */
type SnapshotsOf = (
  sellerId: string,
  ids: readonly string[],
) => Promise<readonly EventSnapshot[] | undefined>;

export interface DeliveryRouteDeps {
  readonly webhooks: WebhooksService;
  readonly transactions: { readonly snapshotsOf: SnapshotsOf };
  readonly withdrawals: { readonly snapshotsOf: SnapshotsOf };
}

export function deliveryRoutes(app: App, deps: DeliveryRouteDeps): void {
  registerList(app, deps);
  registerGet(app, deps);
  registerResend(app, deps);
  registerResendTransactionEvents(app, deps);
  registerResendWithdrawalEvents(app, deps);
}

function registerList(app: App, { webhooks }: DeliveryRouteDeps): void {
  app.get(
    '/webhooks/deliveries',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'listDeliveries',
        summary: 'List deliveries',
        description:
          'Returns one page of the webhook deliveries of the seller, newest first. Use it to see ' +
          'what your endpoints received, and when.',
        examples: { response: examples.DELIVERY_LIST },
        tags,
        querystring: DeliveriesQuery,
        response: { 200: pageEnvelope(DeliverySchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { status, webhookId, recordId, event } = query;
      const filter = { status, webhookId, recordId, event, ...parsePeriod(query) };
      const sellerId = callingSeller(request).id;
      const { items, count } = await webhooks.listDeliveries(sellerId, filter, parsePage(query));
      return pageResponse(items, count, query.take, view);
    },
  );
}

function registerGet(app: App, { webhooks }: DeliveryRouteDeps): void {
  app.get(
    '/webhooks/deliveries/:id',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'getDelivery',
        summary: 'Retrieve a delivery',
        description: 'Returns a delivery with its payload and all attempts.',
        errors: ['delivery_not_found'],
        examples: { response: examples.DELIVERY },
        tags,
        params: Type.Object({ id: Type.String({ description: 'The id of the delivery.' }) }),
        response: { 200: envelope(DeliveryWithAttemptsSchema) },
      },
    },
    async (request) => {
      const found = await webhooks.findDelivery(callingSeller(request).id, request.params.id);
      if (found === undefined) throw new HttpError('delivery_not_found');
      const attempts = found.log.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() }));
      return ok({ ...view(found), payload: found.payload, attempts });
    },
  );
}

function registerResend(app: App, { webhooks }: DeliveryRouteDeps): void {
  app.post(
    '/webhooks/deliveries/:id/resend',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'resendDelivery',
        summary: 'Resend a delivery',
        description:
          'Sends the event of a delivery to the same endpoint again, as a new delivery with ' +
          'its own attempts. Returns the id of the new delivery.',
        errors: ['delivery_not_found', 'webhook_deleted', 'webhook_disabled'],
        examples: { response: examples.RESENT_DELIVERY },
        tags,
        params: Type.Object({ id: Type.String({ description: 'The id of the delivery.' }) }),
        response: {
          200: envelope(
            Type.Object(
              {
                resent: Type.Integer({ description: 'The number of deliveries created: 1.' }),
                deliveryId: recordId('The new delivery.'),
              },
              { title: 'ResentDelivery', description: 'What was sent again.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const result = await webhooks.resendDelivery(callingSeller(request).id, request.params.id);
      switch (result.kind) {
        case 'created':
          return ok({ resent: 1, deliveryId: result.deliveryId });
        case 'unknown':
          throw new HttpError('delivery_not_found');
        case 'webhook-deleted':
          throw new HttpError('webhook_deleted');
        case 'webhook-disabled':
          throw new HttpError('webhook_disabled');
      }
    },
  );
}

function registerResendTransactionEvents(app: App, { webhooks, transactions }: DeliveryRouteDeps): void {
  app.post(
    '/webhooks/resend-transaction-event',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'resendTransactionEvents',
        summary: 'Resend transaction events',
        description:
          'Sends the current state of up to 100 transactions to every enabled webhook of their ' +
          'event type, and to their `postbackUrl`. If one id is unknown, nothing is sent. ' +
          'Returns the number of deliveries.',
        errors: ['transaction_not_found'],
        examples: { body: examples.TRANSACTION_IDS, response: examples.RESENT },
        tags,
        body: Type.Object({ transactionIds: idsOf('transactions') }),
        response: { 200: envelope(ResentSchema) },
      },
    },
    async (request) => {
      const sellerId = callingSeller(request).id;
      const snapshots = await transactions.snapshotsOf(sellerId, distinct(request.body.transactionIds));
      if (snapshots === undefined) throw new HttpError('transaction_not_found');
      return ok({ resent: await webhooks.resendSnapshots(sellerId, 'TRANSACTION', snapshots) });
    },
  );
}

function registerResendWithdrawalEvents(app: App, { webhooks, withdrawals }: DeliveryRouteDeps): void {
  app.post(
    '/webhooks/resend-withdrawal-event',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'resendWithdrawalEvents',
        summary: 'Resend withdrawal events',
        description:
          'Sends the current state of up to 100 withdrawals to every enabled webhook of their ' +
          'event type. If one id is unknown, nothing is sent. Returns the number of deliveries.',
        errors: ['withdrawal_not_found'],
        examples: { body: examples.WITHDRAWAL_IDS, response: examples.RESENT },
        tags,
        body: Type.Object({ withdrawalIds: idsOf('withdrawals') }),
        response: { 200: envelope(ResentSchema) },
      },
    },
    async (request) => {
      const sellerId = callingSeller(request).id;
      const snapshots = await withdrawals.snapshotsOf(sellerId, distinct(request.body.withdrawalIds));
      if (snapshots === undefined) throw new HttpError('withdrawal_not_found');
      return ok({ resent: await webhooks.resendSnapshots(sellerId, 'WITHDRAWAL', snapshots) });
    },
  );
}

/** Removes duplicate ids, case-insensitively, as PostgreSQL compares them. */
const distinct = (ids: readonly string[]): readonly string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
];

function view(found: Delivery): Static<typeof DeliverySchema> {
  return {
    id: found.id,
    eventId: found.eventId,
    event: found.event,
    recordId: found.recordId,
    webhookId: found.webhookId,
    url: found.url,
    status: found.status,
    attemptCount: found.attempts,
    nextAttemptAt: found.status === 'PENDING' ? found.dueAt.toISOString() : null,
    createdAt: found.createdAt.toISOString(),
    updatedAt: found.updatedAt.toISOString(),
  };
}
