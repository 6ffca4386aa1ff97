import { Type, type Static } from 'typebox';

import { dateQuery, dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, nullable, ok, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import { DELIVERY_STATUSES, type Delivery, type EventSnapshot, type WebhooksService } from './service.ts';

const tags = ['Webhooks'];

const delivery = {
  id: Type.String({ format: 'uuid' }),
  eventId: Type.String({
    format: 'uuid',
    description: 'What the header `webhook-id` says, on every attempt and on every delivery of this event.',
  }),
  event: Type.String({ description: 'The name of the event.' }),
  recordId: Type.String({
    format: 'uuid',
    description: 'What it is about: a charge, withdrawal or dispute.',
  }),
  webhookId: nullable(Type.String({ format: 'uuid', description: 'Null for a postbackUrl.' })),
  url: Type.String(),
  status: Type.Enum([...DELIVERY_STATUSES], {
    description: 'HELD: the webhook is disabled, and it is kept until a replay sends it.',
  }),
  attemptCount: Type.Integer({ description: 'Attempts made.' }),
  nextAttemptAt: nullable(Type.String({ format: 'date-time', description: 'Null unless it is PENDING.' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
const DeliverySchema = Type.Object(delivery);

const AttemptSchema = Type.Object({
  number: Type.Integer({ description: 'The first is 1.' }),
  at: Timestamp,
  latencyMs: Type.Integer({ description: 'Milliseconds from the call to the end of the answer.' }),
  statusCode: nullable(Type.Integer({ description: 'Null where no answer came.' })),
  responseBody: nullable(Type.String({ description: 'The first 1 KiB of the answer.' })),
  error: nullable(Type.String({ description: 'Why the attempt failed.' })),
});

const DeliveryWithAttemptsSchema = Type.Object({
  ...delivery,
  payload: Type.String({ description: 'The body sent, byte for byte.' }),
  attempts: Type.Array(AttemptSchema),
});

const DeliveriesQuery = withCrossFieldRules(
  Type.Object({
    status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
    webhookId: Type.Optional(Type.String({ format: 'uuid' })),
    recordId: Type.Optional(Type.String({ format: 'uuid' })),
    event: Type.Optional(Type.String({ maxLength: 64, description: 'The name of the event.' })),
    ...dateQuery,
    ...pageQuery,
  }),
  [dateRule],
);

/** What the resend operations answer. */
const ResentSchema = Type.Object({ resent: Type.Integer({ description: 'Deliveries made.' }) });

const MAX_RECORDS = 100;
const idsOf = (what: string) =>
  Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: MAX_RECORDS,
    description: `Ids of ${what}, ${MAX_RECORDS} at most.`,
  });

/** What is true of a seller's records now; undefined where one of them is unknown. */
type SnapshotsOf = (
  sellerId: string,
  ids: readonly string[],
) => Promise<readonly EventSnapshot[] | undefined>;

export interface DeliveryRouteDeps {
  readonly webhooks: WebhooksService;
  readonly transactions: { readonly snapshotsOf: SnapshotsOf };
  readonly withdrawals: { readonly snapshotsOf: SnapshotsOf };
}

export function deliveryRoutes(app: App, { webhooks, transactions, withdrawals }: DeliveryRouteDeps): void {
  app.get(
    '/webhooks/deliveries',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'listDeliveries',
        summary: 'List deliveries, newest first',
        examples: { answer: examples.DELIVERY_LIST },
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

  app.get(
    '/webhooks/deliveries/:id',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'getDelivery',
        summary: 'Read a delivery and its attempts',
        refusals: { 404: ['Delivery not found'] },
        examples: { answer: examples.DELIVERY },
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(DeliveryWithAttemptsSchema) },
      },
    },
    async (request) => {
      const found = await webhooks.findDelivery(callingSeller(request).id, request.params.id);
      if (found === undefined) throw new DeliveryNotFoundError();
      const attempts = found.log.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() }));
      return ok({ ...view(found), payload: found.payload, attempts });
    },
  );

  app.post(
    '/webhooks/deliveries/:id/resend',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'resendDelivery',
        summary: 'Deliver once more',
        refusals: { 404: ['Delivery not found'], 422: ['Webhook has been deleted', 'Webhook is disabled'] },
        examples: { answer: examples.RESENT_DELIVERY },
        description: 'Makes a new delivery of the same event to the same receiver, with attempts of its own.',
        tags,
        params: Type.Object({ id: Type.String() }),
        response: {
          200: envelope(Type.Object({ resent: Type.Integer(), deliveryId: Type.String({ format: 'uuid' }) })),
        },
      },
    },
    async (request) => {
      const result = await webhooks.resendDelivery(callingSeller(request).id, request.params.id);
      if (result.kind === 'made') return ok({ resent: 1, deliveryId: result.id });
      if (result.kind === 'unknown') throw new DeliveryNotFoundError();
      const why = result.kind === 'receiver-disabled' ? 'is disabled' : 'has been deleted';
      throw new HttpError(422, `Webhook ${why}`);
    },
  );

  app.post(
    '/webhooks/resend-transaction-event',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'resendTransactionEvents',
        summary: 'Send the webhook of charges again',
        refusals: { 404: ['Transaction not found'] },
        examples: { body: examples.TRANSACTION_IDS, answer: examples.RESENT },
        description:
          'To every enabled webhook registered for it and to the postbackUrl. One unknown id, and nothing is sent.',
        tags,
        body: Type.Object({ transactionIds: idsOf('charges') }),
        response: { 200: envelope(ResentSchema) },
      },
    },
    async (request) => {
      const sellerId = callingSeller(request).id;
      const snapshots = await transactions.snapshotsOf(sellerId, distinct(request.body.transactionIds));
      if (snapshots === undefined) throw new HttpError(404, 'Transaction not found');
      return ok({ resent: await webhooks.resendSnapshots(sellerId, 'TRANSACTION', snapshots) });
    },
  );

  app.post(
    '/webhooks/resend-withdrawal-event',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'resendWithdrawalEvents',
        summary: 'Send the webhook of withdrawals again',
        refusals: { 404: ['Withdrawal not found'] },
        examples: { body: examples.WITHDRAWAL_IDS, answer: examples.RESENT },
        description: 'To every enabled webhook registered for it. One unknown id, and nothing is sent.',
        tags,
        body: Type.Object({ withdrawalIds: idsOf('withdrawals') }),
        response: { 200: envelope(ResentSchema) },
      },
    },
    async (request) => {
      const sellerId = callingSeller(request).id;
      const snapshots = await withdrawals.snapshotsOf(sellerId, distinct(request.body.withdrawalIds));
      if (snapshots === undefined) throw new HttpError(404, 'Withdrawal not found');
      return ok({ resent: await webhooks.resendSnapshots(sellerId, 'WITHDRAWAL', snapshots) });
    },
  );
}

/** An id that is given twice is one record; ids are told apart as PostgreSQL does, whatever their case. */
const distinct = (ids: readonly string[]): readonly string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
];

class DeliveryNotFoundError extends HttpError {
  constructor() {
    super(404, 'Delivery not found');
  }
}

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
