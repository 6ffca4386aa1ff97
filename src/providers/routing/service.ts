import { recordAudit } from '#audit/service.ts';
import { ROUTED_METHODS, type ProviderRouting, type RoutedMethod } from '#payments/operations/routing.ts';
import { invalidateCaches } from '#platform/database/cache-invalidations.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { RecordCaches } from '#platform/database/record-caches.ts';
import { runStatementIn } from '#platform/database/statements.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { RecordCache } from '#platform/kit/record-cache.ts';
import {
  deleteOrder,
  deletePaused,
  insertPaused,
  loadRoutes,
  lockRoutes,
  saveOrder,
  type PausedProvider,
  type StoredRoutes,
} from './store.ts';

/** The cache id of routes. */
const ROUTES_ID = '00000000-0000-4000-8000-000000000002';

export interface RoutingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly caches: RecordCaches;
  /** The names of the configured providers, in the order of the environment. */
  readonly configured: Readonly<Record<RoutedMethod, readonly string[]>>;
}

interface CachedDeps extends RoutingDeps {
  readonly cache: RecordCache<string, StoredRoutes>;
}

/** The providers of a method in the order in which they are tried. */
export interface ProviderRoute {
  readonly method: RoutedMethod;
  readonly providers: readonly { readonly name: string; readonly paused: PausedProvider | null }[];
  readonly defaultOrder: readonly string[];
  /** Whether an operator has set the order. */
  readonly isStored: boolean;
}

export type RoutingService = ReturnType<typeof createRoutingService>;

/** Which providers are called. Every process applies a change within a second. */
export function createRoutingService(deps: RoutingDeps) {
  const cache = deps.caches.create<StoredRoutes>({
    name: 'provider routes',
    tables: [],
    load: async (query, keys) => {
      const routes = await loadRoutes(query);
      return new Map(keys.map((key) => [key, routes]));
    },
    idsOf: () => [ROUTES_ID],
  });
  const cached = { ...deps, cache };
  const routing: ProviderRouting = {
    async select(method, providers) {
      const route = await findRoute(cached, method);
      const names = route.providers.filter(({ paused }) => paused === null).map(({ name }) => name);
      return names.flatMap((name) => providers.filter((provider) => provider.name === name));
    },
    async isPaused(method) {
      const { providers } = await findRoute(cached, method);
      return providers.length > 0 && providers.every(({ paused }) => paused !== null);
    },
  };
  return { ...bindDeps(cached, { list, findPaused, setOrder, pause, resume }), routing };
}

async function findRoute(deps: CachedDeps, method: RoutedMethod): Promise<ProviderRoute> {
  return toRoute(deps, method, await deps.cache.get(ROUTES_ID));
}

/** Providers that were configured after the order was stored come last. */
function toRoute(
  { configured }: RoutingDeps,
  method: RoutedMethod,
  stored: StoredRoutes | undefined,
): ProviderRoute {
  const defaultOrder = configured[method];
  const order = stored?.orders.get(method);
  const names = (order ?? []).filter((name) => defaultOrder.includes(name));
  const others = defaultOrder.filter((name) => !names.includes(name));
  const pausedOf = (name: string) =>
    stored?.paused.find((paused) => paused.method === method && paused.provider === name) ?? null;
  return {
    method,
    providers: [...names, ...others].map((name) => ({ name, paused: pausedOf(name) })),
    defaultOrder,
    isStored: order !== undefined,
  };
}

/** The routes of the methods that have a provider. */
async function list(deps: CachedDeps): Promise<readonly ProviderRoute[]> {
  const stored = await loadRoutes(runStatementIn(deps.db));
  return ROUTED_METHODS.map((method) => toRoute(deps, method, stored)).filter(
    ({ providers }) => providers.length > 0,
  );
}

/**
 * Returns the names of the providers that are paused for every method that they are configured for.
 */
async function findPaused(deps: CachedDeps): Promise<ReadonlySet<string>> {
  const routes = await Promise.all(ROUTED_METHODS.map((method) => findRoute(deps, method)));
  const providers = routes.flatMap((route) => route.providers);
  const called = new Set(providers.filter(({ paused }) => paused === null).map(({ name }) => name));
  return new Set(providers.map(({ name }) => name).filter((name) => !called.has(name)));
}

/** Sets the order of all providers of a method; null resets it to that of the environment. */
function setOrder(
  deps: CachedDeps,
  method: RoutedMethod,
  names: readonly string[] | null,
  author: Caller,
): Promise<ProviderRoute> {
  return change(deps, method, async (trx, before, at) => {
    if (names === null) await deleteOrder(trx, method);
    else await saveOrder(trx, method, names, at);
    const after = names ?? deps.configured[method];
    await recordAudit(trx, author, {
      action: 'provider.order-changed',
      recordType: 'provider',
      recordId: null,
      sellerId: null,
      at,
      before: {
        providers: { [method]: before.providers.map(({ name }) => name) },
        isDefault: !before.isStored,
      },
      after: {
        providers: { [method]: after },
        isDefault: names === null,
      },
    });
  });
}

interface PauseRequest {
  readonly method: RoutedMethod;
  readonly provider: string;
  readonly reason: string;
}

/** A provider that is paused already keeps its reason. */
function pause(
  deps: CachedDeps,
  { method, provider, reason }: PauseRequest,
  author: Caller,
): Promise<ProviderRoute> {
  return change(deps, method, async (trx, before, at) => {
    if (pausedIn(before, provider) !== null) return;
    await insertPaused(trx, {
      method,
      provider,
      reason,
      pausedBy: author.id,
      pausedByName: author.name,
      pausedAt: at,
    });
    await recordAudit(trx, author, {
      action: 'provider.paused',
      recordType: 'provider',
      recordId: null,
      sellerId: null,
      at,
      before: null,
      after: {
        method,
        provider,
        reason,
      },
    });
  });
}

function resume(
  deps: CachedDeps,
  { method, provider }: Pick<PauseRequest, 'method' | 'provider'>,
  author: Caller,
): Promise<ProviderRoute> {
  return change(deps, method, async (trx, before, at) => {
    const paused = pausedIn(before, provider);
    if (paused === null) return;
    await deletePaused(trx, method, provider);
    await recordAudit(trx, author, {
      action: 'provider.resumed',
      recordType: 'provider',
      recordId: null,
      sellerId: null,
      at,
      before: {
        method,
        provider,
        reason: paused.reason,
      },
      after: null,
    });
  });
}

const pausedIn = ({ providers }: ProviderRoute, provider: string): PausedProvider | null =>
  providers.find(({ name }) => name === provider)?.paused ?? null;

/** Changes a route, one change at a time. Returns it. */
async function change(
  deps: CachedDeps,
  method: RoutedMethod,
  work: (trx: DatabaseTransaction, before: ProviderRoute, at: Date) => Promise<void>,
): Promise<ProviderRoute> {
  const { db, clock, cache } = deps;
  const stored = await db.transaction().execute(async (trx) => {
    await lockRoutes(trx);
    await work(trx, toRoute(deps, method, await loadRoutes(runStatementIn(trx))), clock.now());
    await invalidateCaches(trx, [ROUTES_ID]);
    return loadRoutes(runStatementIn(trx));
  });
  // Requests that follow on this process find the change at once.
  cache.invalidate(new Set([ROUTES_ID]));
  return toRoute(deps, method, stored);
}
