import { Type } from 'typebox';

import { dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import { MAX_COUNTED, MAX_REPLAYED, type ReplayResult, type WebhooksService } from './service.ts';

const tags = ['Webhooks'];

const sinceRule: CrossFieldRule = ({ since }) =>
  dateRule({ startDate: since }).map((violation) => ({ ...violation, path: ['since'] }));

const since = Type.String({
  maxLength: 40,
  description:
    'ISO 8601. A day (`2026-03-01`) begins at midnight in São Paulo; a full timestamp is taken as it is.',
});
const dryRun = Type.Optional(Type.Boolean({ description: 'Only tells how many deliveries it would be.' }));
const more = Type.Boolean({
  description: `Whether there are more than the ${MAX_REPLAYED} that one call sends, or than the ${MAX_COUNTED} that it counts with \`dryRun\`. The same call again sends the next.`,
});

const ReplayBody = withCrossFieldRules(Type.Object({ since, dryRun }), [sinceRule]);
const ResendBody = withCrossFieldRules(
  Type.Object({ since, webhookId: Type.Optional(Type.String({ format: 'uuid' })), dryRun }),
  [sinceRule],
);

const refusals = { 404: ['Webhook not found'], 422: ['Webhook is disabled'] };

/** What did not arrive is delivered again. */
export function replayRoutes(app: App, { webhooks }: { readonly webhooks: WebhooksService }): void {
  app.post(
    '/webhooks/:id/replay',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'replayWebhook',
        summary: 'Deliver what a webhook has missed',
        description:
          'What was kept while it was disabled, and what has failed and was not sent again since. The webhook must be ACTIVE, except to be told how much there is.',
        tags,
        refusals,
        examples: { body: examples.REPLAY_REQUEST, answer: examples.REPLAY_RESULT },
        params: Type.Object({ id: Type.String() }),
        body: ReplayBody,
        response: {
          200: envelope(Type.Object({ deliveries: Type.Integer(), more })),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const result = await webhooks.replay(callingSeller(request).id, id, toReplayRequest(request.body));
      return ok(unwrapReplayResult(result));
    },
  );

  app.post(
    '/webhooks/deliveries/resend-failed',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'resendFailedDeliveries',
        summary: 'Deliver again what has failed',
        description:
          'To all receivers that can be called, or to one webhook. What was sent again since it failed is left out, so that calling twice sends nothing twice.',
        tags,
        refusals,
        examples: { body: examples.RESEND_FAILED_REQUEST, answer: examples.RESEND_FAILED_RESULT },
        body: ResendBody,
        response: {
          200: envelope(Type.Object({ resent: Type.Integer({ description: 'Deliveries made.' }), more })),
        },
      },
    },
    async (request) => {
      const { webhookId } = request.body;
      const result = await webhooks.resendFailed(
        callingSeller(request).id,
        webhookId,
        toReplayRequest(request.body),
      );
      const { deliveries, ...rest } = unwrapReplayResult(result);
      return ok({ resent: deliveries, ...rest });
    },
  );
}

function toReplayRequest(body: { readonly since: string; readonly dryRun?: boolean }) {
  const { from } = parsePeriod({ startDate: body.since });
  return { since: from ?? new Date(0), dryRun: body.dryRun === true };
}

function unwrapReplayResult(result: ReplayResult | 'unknown' | 'disabled'): ReplayResult {
  if (result === 'unknown') throw new HttpError(404, 'Webhook not found');
  if (result === 'disabled') throw new HttpError(422, 'Webhook is disabled');
  return result;
}
