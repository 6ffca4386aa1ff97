import { recordAudit } from '#audit/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { DEFAULT_FEES, type FeeSchedule } from '#sellers/fees/schedule.ts';
import { parseFees, viewFees } from '#sellers/fees/schema.ts';
import {
  findDefaultFees,
  findSettings,
  lockSettings,
  saveDefaultFees,
  saveSettings,
  type Settings,
} from './store.ts';

export type { Settings } from './store.ts';

interface SettingsDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService(db: Db, clock: Clock) {
  const deps: SettingsDeps = { db, clock };
  return bindDeps(deps, { get, replace, within, getDefaultFees, replaceDefaultFees });
}

/**
 * How many ADMINs must approve a withdrawal of this amount. Reads the limit in the transaction of
 * the decision, so that the current limit applies, not that of the request.
 */
export async function approvalsNeeded(trx: DatabaseTransaction, amountCents: number): Promise<1 | 2> {
  return calculateApprovalsNeeded(await findSettings(trx), amountCents);
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

/** The changes in a transaction of the caller. */
const within = (deps: SettingsDeps, trx: DatabaseTransaction) => bindDeps({ ...deps, db: trx }, { replace });

/** Settings that are not named keep their values. Returns all of them. */
async function replace(
  { db, clock }: SettingsDeps,
  changes: Partial<Settings>,
  actor: AuditActor,
): Promise<Settings> {
  return inTransaction(db, async (trx) => {
    const before = await lockSettings(trx);
    const settings = { ...before, ...changes };
    await saveSettings(trx, settings);
    await recordAudit(trx, actor, {
      action: 'settings.updated',
      recordType: 'settings',
      recordId: null,
      sellerId: null,
      before: { ...before },
      after: { ...settings },
      at: clock.now(),
    });
    return settings;
  });
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
