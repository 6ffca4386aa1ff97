import { Type, type Static } from 'typebox';

import { ROUTED_METHODS, type RoutedMethod } from '#payments/operations/routing.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import { envelope, nullable, ok, recordId, timestamp } from '#platform/http/envelope.ts';
import { HttpError, ValidationError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import type { ProviderRoute, RoutingService } from './service.ts';

const MAX_PROVIDERS = 20;

const PausedSchema = Type.Object(
  {
    reason: Type.String({ description: 'Why, as the operator wrote it.' }),
    pausedBy: recordId('The operator user who paused it.'),
    pausedByName: Type.String({ description: 'Name of that user at the time.' }),
    pausedAt: timestamp('Since when it is paused.'),
  },
  { title: 'ProviderPause', description: 'Who paused the provider, and why.' },
);

const RouteSchema = Type.Object(
  {
    method: Type.Enum([...ROUTED_METHODS], {
      description: 'The payment method; PAYOUT for withdrawals.',
    }),
    providers: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Name in the environment variables.' }),
          paused: nullable(PausedSchema),
        },
        { title: 'RoutedProvider', description: 'A provider, and whether it is paused.' },
      ),
      { description: 'The configured providers in the order in which they are tried.' },
    ),
    defaultOrder: Type.Array(Type.String(), { description: 'The order in the environment variables.' }),
    isStored: Type.Boolean({ description: 'Whether an operator has set the order.' }),
  },
  { title: 'ProviderRoute', description: 'The providers of a method, in the order in which they are tried.' },
);

const RouteParams = Type.Object({
  method: Type.String({ description: `One of ${ROUTED_METHODS.join(', ')}.` }),
});

const provider = nonEmptyString(40, 'The name of a provider of the method.');

const OrderBody = Type.Object(
  {
    providers: nullable(
      Type.Array(provider, {
        minItems: 1,
        maxItems: MAX_PROVIDERS,
        description: 'All providers of the method, in the order in which they are tried. Null: the default.',
      }),
    ),
  },
  { title: 'ReplaceProviderOrderRequest' },
);
const PauseBody = Type.Object(
  { provider, reason: nonEmptyString(255, 'Why. Operators see it.') },
  { title: 'PauseProviderRequest' },
);
const ResumeBody = Type.Object({ provider }, { title: 'ResumeProviderRequest' });

const tags = ['Providers'];

interface RoutingRouteDeps {
  readonly providerRoutes: Pick<RoutingService, 'list' | 'setOrder' | 'pause' | 'resume'>;
}

/** The operator orders and pauses the providers of a method while the gateway runs. */
export function providerRoutingRoutes(app: App, deps: RoutingRouteDeps): void {
  registerList(app, deps);
  registerOrder(app, deps);
  registerPause(app, deps);
  registerResume(app, deps);
}

function registerList(app: App, { providerRoutes }: RoutingRouteDeps): void {
  app.get(
    '/admin/provider-routes',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listProviderRoutes',
        summary: 'List provider routes',
        description:
          'Returns the configured providers of each method in the order in which they are tried, and which ' +
          'of them are paused.',
        tags,
        examples: { response: examples.ROUTES },
        response: {
          200: envelope(Type.Array(RouteSchema, { description: 'The methods that have a provider.' })),
        },
      },
    },
    async () => ok((await providerRoutes.list()).map(viewRoute)),
  );
}

function registerOrder(app: App, deps: RoutingRouteDeps): void {
  app.put(
    '/admin/provider-routes/:method',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'replaceProviderOrder',
        summary: 'Replace the order of providers',
        description:
          'Sets the order in which the providers of a method are tried. It takes precedence over the ' +
          'order in the environment variables; null resets it. Every process applies it within a second. ' +
          'Returns the route.',
        tags,
        errors: ['provider_route_not_found'],
        examples: { body: examples.ORDER_REQUEST, response: examples.ROUTE },
        params: RouteParams,
        body: OrderBody,
        response: { 200: envelope(RouteSchema) },
      },
    },
    async (request) => {
      const { method, defaultOrder } = await requireRoute(deps, request.params.method);
      const { providers } = request.body;
      if (providers !== null) checkOrder(providers, defaultOrder);
      return ok(viewRoute(await deps.providerRoutes.setOrder(method, providers, auditActorOf(request))));
    },
  );
}

