import type { Mode } from '#platform/config/settings.ts';
import type { Db } from './connect.ts';

/** The database belongs to another MODE. */
class WrongModeError extends Error {
  override readonly name = 'WrongModeError';

  constructor(made: string, mode: Mode) {
    super(
      `the database was created with MODE=${made} and cannot be used with MODE=${mode}: ` +
        `set MODE=${made}, or use another database`,
    );
  }
}

/**
 * Sets the mode of a new database for good. Simulated money must never be paid out, so that a
 * database of the sandbox stays one.
 *
 * @throws WrongModeError if the database belongs to another mode.
 */
export async function claimDatabaseMode(db: Db, mode: Mode): Promise<void> {
  await db
    .insertInto('database_mode')
    .values({ mode })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await checkDatabaseMode(db, mode);
}

/** @throws WrongModeError if the database belongs to another mode. A new one belongs to none. */
export async function checkDatabaseMode(db: Db, mode: Mode): Promise<void> {
  const row = await db.selectFrom('database_mode').select('mode').executeTakeFirst();
  if (row !== undefined && row.mode !== mode) throw new WrongModeError(row.mode, mode);
}
