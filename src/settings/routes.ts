import { Type } from 'typebox';

import { commonErrors, envelope, nullable, ok } from '#http/envelope.ts';
import { authorOf } from '#http/guard.ts';
import type { App } from '#http/server.ts';
import type { SettingsService } from './service.ts';

const SettingsSchema = Type.Object({
  twoPersonApprovalAbove: nullable(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Cents. A withdrawal of more needs two different ADMINs; null: one is always enough.',
    }),
  ),
});
const tags = ['Operator'];

/** What the operator sets for all sellers. */
export function settingsRoutes(app: App, { settings }: { readonly settings: SettingsService }): void {
  app.get(
    '/admin/settings',
    {
      config: { access: 'operator:read' },
      schema: {
        summary: 'Read the settings',
        tags,
        response: { 200: envelope(SettingsSchema), ...commonErrors },
      },
    },
    async () => ok(await settings.read()),
  );

  app.put(
    '/admin/settings',
    {
      config: { access: 'operator:write' },
      schema: {
        summary: 'Replace the settings',
        description: 'Counts for every decision from now on, also over withdrawals that wait.',
        tags,
        body: SettingsSchema,
        response: { 200: envelope(SettingsSchema), ...commonErrors },
      },
    },
    async (request) => {
      const { twoPersonApprovalAbove } = request.body;
      await settings.replace({ twoPersonApprovalAbove }, authorOf(request));
      return ok({ twoPersonApprovalAbove });
    },
  );
}
