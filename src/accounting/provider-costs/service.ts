import type { FindChargeCosts } from '#accounting/ledger/service.ts';
import { recordAudit } from '#audit/service.ts';
import type { Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import {
  findCosts,
  findRates,
  insertCost,
  lockCosts,
  METHODS,
  type CostKey,
  type Method,
  type ProviderCost,
} from './store.ts';

interface ProviderCostsDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** The provider of payments that none reported, by method. */
  readonly defaultProviders: Awaited<ReturnType<FindChargeCosts>>['defaultProviders'];
  /** The configured providers of each method. */
  readonly providersOf: Readonly<Record<Method, readonly string[]>>;
}

/** A cost, or zero where none was ever set. */
export type CurrentCost = Omit<ProviderCost, 'since'> & { readonly since: Date | null };

export type ProviderCostsService = ReturnType<typeof createProviderCostsService>;

/** What the providers cost the operator for each charge. */
export const createProviderCostsService = (deps: ProviderCostsDeps) =>
  bindDeps(deps, { list, replace, findForCharges });

const keyOf = ({ provider, method }: CostKey): string => `${provider} ${method}`;

/** The current cost of each configured provider and method, and of those that had one. */
async function list({ db, providersOf }: ProviderCostsDeps): Promise<readonly CurrentCost[]> {
  const set = await findCosts(db);
  const known = new Set(set.map(keyOf));
  const unset = METHODS.flatMap((method) =>
    providersOf[method].map((provider) => ({ provider, method, fixed: 0, percentage: 0, since: null })),
  );
  return [...set, ...unset.filter((cost) => !known.has(keyOf(cost)))].toSorted((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  );
}

type ReplaceCostResult =
  | { readonly kind: 'replaced'; readonly costs: readonly CurrentCost[] }
  /** Neither configured for the method nor known from earlier costs. */
  | { readonly kind: 'unknown-provider'; readonly known: readonly string[] };

/** Changes the cost of the charges that are paid from now on. */
async function replace(
  deps: ProviderCostsDeps,
  change: Omit<ProviderCost, 'since'>,
  actor: AuditActor,
): Promise<ReplaceCostResult> {
  const { provider, method, fixed, percentage } = change;
  const costs = await list(deps);
  const known = costs.filter((cost) => cost.method === method).map((cost) => cost.provider);
  if (!known.includes(provider)) return { kind: 'unknown-provider', known };
  await deps.db.transaction().execute(async (trx) => {
    await lockCosts(trx);
    const current = (await findCosts(trx)).find((cost) => keyOf(cost) === keyOf(change));
    const before = { fixed: current?.fixed ?? 0, percentage: current?.percentage ?? 0 };
    if (before.fixed === fixed && before.percentage === percentage) return;
    const at = deps.clock.now();
    await insertCost(trx, { ...change, since: at });
    await recordAudit(trx, actor, {
      action: 'provider-cost.replaced',
      recordType: 'provider-cost',
      recordId: `${provider}/${method}`,
      sellerId: null,
      before,
      after: { fixed, percentage },
      at,
    });
  });
  return { kind: 'replaced', costs: await list(deps) };
}

/** What is needed to compute the costs of charges of any day. */
const findForCharges = async (
  { defaultProviders }: ProviderCostsDeps,
  db: Db,
): ReturnType<FindChargeCosts> => ({ rates: await findRates(db), defaultProviders });
