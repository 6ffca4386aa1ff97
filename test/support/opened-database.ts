import { afterAll, beforeAll } from 'vitest';

import { openDatabase, type Database, type Db } from '#platform/database/connect.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';

/** A database for the tests of a file, which have it once they run. */
export interface OpenedDatabase extends Pick<TestDatabase, 'query'> {
  readonly database: Database;
  readonly db: Db;
}

/** Opens a migrated database before the tests of a file, and drops it after them. */
export function useDatabase(poolSize = 4): OpenedDatabase {
  let clone: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    clone = await cloneDatabase();
    database = openDatabase({ url: clone.url, poolSize, onError: () => undefined });
  });
  afterAll(async () => {
    await database.close();
    await clone.drop();
  });
  return {
    get database() {
      return database;
    },
    get db() {
      return database.db;
    },
    query: (text, values) => clone.query(text, values),
  };
}
