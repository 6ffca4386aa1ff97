import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { FeesView } from '#sellers/fees/schema.ts';
import { isAdjustable, type AdjustableName, type AdjustableSettings } from './adjustable.ts';

/** The operator's settings for all sellers. */
export interface Settings {
  /** Withdrawals above this many cents need two ADMINs. Null: one ADMIN always suffices. */
  readonly twoPersonApprovalAbove: number | null;
  /** How many days a seller has to appeal a MED dispute. */
  readonly medWindowDays: number;
}

export async function findSettings(db: Db): Promise<Settings> {
  return toSettings(await selectSettings(db).executeTakeFirstOrThrow());
}

/** Locks the settings until the end of the transaction. */
export async function lockSettings(trx: DatabaseTransaction): Promise<Settings> {
  return toSettings(await selectSettings(trx).forUpdate().executeTakeFirstOrThrow());
}

const selectSettings = (db: Db) =>
  db.selectFrom('operator_settings').select(['two_person_approval_above', 'med_window_days']);

const toSettings = (row: {
  readonly two_person_approval_above: number | null;
  readonly med_window_days: number;
}): Settings => ({
  twoPersonApprovalAbove: row.two_person_approval_above,
  medWindowDays: row.med_window_days,
});

export async function saveSettings(trx: DatabaseTransaction, settings: Settings): Promise<void> {
  await trx
    .updateTable('operator_settings')
    .set({
      two_person_approval_above: settings.twoPersonApprovalAbove,
      med_window_days: settings.medWindowDays,
    })
    .execute();
}

/** Settings that override those of the environment. */
export type StoredSettings = Partial<AdjustableSettings>;

const LOAD_STORED: NamedStatement = {
  name: 'load-stored-settings',
  text: 'SELECT name, value FROM stored_settings LIMIT 100',
};

export async function loadStoredSettings(query: RunStatement): Promise<StoredSettings> {
  const rows = await query<{ readonly name: string; readonly value: number }>(LOAD_STORED, []);
  // An older version may have stored a setting that this one does not have.
  return Object.fromEntries(
    rows.filter(({ name }) => isAdjustable(name)).map(({ name, value }) => [name, value]),
  );
}

export async function saveStoredSetting(
  trx: DatabaseTransaction,
  name: AdjustableName,
  value: number,
  at: Date,
): Promise<void> {
  await trx
    .insertInto('stored_settings')
    .values({ name, value, updated_at: at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: at }))
    .execute();
}

export async function deleteStoredSetting(trx: DatabaseTransaction, name: AdjustableName): Promise<void> {
  await trx.deleteFrom('stored_settings').where('name', '=', name).execute();
}

/** The fees of new sellers; null: the built-in ones. */
export async function findDefaultFees(db: Db): Promise<FeesView | null> {
  const { rows } = await sql<{ fees: FeesView | null }>`
    SELECT default_fees AS fees FROM operator_settings`.execute(db);
  return rows[0]?.fees ?? null;
}

export async function saveDefaultFees(trx: DatabaseTransaction, fees: FeesView): Promise<void> {
  await trx
    .updateTable('operator_settings')
    .set({ default_fees: JSON.stringify(fees) })
    .execute();
}