/** @throws ValidationError unless each provider is named once. */
function checkOrder(names: readonly string[], configured: readonly string[]): void {
  const isComplete =
    names.length === configured.length && new Set([...names, ...configured]).size === names.length;
  if (isComplete) return;
  const rule = `must contain each of the following values once: ${configured.join(', ')}` as const;
  throw new ValidationError([{ path: ['providers'], rule }]);
}

function registerPause(app: App, deps: RoutingRouteDeps): void {
  app.post(
    '/admin/provider-routes/:method/pause',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'pauseProvider',
        summary: 'Pause a provider',
        description:
          'Stops sending new transactions or withdrawals of the method to the provider, within a second ' +
          'and until it is resumed: new transactions go to the next provider, and are refused with ' +
          '`method_paused` if there is none; approved withdrawals wait. For transactions and withdrawals ' +
          'that the provider already has, captures, cancellations, refunds and events continue, as do the ' +
          'transactions of its Pix Automático authorizations. Returns the route.',
        tags,
        errors: ['provider_route_not_found'],
        examples: { body: examples.PAUSE_REQUEST, response: examples.ROUTE },
        params: RouteParams,
        body: PauseBody,
        response: { 200: envelope(RouteSchema) },
      },
    },
    async (request) => {
      const { method } = await requireProvider(deps, request.params.method, request.body.provider);
      const author: Caller = auditActorOf(request);
      return ok(viewRoute(await deps.providerRoutes.pause({ ...request.body, method }, author)));
    },
  );
}

function registerResume(app: App, deps: RoutingRouteDeps): void {
  app.post(
    '/admin/provider-routes/:method/resume',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'resumeProvider',
        summary: 'Resume a provider',
        description: 'Ends the pause of a provider. Waiting withdrawals are sent. Returns the route.',
        tags,
        errors: ['provider_route_not_found'],
        examples: { body: examples.RESUME_REQUEST, response: examples.RESUMED },
        params: RouteParams,
        body: ResumeBody,
        response: { 200: envelope(RouteSchema) },
      },
    },
    async (request) => {
      const { method } = await requireProvider(deps, request.params.method, request.body.provider);
      const target = { method, provider: request.body.provider };
      return ok(viewRoute(await deps.providerRoutes.resume(target, auditActorOf(request))));
    },
  );
}

/** @throws HttpError 404 for a method without a provider. */
async function requireRoute({ providerRoutes }: RoutingRouteDeps, method: string): Promise<ProviderRoute> {
  const route = (await providerRoutes.list()).find((one) => one.method === method);
  if (route === undefined) throw new HttpError('provider_route_not_found');
  return route;
}

/** @throws ValidationError for a provider that the method does not have. */
async function requireProvider(
  deps: RoutingRouteDeps,
  method: string,
  name: string,
): Promise<{ readonly method: RoutedMethod }> {
  const route = await requireRoute(deps, method);
  if (route.defaultOrder.includes(name)) return route;
  const rule = `must be one of the following values: ${route.defaultOrder.join(', ')}` as const;
  throw new ValidationError([{ path: ['provider'], rule }]);
}

const viewRoute = ({
  method,
  providers,
  defaultOrder,
  isStored,
}: ProviderRoute): Static<typeof RouteSchema> => ({
  method,
  providers: providers.map(({ name, paused }) => ({
    name,
    paused: paused && {
      reason: paused.reason,
      pausedBy: paused.pausedBy,
      pausedByName: paused.pausedByName,
      pausedAt: paused.pausedAt.toISOString(),
    },
  })),
  defaultOrder: [...defaultOrder],
  isStored,
});
