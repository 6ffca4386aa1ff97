import { Type, type Static } from 'typebox';

import type { Caller } from '#platform/http/audit-actor.ts';
import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { FEES, FEES_REQUEST } from '#sellers/fees/examples.ts';
import { FeesSchema, feesRule, parseFees, viewFees } from '#sellers/fees/schema.ts';
import {
  ADJUSTABLE,
  ADJUSTABLE_NAMES,
  mapAdjustable,
  type AdjustableName,
} from '#sellers/settings/adjustable.ts';
import {
  DEFAULT_MED_WINDOW_DAYS,
  type SettingChanges,
  type SettingsService,
} from '#sellers/settings/service.ts';
import type { Approval, ApprovalsService } from './approvals/service.ts';
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

const MED_WINDOW = { minimum: 1, maximum: 7 };

const medWindowDays = Type.Integer({
  ...MED_WINDOW,
  description: 'How many days sellers have to appeal future MED claims, if the provider sets no deadline.',
});

const MEANINGS: Readonly<Record<AdjustableName, string>> = {
  signupsPerHour: 'Maximum number of sign-ups from one IP address in an hour.',
  checkoutUnpaidPerHour:
    'Maximum number of unpaid transactions from one IP address in an hour on one payment link.',
  checkoutDeclinesPerAddress:
    'Declined cards in an hour after which the payment page refuses further cards from an IP address.',
  checkoutDeclinesPerLink: 'Declined cards in an hour after which a payment link refuses further cards.',
  applicationRetentionDays:
    'Days that the application of a seller is stored after it was rejected or, while it is DRAFT or ' +
    'QUESTION, after its last change.',
  webhookLogDays: 'Days that events, webhook deliveries and their attempts are stored.',
};

const adjustable = (name: AdjustableName) => {
  const { min: minimum, max: maximum } = ADJUSTABLE[name];
  return Type.Integer({ minimum, maximum, description: MEANINGS[name] });
};

const ReplaceBody = Type.Object(
  { twoPersonApprovalAbove, medWindowDays: Type.Optional(medWindowDays) },
  { title: 'ReplaceSettingsRequest' },
);

const resettable = (schema: ReturnType<typeof adjustable>) => Type.Optional(nullable(schema));

const UpdateBody = Type.Object(
  {
    twoPersonApprovalAbove: Type.Optional(twoPersonApprovalAbove),
    medWindowDays: resettable(medWindowDays),
    ...mapAdjustable((name) => resettable(adjustable(name))),
  },
  { title: 'UpdateSettingsRequest' },
);

const DetailSchema = Type.Object(
  {
    name: Type.Enum(['medWindowDays', ...ADJUSTABLE_NAMES], { description: 'The name of the setting.' }),
    default: Type.Integer({
      description: 'What applies if it is reset: the environment variable, or a fixed value.',
    }),
    minimum: Type.Integer({ description: 'The smallest value.' }),
    maximum: Type.Integer({ description: 'The largest value.' }),
    isStored: Type.Boolean({
      description: 'Whether an operator has set it. It then takes precedence over the default.',
    }),
  },
  { title: 'SettingDetail', description: 'Default and range of a setting.' },
);

const SettingsSchema = Type.Object(
  {
    twoPersonApprovalAbove,
    medWindowDays,
    ...mapAdjustable(adjustable),
    details: Type.Array(DetailSchema, { description: 'Defaults and ranges of the settings.' }),
  },
  { title: 'Settings', description: 'Settings of the operator for all sellers.' },
);
const tags = ['Settings'];

interface SettingsRouteDeps {
  readonly settings: SettingsService;
  readonly approvals: ApprovalsService;
}

/** The operator's settings for all sellers. */
export function settingsRoutes(app: App, deps: SettingsRouteDeps): void {
  app.get(
    '/admin/settings',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getSettings',
        summary: 'Retrieve the settings',
        description:
          'Returns the settings of the operator that apply to all sellers, with the default and the range ' +
          'of each except `twoPersonApprovalAbove`.',
        tags,
        examples: { response: examples.SETTINGS },
        response: { 200: envelope(SettingsSchema) },
      },
    },
    async () => ok(await viewSettings(deps)),
  );
  registerReplace(app, deps);
  registerUpdate(app, deps);
}

