import type { Db } from '#platform/database/connect.ts';

/** What the operator sets for all sellers. */
export interface Settings {
  /** A withdrawal of more cents than this needs two ADMINs; null: one is always enough. */
  readonly twoPersonApprovalAbove: number | null;
}

export async function findSettings(db: Db): Promise<Settings> {
  const row = await db
    .selectFrom('operator_settings')
    .select('two_person_approval_above')
    .executeTakeFirstOrThrow();
  return { twoPersonApprovalAbove: row.two_person_approval_above };
}

/** As they are, kept from others until the end of the transaction. */
export async function lockSettings(trx: Db): Promise<Settings> {
  const row = await trx
    .selectFrom('operator_settings')
    .select('two_person_approval_above')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { twoPersonApprovalAbove: row.two_person_approval_above };
}

export async function saveSettings(trx: Db, settings: Settings): Promise<void> {
  await trx
    .updateTable('operator_settings')
    .set({ two_person_approval_above: settings.twoPersonApprovalAbove })
    .execute();
}
