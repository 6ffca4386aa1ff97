import { Type } from 'typebox';

import { parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, ok, recordId } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import * as examples from './examples.ts';
import { MAX_COUNTED, MAX_REPLAYED, type ReplayOutcome, type ReplayResult } from './replay.ts';
import type { WebhooksService } from './service.ts';

const tags = ['Webhooks'];

const since = Type.String({
  format: 'date-or-timestamp',
  description:
    'Only deliveries created at or after this time. ISO 8601. A date (`2026-03-01`) starts at midnight ' +
    'in São Paulo; a full timestamp is used as is.',
});
const dryRun = Type.Optional(Type.Boolean({ description: 'Counts the deliveries without sending them.' }));
const more = Type.Boolean({
  description:
    `Whether there are more than the ${MAX_REPLAYED} that one call sends, or the ${MAX_COUNTED} ` +
    `that \`dryRun\` counts. Repeat the call to send the next ones.`,
});

const ReplayBody = Type.Object({ since, dryRun });
const ResendBody = Type.Object({
  since,
  webhookId: Type.Optional(recordId('Only deliveries to this webhook.')),
  dryRun,
});

const errors = ['webhook_not_found', 'webhook_disabled'] as const;

interface ReplayRouteDeps {
  readonly webhooks: WebhooksService;
}

export function replayRoutes(app: App, deps: ReplayRouteDeps): void {
  registerReplay(app, deps);
  registerResendFailed(app, deps);
}

function registerReplay(app: App, { webhooks }: ReplayRouteDeps): void {
  app.post(
    '/webhooks/:id/replay',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'replayWebhook',
        summary: 'Replay a webhook',
        description:
          'Sends the deliveries that were held while a webhook was disabled, and the failed ones ' +
          'that have not been resent since. The webhook must be ACTIVE, unless `dryRun` is set. ' +
          'Returns the number of deliveries.',
        tags,
        errors,
        examples: { body: examples.REPLAY_REQUEST, response: examples.REPLAY_RESULT },
        params: Type.Object({ id: Type.String() }),
        body: ReplayBody,
        response: {
          200: envelope(
            Type.Object(
              {
                deliveries: Type.Integer({
                  description: 'Number of deliveries that are sent, or would be without `dryRun`.',
                }),
                more,
              },
              { title: 'Replay', description: 'What was sent.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const outcome = await webhooks.replay(key, toReplayRequest(request.body));
      return ok(unwrapOutcome(outcome));
    },
  );
}

function registerResendFailed(app: App, { webhooks }: ReplayRouteDeps): void {
  app.post(
    '/webhooks/deliveries/resend-failed',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'resendFailedDeliveries',
        summary: 'Resend failed deliveries',
        description:
          'Sends failed deliveries again, to all enabled endpoints or to one webhook. Use it ' +
          'after an outage of your system. Deliveries that have been resent since they failed ' +
          'are left out, so a repeated request sends nothing twice. Returns the number of ' +
          'deliveries.',
        tags,
        errors,
        examples: { body: examples.RESEND_FAILED_REQUEST, response: examples.RESEND_FAILED_RESULT },
        body: ResendBody,
        response: {
          200: envelope(
            Type.Object(
              {
                resent: Type.Integer({
                  description: 'Number of deliveries that are sent again, or would be without `dryRun`.',
                }),
                more,
              },
              { title: 'ResendFailed', description: 'What was sent again.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const { webhookId } = request.body;
      const sellerId = callingSeller(request).id;
      const outcome = await webhooks.resendFailed(sellerId, webhookId, toReplayRequest(request.body));
      const { deliveries, more } = unwrapOutcome(outcome);
      return ok({ resent: deliveries, more });
    },
  );
}

function toReplayRequest(body: { readonly since: string; readonly dryRun?: boolean }) {
  const { from } = parsePeriod({ startDate: body.since });
  return { since: from ?? new Date(0), dryRun: body.dryRun === true };
}

function unwrapOutcome(outcome: ReplayOutcome): ReplayResult {
  if (outcome === 'unknown') throw new HttpError('webhook_not_found');
  if (outcome === 'disabled') throw new HttpError('webhook_disabled');
  return outcome;
}
