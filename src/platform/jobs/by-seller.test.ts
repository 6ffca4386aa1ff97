import { expect, it } from 'vitest';

import { runBySeller } from './by-seller.ts';

const ITEMS = ['a', 'b', 'a', 'c'].map((sellerId, n) => ({ sellerId, n }));

it('does the work of other sellers if rows of one are locked, and then throws', async () => {
  const done: number[] = [];
  const error = Object.assign(new Error('lock timeout'), { code: '55P03' });
  let attempts = 0;
  const work = async ({ sellerId, n }: (typeof ITEMS)[number]) => {
    if (sellerId === 'a') {
      attempts += 1;
      throw error;
    }
    done.push(n);
  };
  await expect(runBySeller(ITEMS, work)).rejects.toBe(error);
  expect(done).toEqual([1, 3]);
  expect(attempts).toBe(1);
});

it('does all other work if one item fails for another reason', async () => {
  const done: number[] = [];
  const work = async ({ n }: (typeof ITEMS)[number]) => {
    if (n === 0) throw new Error('invalid');
    done.push(n);
  };
  await expect(runBySeller(ITEMS, work)).rejects.toThrow('invalid');
  expect(done).toEqual([1, 2, 3]);
});
