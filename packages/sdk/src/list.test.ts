import { expect, it } from 'vitest';

import { List } from './list.ts';

it('reads records beyond a capped count, of a list that is paged by skip', async () => {
  const requested: unknown[] = [];
  const records = [1, 2, 3, 4, 5].map((number) => ({ id: String(number) }));
  const list = new List<{ readonly id: string }>(async ({ query = {} }) => {
    requested.push(query);
    const skip = 'skip' in query ? Number(query.skip) : 0;
    // The gateway stops counting at 4.
    return { data: { data: records.slice(skip, skip + 2), count: 4, countCapped: true, take: 2, skip } };
  }, '/disputes');
  expect(await list.toArray()).toEqual(records);
  expect(requested).toEqual([{}, { skip: 2 }, { skip: 4 }, { skip: 5 }]);
});
