import { Transaction } from 'kysely';

import type { DatabaseTransaction, Db } from './connect.ts';

/** Runs work in the given transaction, or in one of its own. */
export const inTransaction = <T>(db: Db, work: (trx: DatabaseTransaction) => Promise<T>): Promise<T> =>
  db instanceof Transaction ? work(db) : db.transaction().execute(work);
