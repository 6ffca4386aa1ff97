import { afterAll, beforeAll, expect, it } from 'vitest';

import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { openDatabase, type Database } from './connect.ts';
import { dedicatedConnection } from './dedicated-connection.ts';

let clone: TestDatabase;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  database = openDatabase({ url: clone.url, poolSize: 2, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

it('repeats all statements in progress on one new connection when the connection is lost', async () => {
  const run = dedicatedConnection(database, 'test');
  const backends = () =>
    clone.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'gateway test'`,
    );
  const statement = { name: 'slow', text: 'SELECT $1::integer AS number FROM pg_sleep(0.2)' };
  await run(statement, [0]);
  const [before] = await backends();
  const running = [1, 2, 3].map((number) => run<{ number: number }>(statement, [number]));
  await clone.query('SELECT pg_terminate_backend($1)', [before?.pid]);
  expect((await Promise.all(running)).flat()).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
  const after = await backends();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual([before]);
});
