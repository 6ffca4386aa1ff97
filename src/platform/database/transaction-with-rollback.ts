import type { DatabaseTransaction, Db } from './connect.ts';

/** The result of work whose transaction is rolled back. */
export interface RolledBack<T> {
  readonly rolledBack: T;
}

export const rollback = <T>(result: T): RolledBack<T> => ({ rolledBack: result });

/** Runs work in a transaction, and rolls it back if the work returns `rollback(result)`. */
export async function transactionWithRollback<T extends object>(
  db: Db,
  work: (trx: DatabaseTransaction) => Promise<T | RolledBack<T>>,
): Promise<T> {
  let result: T | undefined;
  try {
    return await db.transaction().execute(async (trx) => {
      const outcome = await work(trx);
      if (!('rolledBack' in outcome)) return outcome;
      result = outcome.rolledBack;
      throw new RollbackSignal();
    });
  } catch (error) {
    if (error instanceof RollbackSignal && result !== undefined) return result;
    throw error;
  }
}

class RollbackSignal extends Error {}
