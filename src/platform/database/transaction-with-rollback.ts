import type { DatabaseTransaction, Db } from './connect.ts';

/** Work that says of itself that nothing of it shall stay. */
export interface RolledBack<T> {
  readonly rolledBack: T;
}

export const rollback = <T>(result: T): RolledBack<T> => ({ rolledBack: result });

/** Runs work in a transaction that is undone where the work says so. */
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
