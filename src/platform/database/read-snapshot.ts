import type { DatabaseTransaction, Db } from './connect.ts';

/** Runs statements that read one snapshot of the database. */
export const readSnapshot = <Result>(
  db: Db,
  read: (trx: DatabaseTransaction) => Promise<Result>,
): Promise<Result> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
