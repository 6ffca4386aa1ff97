import { expect, it, vi } from 'vitest';

import { useDatabase } from '#test/support/opened-database.ts';
import { dedicatedConnection, sellerConnection } from './dedicated-connection.ts';

const opened = useDatabase();

it('repeats all statements in progress on one new connection when the connection is lost', async () => {
  const run = dedicatedConnection(opened.database, 'test');
  const backends = () =>
    opened.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'gateway test'`,
    );
  const statement = { name: 'slow', text: 'SELECT $1::integer AS number FROM pg_sleep(0.2)' };
  await run(statement, [0]);
  const [before] = await backends();
  const running = [1, 2, 3].map((number) => run<{ number: number }>(statement, [number]));
  await opened.query('SELECT pg_terminate_backend($1)', [before?.pid]);
  expect((await Promise.all(running)).flat()).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
  const after = await backends();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual([before]);
});

it('commits nothing of a transaction if one of the statements that were sent together fails', async () => {
  await opened.query('CREATE TABLE numbers (number integer PRIMARY KEY)');
  const connection = sellerConnection<number>(opened.database, { name: 'parts', sellerOf: String });
  const insert = { name: 'insert-number', text: 'INSERT INTO numbers VALUES ($1) RETURNING number' };
  const insertAll = (numbers: readonly number[]) =>
    connection.runInTransaction(numbers, (query) =>
      Promise.all(
        numbers.map(async (number) => {
          await query(insert, [number]);
          return number;
        }),
      ),
    );
  await expect(insertAll([1, 2, 2, 3])).rejects.toMatchObject({ code: '23505' });
  expect(await insertAll([4, 5])).toEqual([4, 5]);
  expect(await opened.query('SELECT number FROM numbers ORDER BY number')).toEqual([
    { number: 4 },
    { number: 5 },
  ]);
});

it('discards plans more rarely as it ages', async () => {
  let seconds = 0;
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => 1_000 * seconds);
  const { database } = opened;
  const spies: { readonly mock: { readonly calls: readonly (readonly unknown[])[] } }[] = [];
  const connectDedicated: typeof database.connectDedicated = async (name) => {
    const client = await database.connectDedicated(name);
    spies.push(vi.spyOn(client, 'query'));
    return client;
  };
  const countDiscards = () =>
    spies.flatMap(({ mock }) => mock.calls).filter(([text]) => text === 'DISCARD PLANS').length;
  const run = dedicatedConnection({ ...database, connectDedicated }, 'aging');
  const discardedAt: number[] = [];
  for (; seconds < 200; seconds += 1) {
    const before = countDiscards();
    await run({ name: 'one', text: 'SELECT 1' }, []);
    if (countDiscards() > before) discardedAt.push(seconds);
  }
  expect(discardedAt).toEqual([5, 15, 35, 75, 135, 195]);
});
