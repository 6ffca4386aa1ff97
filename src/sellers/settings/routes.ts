import { Type } from 'typebox';

import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import * as examples from './examples.ts';
import type { SettingsService } from './service.ts';

const SettingsSchema = Type.Object(
  {
    twoPersonApprovalAbove: nullable(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Cents. A withdrawal of more needs two different ADMINs; null: one is always enough.',
      }),
    ),
  },
  { title: 'Settings' },
);
const tags = ['Operator'];

/** What the operator sets for all sellers. */
export function settingsRoutes(app: App, { settings }: { readonly settings: SettingsService }): void {
  app.get(
    '/admin/settings',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'readSettings',
        summary: 'Read the settings',
        tags,
        examples: { answer: examples.SETTINGS },
        response: { 200: envelope(SettingsSchema) },
      },
    },
    async () => ok(await settings.get()),
  );

  app.put(
    '/admin/settings',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'replaceSettings',
        summary: 'Replace the settings',
        description: 'Counts for every decision from now on, also over withdrawals that wait.',
        tags,
        examples: { body: examples.SETTINGS_REQUEST, answer: examples.SETTINGS },
        body: SettingsSchema,
        response: { 200: envelope(SettingsSchema) },
      },
    },
    async (request) => {
      const { twoPersonApprovalAbove } = request.body;
      await settings.replace({ twoPersonApprovalAbove }, auditActorOf(request));
      return ok({ twoPersonApprovalAbove });
    },
  );
}
