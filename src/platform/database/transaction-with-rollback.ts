import type { Db } from './connect.ts';

/** Work that says of itself that nothing of it shall stay. */
export interface Undone<T> {
  readonly undone: T;
}

export const undo = <T>(undone: T): Undone<T> => ({ undone });

/** Runs work in a transaction that is undone where the work says so. */
export async function undoable<T extends object>(
  db: Db,
  work: (within: Db) => Promise<T | Undone<T>>,
): Promise<T> {
  let result: T | undefined;
  try {
    return await db.transaction().execute(async (within) => {
      const done = await work(within);
      if (!('undone' in done)) return done;
      result = done.undone;
      throw new Undo();
    });
  } catch (error) {
    if (error instanceof Undo && result !== undefined) return result;
    throw error;
  }
}

class Undo extends Error {}