function registerReplace(app: App, deps: SettingsRouteDeps): void {
  app.put(
    '/admin/settings',
    {
      config: { access: 'operator:write', stepUp: true },
      schema: {
        operationId: 'replaceSettings',
        summary: 'Replace the approval settings',
        description:
          'Replaces the limit above which two ADMINs must approve. It applies to every later decision, ' +
          'including those on withdrawals that are already pending. `medWindowDays` keeps its value if ' +
          'omitted. The other settings stay unchanged: use PATCH to change them. Returns the new ' +
          'settings. Raising or removing `twoPersonApprovalAbove` requires approval by a second ADMIN, if ' +
          'one exists; the response is then 202 with the pending approval, and nothing is changed until ' +
          'it is approved.',
        tags,
        examples: { body: examples.SETTINGS_REQUEST, accepted: PENDING, response: examples.SETTINGS },
        body: ReplaceBody,
        response: { 200: envelope(SettingsSchema), ...pendingResponse },
      },
    },
    async (request, reply) => {
      const { twoPersonApprovalAbove, medWindowDays: days } = request.body;
      const changes = { twoPersonApprovalAbove, ...(days === undefined ? {} : { medWindowDays: days }) };
      const pending = await changeOrRequest(deps, changes, auditActorOf(request));
      if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      return ok(await viewSettings(deps));
    },
  );
}

function registerUpdate(app: App, deps: SettingsRouteDeps): void {
  app.patch(
    '/admin/settings',
    {
      config: { access: 'operator:write', stepUp: true },
      schema: {
        operationId: 'updateSettings',
        summary: 'Update the settings',
        description:
          'Changes the settings that are named; null resets one to its default. A stored setting takes ' +
          'precedence over the environment variable, and every process applies it within a second. ' +
          'Returns the new settings. Raising or removing `twoPersonApprovalAbove` requires approval by a ' +
          'second ADMIN, if one exists; the response is then 202 with the pending approval, and nothing ' +
          'is changed until it is approved.',
        tags,
        examples: { body: examples.UPDATE_REQUEST, accepted: PENDING, response: examples.SETTINGS },
        body: UpdateBody,
        response: { 200: envelope(SettingsSchema), ...pendingResponse },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { twoPersonApprovalAbove, medWindowDays: days } = body;
      const changes = {
        ...(twoPersonApprovalAbove === undefined ? {} : { twoPersonApprovalAbove }),
        ...(days === undefined ? {} : { medWindowDays: days ?? DEFAULT_MED_WINDOW_DAYS }),
        ...Object.fromEntries(
          ADJUSTABLE_NAMES.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
        ),
      };
      const pending = await changeOrRequest(deps, changes, auditActorOf(request));
      if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      return ok(await viewSettings(deps));
    },
  );
}

/** Returns the request of an approval, if a second ADMIN has to approve the changes. */
async function changeOrRequest(
  { settings, approvals }: SettingsRouteDeps,
  changes: SettingChanges,
  author: Caller,
): Promise<Approval | undefined> {
  const { twoPersonApprovalAbove: next } = changes;
  if (next !== undefined && isWeaker(next, (await settings.get()).twoPersonApprovalAbove)) {
    const requested = { ...changes, twoPersonApprovalAbove: next };
    const pending = await approvals.request({ action: 'settings.replace', ...requested }, author);
    if (pending !== undefined) return pending;
  }
  await settings.change(changes, author);
  return undefined;
}

/** Whether a limit of approval by two is raised or removed. */
const isWeaker = (next: number | null, current: number | null): boolean =>
  current !== null && (next === null || next > current);

async function viewSettings({ settings }: SettingsRouteDeps): Promise<Static<typeof SettingsSchema>> {
  const [current, adjusted] = await Promise.all([settings.get(), settings.listAdjusted()]);
  const med = {
    name: 'medWindowDays' as const,
    default: DEFAULT_MED_WINDOW_DAYS,
    ...MED_WINDOW,
    isStored: current.medWindowDays !== DEFAULT_MED_WINDOW_DAYS,
  };
  const details = adjusted.map(({ name, default: fallback, isStored }) => {
    const { min, max } = ADJUSTABLE[name];
    return { name, default: fallback, minimum: min, maximum: max, isStored };
  });
  const values = new Map(adjusted.map(({ name, value }) => [name, value]));
  return {
    ...current,
    ...mapAdjustable((name) => values.get(name) ?? 0),
    details: [med, ...details],
  };
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
        examples: { response: FEES },
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
        examples: { body: FEES_REQUEST, response: FEES },
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
