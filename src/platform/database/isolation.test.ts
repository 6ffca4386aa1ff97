import { describe, expect, it, vi } from 'vitest';

import { GroupCommit } from './group-commit.ts';

const lockTimeout = (): Error => Object.assign(new Error('lock timeout'), { code: '55P03' });
const invalid = (): Error => Object.assign(new Error('invalid'), { code: '22P02' });

interface Item {
  readonly seller: string;
  readonly n: number;
  readonly isInvalid?: boolean;
}

/** A database in which a batch with an item of a locked seller fails as a whole. */
function withLockedSellers(locked: Set<string>, retryMs = 40) {
  const common: (readonly Item[])[] = [];
  const isolated: (readonly Item[])[] = [];
  const committed: Item[] = [];
  const runOn = (statements: (readonly Item[])[]) => async (items: readonly Item[]) => {
    statements.push(items);
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (items.some(({ seller }) => locked.has(seller))) throw lockTimeout();
    if (items.some(({ isInvalid }) => isInvalid === true)) throw invalid();
    committed.push(...items);
    return items.map(({ n }) => n);
  };
  const groupCommit = new GroupCommit<Item, number>({
    run: runOn(common),
    isolation: { groupOf: ({ seller }) => seller, run: runOn(isolated), retryMs },
  });
  return { groupCommit, common, isolated, committed };
}

const items = (...sellers: readonly string[]): readonly Item[] => sellers.map((seller, n) => ({ seller, n }));

const sellersIn = (statements: readonly (readonly Item[])[]) =>
  new Set(statements.flat().map(({ seller }) => seller));

describe('a group commit whose statement waits too long for a lock', () => {
  it('commits the items of every other seller and fails those of the locked one', async () => {
    const { groupCommit, committed } = withLockedSellers(new Set(['b']));
    const all = items('x', 'a', 'b', 'c', 'b', 'd', 'e', 'f', 'g');
    const results = await Promise.allSettled(all.map((item) => groupCommit.add(item)));
    expect(results).toMatchObject(
      all.map(({ n, seller }) =>
        seller === 'b'
          ? { status: 'rejected', reason: { code: '55P03' } }
          : { status: 'fulfilled', value: n },
      ),
    );
    expect(committed.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual([0, 1, 3, 5, 6, 7, 8]);
  });

  it('runs later items of the locked seller separately, and all others together', async () => {
    const { groupCommit, common, isolated } = withLockedSellers(new Set(['b']));
    await Promise.allSettled(items('a', 'b', 'c').map((item) => groupCommit.add(item)));
    expect(groupCommit.blockedGroups).toEqual(['b']);
    const [commonBefore, isolatedBefore] = [common.length, isolated.length];
    await Promise.allSettled(items('a', 'b', 'c').map((item) => groupCommit.add(item)));
    expect(sellersIn(common.slice(commonBefore))).toEqual(new Set(['a', 'c']));
    expect(sellersIn(isolated.slice(isolatedBefore))).toEqual(new Set(['b']));
  });

  it('repeats the items of a locked seller, which commit if the lock ends in time', async () => {
    const locked = new Set(['a']);
    const { groupCommit, committed } = withLockedSellers(locked, 10_000);
    const added = groupCommit.add({ seller: 'a', n: 7 });
    await vi.waitFor(() => expect(groupCommit.blockedGroups).toEqual(['a']));
    locked.clear();
    expect(await added).toBe(7);
    expect(committed).toHaveLength(1);
  });

  it('returns a seller to the common statements after five seconds and a success', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const locked = new Set(['a']);
      const { groupCommit, common } = withLockedSellers(locked, 0);
      await expect(groupCommit.add({ seller: 'a', n: 0 })).rejects.toThrow('lock timeout');
      locked.clear();
      await groupCommit.add({ seller: 'a', n: 1 });
      expect(common).toHaveLength(1);
      vi.advanceTimersByTime(5_000);
      expect(groupCommit.blockedGroups).toEqual([]);
      await groupCommit.add({ seller: 'a', n: 2 });
      expect(common).toHaveLength(1);
      await groupCommit.add({ seller: 'a', n: 3 });
      expect(common).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not run an item again whose caller was rejected at the deadline', async () => {
    const { groupCommit, isolated } = withLockedSellers(new Set(['a', 'b']), 10_000);
    const results = Promise.allSettled(items('a', 'b').map((item) => groupCommit.add(item)));
    await vi.waitFor(() => expect(isolated.length).toBeGreaterThan(2));
    groupCommit.expire(performance.now());
    // The statement in progress was sent before.
    const sent = isolated.length;
    expect(await results).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(isolated).toHaveLength(sent);
  });

  it('fails only the invalid item of an isolated statement', async () => {
    const { groupCommit } = withLockedSellers(new Set(['b']));
    const all = [...items('a', 'b', 'c', 'd'), { seller: 'c', n: 4, isInvalid: true }];
    const results = await Promise.allSettled(all.map((item) => groupCommit.add(item)));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(results[4]).toMatchObject({ reason: { code: '22P02' } });
  });
});
