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
        description:
          'Cents. If the withdrawals of a seller in 24 hours exceed this amount, two different ADMINs must ' +
          'approve. Null: one ADMIN always suffices.',
      }),
    ),
  },
  { title: 'Settings', description: 'Settings of the operator for all sellers.' },
);
const tags = ['Settings'];

/** The operator's settings for all sellers. */
export function settingsRoutes(app: App, { settings }: { readonly settings: SettingsService }): void {
  app.get(
    '/admin/settings',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getSettings',
        summary: 'Retrieve the settings',
        description: 'Returns the settings of the operator that apply to all sellers.',
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
        description:
          'Replaces the settings of the operator. They apply to every later decision, also on ' +
          'withdrawals that are already pending. Returns the new settings.',
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
