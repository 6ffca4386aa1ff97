import { setTimeout as sleep } from 'node:timers/promises';

import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
import { OverloadError } from './errors.ts';

/** An error of the driver, with a SQLSTATE. */
const databaseError = (code: string): Error => Object.assign(new Error(`database says ${code}`), { code });

interface Call<Item> {
  readonly items: readonly Item[];
  readonly respond: (outcomes: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

/** A group commit whose statements wait until the test resolves them. */
function held(options: Omit<GroupCommitOptions<number, string>, 'run'> = {}) {
  const calls: Call<number>[] = [];
  const groupCommit = new GroupCommit<number, string>({
    ...options,
    run: (items) =>
      new Promise((resolve, reject) => {
        calls.push({ items, respond: resolve, fail: reject });
      }),
  });
  const respond = (index: number) => calls[index]?.respond(calls[index].items.map((item) => `done ${item}`));
  return { groupCommit, calls, respond };
}

/** Runs all pending microtasks and immediates. */
const settle = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Adds the first item, whose statement starts, and then the others. */
async function addWhileBusy(
  groupCommit: GroupCommit<number, string>,
  [first = 0, ...others]: readonly number[],
): Promise<{ readonly added: readonly Promise<string>[] }> {
  const added = [groupCommit.add(first)];
  await settle();
  return { added: [...added, ...others.map((item) => groupCommit.add(item))] };
}

describe('GroupCommit', () => {
  it('starts a statement for the items that were added together while idle', async () => {
    const { groupCommit, calls } = held();
    for (const item of range(1, 3)) void groupCommit.add(item);
    await settle();
    expect(calls.map((call) => call.items)).toEqual([[1, 2, 3]]);
  });

  it('starts with half of many items if configured, and continues with all others', async () => {
    const { groupCommit, calls, respond } = held({ startsWithHalf: true });
    const added = range(1, 17).map((item) => groupCommit.add(item));
    await settle();
    expect(calls.map((call) => call.items)).toEqual([range(1, 9)]);
    added.push(...range(18, 37).map((item) => groupCommit.add(item)));
    respond(0);
    await settle();
    expect(calls.map((call) => call.items)).toEqual([range(1, 9), range(10, 37)]);
    respond(1);
    expect(await Promise.all(added)).toEqual(range(1, 37).map((item) => `done ${item}`));
  });

  it('starts with all of a few items', async () => {
    const { groupCommit, calls } = held({ startsWithHalf: true });
    for (const item of range(1, 15)) void groupCommit.add(item);
    await settle();
    expect(calls.map((call) => call.items)).toEqual([range(1, 15)]);
  });

  it('starts the queue of a node with all items', async () => {
    const batches: (readonly number[])[] = [];
    const groupCommit = new GroupCommit<number, string>({
      startsWithHalf: true,
      nodeOf: (item) => (item > 16 ? 'node' : ''),
      run: async (items) => {
        batches.push(items);
        return items.map(String);
      },
    });
    await Promise.all(range(1, 32).map((item) => groupCommit.add(item)));
    expect(batches).toHaveLength(3);
    for (const batch of [range(1, 8), range(9, 16), range(17, 32)]) expect(batches).toContainEqual(batch);
  });

  it('starts a statement for a node 10 ms after one of 8 or more items at the earliest', async () => {
    let nowMs = 1_000;
    using _ = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const { groupCommit, calls, respond } = held({ nodeOf: () => 'node', maxItems: 20 });
    const sizes = () => calls.map(({ items }) => items.length);
    await addWhileBusy(groupCommit, range(1, 9));
    respond(0);
    await settle();
    expect(sizes()).toEqual([1, 8]);
    await addWhileBusy(groupCommit, range(10, 12));
    respond(1);
    nowMs += 9;
    await sleep(5);
    expect(sizes()).toEqual([1, 8]);
    nowMs += 1;
    await vi.waitFor(() => expect(sizes()).toEqual([1, 8, 3]));
    await addWhileBusy(groupCommit, range(13, 22));
    respond(2);
    await settle();
    expect(sizes()).toEqual([1, 8, 3, 10]);
    // As many as a statement can have do not wait for more.
    await addWhileBusy(groupCommit, range(23, 42));
    respond(3);
    await settle();
    expect(sizes()).toEqual([1, 8, 3, 10, 20]);
  });

  it('executes items that are added while busy in the next statement', async () => {
    const { groupCommit, calls, respond } = held();
    const { added } = await addWhileBusy(groupCommit, range(1, 6));
    expect(calls.map((call) => call.items)).toEqual([[1]]);
    respond(0);
    await settle();
    expect(calls.map((call) => call.items)).toEqual([[1], [2, 3, 4, 5, 6]]);
    respond(1);
    expect(await Promise.all(added)).toEqual(range(1, 6).map((item) => `done ${item}`));
  });

  it('starts the next statement before the callers of the ended one continue', async () => {
    const { groupCommit, calls, respond } = held();
    const begunBefore = groupCommit.add(1).then(() => calls.length);
    await settle();
    void groupCommit.add(2);
    respond(0);
    expect(await begunBefore).toBe(2);
  });

  it('never runs two statements at once, however many items are added', async () => {
    const { groupCommit, calls, respond } = held();
    await addWhileBusy(groupCommit, range(1, 10));
    expect(calls.map((call) => call.items)).toEqual([[1]]);
    respond(0);
    await settle();
    expect(calls.map((call) => call.items)).toEqual([[1], range(2, 10)]);
    respond(1);
    await settle();
    expect(calls).toHaveLength(2);
    void groupCommit.add(11);
    await settle();
    expect(calls[2]).toMatchObject({ items: [11] });
  });

  it('fills statements up to maxItems, in order of arrival', async () => {
    const { groupCommit, calls, respond } = held({ maxItems: 4 });
    const { added } = await addWhileBusy(groupCommit, range(1, 11));
    for (let i = 0; i < 4; i += 1) {
      respond(i);
      await settle();
    }
    expect(calls.map((call) => call.items)).toEqual([[1], range(2, 5), range(6, 9), [10, 11]]);
    expect(await Promise.all(added)).toEqual(range(1, 11).map((item) => `done ${item}`));
  });

  it('puts at most 256 items into one statement by default', async () => {
    const { groupCommit, calls, respond } = held();
    await addWhileBusy(groupCommit, range(1, 600));
    respond(0);
    await settle();
    expect(calls[1]?.items).toHaveLength(256);
  });

  it('returns to each caller the outcome of its own item under any load', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (pauses, maxItems) => {
          const sizes: number[] = [];
          const groupCommit = new GroupCommit<number, number>({
            maxItems,
            run: async (items) => {
              sizes.push(items.length);
              await settle();
              return items.map((item) => item * 2);
            },
          });
          const added: Promise<number>[] = [];
          for (const [item, pause] of pauses.entries()) {
            added.push(groupCommit.add(item));
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

/** Fails every statement that contains an invalid item, as PostgreSQL does. */
function withInvalidItems(code: string, invalid: ReadonlySet<number>) {
  const runs: (readonly number[])[] = [];
  const groupCommit = new GroupCommit<number, string>({
    run: async (items) => {
      runs.push(items);
      await settle();
      if (items.some((item) => invalid.has(item))) throw databaseError(code);
      return items.map((item) => `done ${item}`);
    },
  });
  return { groupCommit, runs };
}

describe('GroupCommit, an invalid item', () => {
  it.each(['22021', '22P02', '22P05', '23514', '23505', '54000'])(
    'fails alone; the other items of its statement succeed (%s)',
    async (code) => {
      const { groupCommit } = withInvalidItems(code, new Set([13]));
      const outcomes = await Promise.allSettled(range(0, 40).map((item) => groupCommit.add(item)));
      expect(outcomes[13]).toMatchObject({ status: 'rejected', reason: { code } });
      const others = range(0, 40).filter((item) => item !== 13);
      expect(others.map((item) => outcomes[item])).toEqual(
        others.map((item) => ({ status: 'fulfilled', value: `done ${item}` })),
      );
    },
  );

  it('is found by halving, so that it costs a few statements and not one for each item', async () => {
    const { groupCommit, runs } = withInvalidItems('22021', new Set([100]));
    await Promise.allSettled(range(0, 256).map((item) => groupCommit.add(item)));
    expect(runs.length).toBeLessThanOrEqual(2 + 2 * 9);
  });

  it('does not fail valid items, however many are invalid and in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (flags) => {
        const invalid = new Set(flags.flatMap((isInvalid, item) => (isInvalid ? [item] : [])));
        const { groupCommit } = withInvalidItems('22021', invalid);
        const outcomes = await Promise.allSettled(flags.map((_, item) => groupCommit.add(item)));
        expect(outcomes.map((outcome) => outcome.status === 'rejected')).toEqual(flags);
      }),
      { numRuns: 60 },
    );
  });

  it('does not affect later items', async () => {
    const { groupCommit } = withInvalidItems('22021', new Set([1]));
    await expect(groupCommit.add(1)).rejects.toThrow('22021');
    expect(await groupCommit.add(2)).toBe('done 2');
  });
});

describe('GroupCommit, a failing statement', () => {
  it.each([
    ['the connection broke', databaseError('57P01')],
    ['the socket broke', databaseError('ECONNRESET')],
    ['a statement is invalid', databaseError('42601')],
    ['there is no code', new Error('away')],
  ])('because %s fails all of its items once, and the next statement runs', async (_name, error) => {
    const { groupCommit, calls, respond } = held();
    const { added } = await addWhileBusy(groupCommit, range(1, 5));
    respond(0);
    await settle();
    const failed = Promise.allSettled(added.slice(1));
    calls[1]?.fail(error);
    for (const outcome of await failed) expect(outcome).toEqual({ status: 'rejected', reason: error });
    expect(calls).toHaveLength(2);
    const next = groupCommit.add(6);
    await settle();
    respond(2);
    expect(await next).toBe('done 6');
  });

  it('that throws synchronously fails its items', async () => {
    const groupCommit = new GroupCommit<number, string>({
      run: () => {
        throw new Error('at once');
      },
    });
    await expect(groupCommit.add(1)).rejects.toThrow('at once');
    await expect(groupCommit.add(2)).rejects.toThrow('at once');
  });

  it('that returns too few outcomes fails the items without one', async () => {
    const { groupCommit, calls, respond } = held();
    const { added } = await addWhileBusy(groupCommit, range(1, 3));
    respond(0);
    await settle();
    calls[1]?.respond(['done 2']);
    expect(await added[1]).toBe('done 2');
    await expect(added[2]).rejects.toThrow('fewer outcomes');
  });
});

describe('GroupCommit, overload', () => {
  it('rejects further items at once while maxWaiting items are waiting', async () => {
    const { groupCommit, calls, respond } = held({ maxWaiting: 3 });
    const { added } = await addWhileBusy(groupCommit, range(1, 4));
    await expect(groupCommit.add(5)).rejects.toBeInstanceOf(OverloadError);
    await expect(groupCommit.add(6)).rejects.toBeInstanceOf(OverloadError);
    respond(0);
    await settle();
    const next = groupCommit.add(7);
    respond(1);
    await settle();
    respond(2);
    expect(await Promise.all([...added, next])).toEqual([1, 2, 3, 4, 7].map((item) => `done ${item}`));
    expect(calls.flatMap((call) => call.items)).toEqual([1, 2, 3, 4, 7]);
  });
});
