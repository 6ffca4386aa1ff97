import { Type } from 'typebox';

import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { FEES, FEES_REQUEST } from '#sellers/fees/examples.ts';
import { FeesSchema, feesRule, parseFees, viewFees } from '#sellers/fees/schema.ts';
import type { SettingsService } from '#sellers/settings/service.ts';
import type { ApprovalsService } from './approvals/service.ts';
import { PENDING, pendingResponse, viewApproval } from './approvals/schema.ts';
import * as examples from './settings-examples.ts';

const twoPersonApprovalAbove = nullable(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      "Cents. If a seller's withdrawals in 24 hours exceed this amount, two different ADMINs " +
      'must approve. Null: one ADMIN is always enough.',
  }),
);

const medWindowDays = Type.Integer({
  minimum: 1,
  maximum: 7,
  description: 'How many days sellers have to appeal future MED claims, if the provider sets no deadline.',
});

const SettingsBody = Type.Object(
  { twoPersonApprovalAbove, medWindowDays: Type.Optional(medWindowDays) },
  { title: 'ReplaceSettingsRequest' },
);

const SettingsSchema = Type.Object(
  { twoPersonApprovalAbove, medWindowDays },
  { title: 'Settings', description: 'Settings of the operator for all sellers.' },
);
const tags = ['Settings'];

interface SettingsRouteDeps {
  readonly settings: SettingsService;
  readonly approvals: ApprovalsService;
}

/** The operator's settings for all sellers. */
export function settingsRoutes(app: App, { settings, approvals }: SettingsRouteDeps): void {
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
          'Replaces the settings of the operator. They apply to every later decision, including ' +
          'those on withdrawals that are already pending. `medWindowDays` keeps its value if it ' +
          'is omitted. Returns the new settings. Raising or removing `twoPersonApprovalAbove` ' +
          'requires approval by a second ADMIN, if one exists; the response is then 202 with the ' +
          'pending approval.',
        tags,
        examples: { body: examples.SETTINGS_REQUEST, accepted: PENDING, answer: examples.SETTINGS },
        body: SettingsBody,
        response: { 200: envelope(SettingsSchema), ...pendingResponse },
      },
    },
    async (request, reply) => {
      const { twoPersonApprovalAbove, medWindowDays: days } = request.body;
      const changes = { twoPersonApprovalAbove, ...(days === undefined ? {} : { medWindowDays: days }) };
      const author = auditActorOf(request);
      if (isWeaker(twoPersonApprovalAbove, (await settings.get()).twoPersonApprovalAbove)) {
        const pending = await approvals.request({ action: 'settings.replace', ...changes }, author);
        if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      }
      return ok(await settings.replace(changes, author));
    },
  );
}

/** The fees of new sellers. */
export function defaultFeesRoutes(app: App, { settings }: SettingsRouteDeps): void {
  app.get(
    '/admin/default-fees',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getDefaultFees',
        summary: 'Retrieve the default fees',
        description: 'Returns the fee schedule of new sellers.',
        tags,
        examples: { answer: FEES },
        response: { 200: envelope(FeesSchema) },
      },
    },
    async () => ok(viewFees(await settings.getDefaultFees())),
  );

  app.put(
    '/admin/default-fees',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'replaceDefaultFees',
        summary: 'Replace the default fees',
        description:
          'Replaces the fee schedule of new sellers. Existing sellers keep their fees. Returns ' +
          'the new schedule.',
        tags,
        examples: { body: FEES_REQUEST, answer: FEES },
        body: withCrossFieldRules(FeesSchema, [feesRule]),
        response: { 200: envelope(FeesSchema) },
      },
    },
    async (request) => {
      await settings.replaceDefaultFees(parseFees(request.body), auditActorOf(request));
      return ok(viewFees(await settings.getDefaultFees()));
    },
  );
}

/** Whether a limit of approval by two is raised or removed. */
const isWeaker = (next: number | null, current: number | null): boolean =>
  current !== null && (next === null || next > current);
