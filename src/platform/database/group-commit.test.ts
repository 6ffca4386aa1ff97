import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Batcher } from './group-commit.ts';
import { OverloadError } from './errors.ts';

/** An error as the driver gives it: with a SQLSTATE. */
const databaseError = (code: string): Error => Object.assign(new Error(`database says ${code}`), { code });

interface Call<Item> {
  readonly lane: number;
  readonly items: readonly Item[];
  readonly answer: (outcomes: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

/** A batch whose runs wait until the test answers them. */
function held(options: { concurrency: number; maxItems?: number; maxWaiting?: number }) {
  const calls: Call<number>[] = [];
  const batch = new Batcher<number, string>({
    ...options,
    run: (lane, items) =>
      new Promise((resolve, reject) => {
        calls.push({ lane, items, answer: resolve, fail: reject });
      }),
  });
  const answer = (index: number) => calls[index]?.answer(calls[index].items.map((item) => `done ${item}`));
  return { batch, calls, answer };
}

/** Lets everything that can happen by itself happen. */
const settle = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('a batch', () => {
  it('takes one caller at once when it is idle: nobody waits for company', () => {
    const { batch, calls } = held({ concurrency: 1 });
    void batch.add(1);
    expect(calls.map((call) => call.items)).toEqual([[1]]);
  });

  it('gathers those who come while its lane is busy into the next run', async () => {
    const { batch, calls, answer } = held({ concurrency: 1 });
    const added = range(1, 6).map((item) => batch.add(item));
    expect(calls.map((call) => call.items)).toEqual([[1]]);
    answer(0);
    await settle();
    expect(calls.map((call) => call.items)).toEqual([[1], [2, 3, 4, 5, 6]]);
    answer(1);
    expect(await Promise.all(added)).toEqual(range(1, 6).map((item) => `done ${item}`));
  });

  it('begins the next run before the callers of the last go on', async () => {
    const { batch, calls, answer } = held({ concurrency: 1 });
    const begunBefore = batch.add(1).then(() => calls.length);
    void batch.add(2);
    answer(0);
    expect(await begunBefore).toBe(2);
  });

  it('runs no more than its lanes at once, each lane one run at a time', async () => {
    const { batch, calls, answer } = held({ concurrency: 2 });
    for (const item of range(1, 10)) void batch.add(item);
    expect(calls.map((call) => call.items)).toEqual([[1], [2]]);
    expect(new Set(calls.map((call) => call.lane))).toEqual(new Set([0, 1]));
    answer(1);
    await settle();
    expect(calls).toHaveLength(3);
    expect(calls[2]).toMatchObject({ lane: calls[1]?.lane, items: range(3, 10) });
    answer(0);
    await settle();
    expect(calls).toHaveLength(3);
    void batch.add(11);
    expect(calls[3]).toMatchObject({ lane: calls[0]?.lane, items: [11] });
  });

  it('puts no more items into a run than it may, in the order in which they came', async () => {
    const { batch, calls, answer } = held({ concurrency: 1, maxItems: 4 });
    const added = range(1, 11).map((item) => batch.add(item));
    for (let i = 0; i < 4; i += 1) {
      answer(i);
      await settle();
    }
    expect(calls.map((call) => call.items)).toEqual([[1], range(2, 5), range(6, 9), [10, 11]]);
    expect(await Promise.all(added)).toEqual(range(1, 11).map((item) => `done ${item}`));
  });

  it('puts at most 256 into one run unless told', async () => {
    const { batch, calls, answer } = held({ concurrency: 1 });
    for (const item of range(1, 600)) void batch.add(item);
    answer(0);
    await settle();
    expect(calls[1]?.items).toHaveLength(256);
  });

  it('gives each caller the outcome of their own item, whatever the load', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 9 }),
        async (pauses, lanes, maxItems) => {
          const sizes: number[] = [];
          const batch = new Batcher<number, number>({
            concurrency: lanes,
            maxItems,
            run: async (_lane, items) => {
              sizes.push(items.length);
              await settle();
              return items.map((item) => item * 2);
            },
          });
          const added: Promise<number>[] = [];
          for (const [item, pause] of pauses.entries()) {
            added.push(batch.add(item));
            for (let i = 0; i < pause; i += 1) await settle();
          }
          expect(await Promise.all(added)).toEqual(pauses.map((_, item) => item * 2));
          expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(maxItems);
          expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(pauses.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Fails every run that contains a poisonous item, as one statement does. */
function poisoned(code: string, poison: ReadonlySet<number>) {
  const runs: (readonly number[])[] = [];
  const batch = new Batcher<number, string>({
    concurrency: 1,
    run: async (_lane, items) => {
      runs.push(items);
      await settle();
      if (items.some((item) => poison.has(item))) throw databaseError(code);
      return items.map((item) => `done ${item}`);
    },
  });
  return { batch, runs };
}

describe('a poisonous item', () => {
  it.each(['22021', '22P02', '22P05', '23514', '23505', '54000'])(
    'fails alone: its neighbours of the same run are done (%s)',
    async (code) => {
      const { batch } = poisoned(code, new Set([13]));
      const outcomes = await Promise.allSettled(range(0, 40).map((item) => batch.add(item)));
      expect(outcomes[13]).toMatchObject({ status: 'rejected', reason: { code } });
      const others = range(0, 40).filter((item) => item !== 13);
      expect(others.map((item) => outcomes[item])).toEqual(
        others.map((item) => ({ status: 'fulfilled', value: `done ${item}` })),
      );
    },
  );

  it('is found by halving, so that one costs a handful of runs and not one for each neighbour', async () => {
    const { batch, runs } = poisoned('22021', new Set([100]));
    await Promise.allSettled(range(0, 256).map((item) => batch.add(item)));
    expect(runs.length).toBeLessThanOrEqual(2 + 2 * 9);
  });

  it('among many others like it leaves the rest done, in any arrangement', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (bad) => {
        const poison = new Set(bad.flatMap((isBad, item) => (isBad ? [item] : [])));
        const { batch } = poisoned('22021', poison);
        const outcomes = await Promise.allSettled(bad.map((_, item) => batch.add(item)));
        expect(outcomes.map((outcome) => outcome.status === 'rejected')).toEqual(bad);
      }),
      { numRuns: 60 },
    );
  });

  it('does not stop the batch: the next callers are served', async () => {
    const { batch } = poisoned('22021', new Set([1]));
    await expect(batch.add(1)).rejects.toThrow('22021');
    expect(await batch.add(2)).toBe('done 2');
  });
});

describe('a lane that fails', () => {
  it.each([
    ['the connection broke', databaseError('57P01')],
    ['the socket broke', databaseError('ECONNRESET')],
    ['a statement is wrong', databaseError('42601')],
    ['there is no code', new Error('away')],
  ])('because %s fails all of its run, once, and then goes on', async (_name, error) => {
    const { batch, calls, answer } = held({ concurrency: 1 });
    const added = range(1, 5).map((item) => batch.add(item));
    answer(0);
    await settle();
    const failed = Promise.allSettled(added.slice(1));
    calls[1]?.fail(error);
    for (const outcome of await failed) expect(outcome).toEqual({ status: 'rejected', reason: error });
    expect(calls).toHaveLength(2);
    const next = batch.add(6);
    answer(2);
    expect(await next).toBe('done 6');
  });

  it('leaves the other lanes alone', async () => {
    const { batch, calls, answer } = held({ concurrency: 2 });
    const [one, two] = [batch.add(1), batch.add(2)];
    calls[0]?.fail(new Error('away'));
    await expect(one).rejects.toThrow('away');
    answer(1);
    expect(await two).toBe('done 2');
  });

  it('by throwing at once is the same as failing', async () => {
    const batch = new Batcher<number, string>({
      concurrency: 1,
      run: () => {
        throw new Error('at once');
      },
    });
    await expect(batch.add(1)).rejects.toThrow('at once');
    await expect(batch.add(2)).rejects.toThrow('at once');
  });

  it('by answering too few outcomes is told to those who lack one', async () => {
    const { batch, calls, answer } = held({ concurrency: 1 });
    const added = range(1, 3).map((item) => batch.add(item));
    answer(0);
    await settle();
    calls[1]?.answer(['done 2']);
    expect(await added[1]).toBe('done 2');
    await expect(added[2]).rejects.toThrow('fewer outcomes');
  });
});

describe('overload', () => {
  it('refuses at once whoever would wait behind too many, and nobody else', async () => {
    const { batch, calls, answer } = held({ concurrency: 1, maxWaiting: 3 });
    const taken = range(1, 4).map((item) => batch.add(item));
    await expect(batch.add(5)).rejects.toBeInstanceOf(OverloadError);
    await expect(batch.add(6)).rejects.toBeInstanceOf(OverloadError);
    answer(0);
    await settle();
    const after = batch.add(7);
    answer(1);
    await settle();
    answer(2);
    expect(await Promise.all([...taken, after])).toEqual([1, 2, 3, 4, 7].map((item) => `done ${item}`));
    expect(calls.flatMap((call) => call.items)).toEqual([1, 2, 3, 4, 7]);
  });
});
