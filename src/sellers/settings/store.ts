import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { FeesView } from '#sellers/fees/schema.ts';

/** The operator's settings for all sellers. */
export interface Settings {
  /** Withdrawals above this many cents need two ADMINs. Null: one ADMIN always suffices. */
  readonly twoPersonApprovalAbove: number | null;
  /** How many days a seller has to contest a MED dispute. */
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
