import { recordAudit } from '#audit/service.ts';
import { invalidateCaches } from '#platform/database/cache-invalidations.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import type { RecordCaches } from '#platform/database/record-caches.ts';
import { runStatementIn } from '#platform/database/statements.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { RecordCache } from '#platform/kit/record-cache.ts';
import { DEFAULT_FEES, type FeeSchedule } from '#sellers/fees/schedule.ts';
import { parseFees, viewFees } from '#sellers/fees/schema.ts';
import {
  ADJUSTABLE_NAMES,
  mapAdjustable,
  type AdjustableName,
  type AdjustableSettings,
} from './adjustable.ts';
import {
  deleteStoredSetting,
  findDefaultFees,
  findSettings,
  loadStoredSettings,
  lockSettings,
  saveDefaultFees,
  saveSettings,
  saveStoredSetting,
  type Settings,
  type StoredSettings,
} from './store.ts';

export type { Settings } from './store.ts';

/** The cache id of stored settings. */
const SETTINGS_ID = '00000000-0000-4000-8000-000000000001';

export interface SettingsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly caches: RecordCaches;
  /** The settings of the environment, which apply if none is stored. */
  readonly environment: AdjustableSettings;
}

interface CachedDeps extends SettingsDeps {
  readonly cache: RecordCache<string, StoredSettings>;
}

export type SettingsService = ReturnType<typeof createSettingsService>;

/** The operator's settings for all sellers. */
export function createSettingsService(deps: SettingsDeps) {
  const cache = deps.caches.create<StoredSettings>({
    name: 'stored settings',
    tables: [],
    load: async (query, keys) => {
      const stored = await loadStoredSettings(query);
      return new Map(keys.map((key) => [key, stored]));
    },
    idsOf: () => [SETTINGS_ID],
  });
  return bindDeps({ ...deps, cache }, { ...USES, withTransaction });
}

/** The window of the Central Bank's rules, in days. */
export const DEFAULT_MED_WINDOW_DAYS = 3;

/** A setting is reset to that of the environment by null. */
export type SettingChanges = Partial<Settings> & { readonly [Name in AdjustableName]?: number | null };

/** An adjustable setting, as the operator sees it. */
interface AdjustedSetting {
  readonly name: AdjustableName;
  readonly value: number;
  /** The value that applies if none is stored. */
  readonly default: number;
  readonly isStored: boolean;
}

/**
 * How many ADMINs must approve the payment of this amount. Reads the limit in the transaction of
 * the decision, so that the current limit applies, not that of the request.
 */
export async function approvalsNeeded(db: Db, amountCents: number): Promise<1 | 2> {
  return calculateApprovalsNeeded(await findSettings(db), amountCents);
}

export function calculateApprovalsNeeded(
  { twoPersonApprovalAbove: limit }: Settings,
  amountCents: number,
): 1 | 2 {
  return limit !== null && amountCents > limit ? 2 : 1;
}

function get({ db }: SettingsDeps): Promise<Settings> {
  return findSettings(db);
}

/** The values of the adjustable settings that apply now, at most a second old. */
async function getAdjustable({ cache, environment }: CachedDeps): Promise<AdjustableSettings> {
  return { ...environment, ...(await cache.get(SETTINGS_ID)) };
}

async function listAdjusted({ db, environment }: SettingsDeps): Promise<readonly AdjustedSetting[]> {
  const stored = await loadStoredSettings(runStatementIn(db));
  return ADJUSTABLE_NAMES.map((name) => ({
    name,
    value: stored[name] ?? environment[name],
    default: environment[name],
    isStored: stored[name] !== undefined,
  }));
}

/** Settings that are not named keep their values. */
async function change(
  { db, clock, cache, environment }: CachedDeps,
  changes: SettingChanges,
  actor: AuditActor,
): Promise<Settings> {
  const { twoPersonApprovalAbove, medWindowDays, ...adjusted } = changes;
  const at = clock.now();
  const settings = await inTransaction(db, async (trx) => {
    const before = await lockSettings(trx);
    const after = {
      twoPersonApprovalAbove:
        twoPersonApprovalAbove === undefined ? before.twoPersonApprovalAbove : twoPersonApprovalAbove,
      medWindowDays: medWindowDays ?? before.medWindowDays,
    };
    await saveSettings(trx, after);
    const stored = await loadStoredSettings(runStatementIn(trx));
    const valueOf = (name: AdjustableName) => {
      const value = adjusted[name];
      return value === undefined ? (stored[name] ?? environment[name]) : (value ?? environment[name]);
    };
    for (const name of ADJUSTABLE_NAMES) {
      const value = adjusted[name];
      if (value === null) await deleteStoredSetting(trx, name);
      else if (value !== undefined) await saveStoredSetting(trx, name, value, at);
    }
    await recordAudit(trx, actor, {
      action: 'settings.updated',
      recordType: 'settings',
      recordId: null,
      sellerId: null,
      before: { ...before, ...environment, ...stored },
      after: { ...after, ...mapAdjustable(valueOf) },
      at,
    });
    await invalidateCaches(trx, [SETTINGS_ID]);
    return after;
  });
  // Requests that follow on this process find the change at once.
  cache.invalidate(new Set([SETTINGS_ID]));
  return settings;
}

/** The fees of new sellers. */
const getDefaultFees = ({ db }: SettingsDeps): Promise<FeeSchedule> => defaultFees(db);

export async function defaultFees(db: Db): Promise<FeeSchedule> {
  const stored = await findDefaultFees(db);
  return stored === null ? DEFAULT_FEES : parseFees(stored);
}

async function replaceDefaultFees(
  { db, clock }: SettingsDeps,
  fees: FeeSchedule,
  actor: AuditActor,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockSettings(trx);
    const before = await defaultFees(trx);
    await saveDefaultFees(trx, viewFees(fees));
    await recordAudit(trx, actor, {
      action: 'fees.replaced',
      recordType: 'fees',
      recordId: null,
      sellerId: null,
      before: { ...viewFees(before) },
      after: { ...viewFees(fees) },
      at: clock.now(),
    });
  });
}

const USES = { get, getAdjustable, listAdjusted, change, getDefaultFees, replaceDefaultFees };

/** The changes in a transaction of the caller. */
const withTransaction = (deps: CachedDeps, trx: DatabaseTransaction) =>
  bindDeps({ ...deps, db: trx }, { change });
