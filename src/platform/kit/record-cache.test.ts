import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { MAX_UNCONFIRMED_MS, RecordCache } from './record-cache.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Value {
  readonly id: string;
  readonly reading: number;
}

/** A cache of values whose id is their key, over a source without `unknown…`. */
function openCache(maxEntries?: number) {
  const state = { confirmed: true, readings: 0 };
  const cache = new RecordCache<string, Value>({
    load: async (key) => {
      state.readings += 1;
      return key.startsWith('unknown') ? undefined : { id: key, reading: state.readings };
    },
    idsOf: ({ id }) => [id],
    isConfirmed: () => state.confirmed,
    ...(maxEntries === undefined ? {} : { maxEntries }),
  });
  const readingOf = async (key: string) => (await cache.get(key))?.reading;
  return { state, cache, readingOf };
}

describe('RecordCache', () => {
  it('keeps a value while it is confirmed, for a minute at most', async () => {
    const { readingOf } = openCache();
    expect(await readingOf('a')).toBe(1);
    vi.advanceTimersByTime(59_999);
    expect(await readingOf('a')).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await readingOf('a')).toBe(2);
  });

  it('reads a value again after a moment while nothing confirms it', async () => {
    const { state, readingOf } = openCache();
    state.confirmed = false;
    expect(await readingOf('a')).toBe(1);
    vi.advanceTimersByTime(MAX_UNCONFIRMED_MS - 1);
    expect(await readingOf('a')).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await readingOf('a')).toBe(2);
  });

  it('reads a value again after one of its records was invalidated, and no other value', async () => {
    const { cache, readingOf } = openCache();
    expect([await readingOf('a'), await readingOf('b')]).toEqual([1, 2]);
    cache.invalidate(new Set(['x', 'a']));
    expect([await readingOf('a'), await readingOf('b')]).toEqual([3, 2]);
  });

  it('reads once for concurrent callers', async () => {
    const { readingOf } = openCache();
    expect(await Promise.all([readingOf('a'), readingOf('a')])).toEqual([1, 1]);
  });

  it('does not cache a read that overlaps an invalidation', async () => {
    const { cache, readingOf } = openCache();
    const early = readingOf('a');
    cache.invalidate(new Set(['a']));
    const late = readingOf('a');
    expect([await early, await late, await readingOf('a')]).toEqual([1, 2, 2]);
  });

  it('reads an unknown key again after a short time, confirmed or not', async () => {
    const { state, readingOf } = openCache();
    expect(await readingOf('unknown')).toBeUndefined();
    vi.advanceTimersByTime(MAX_UNCONFIRMED_MS - 1);
    expect(await readingOf('unknown')).toBeUndefined();
    expect(state.readings).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await readingOf('unknown')).toBeUndefined();
    expect(state.readings).toBe(2);
  });

  it('evicts unused values, and caches nothing for unknown keys', async () => {
    const { readingOf } = openCache(2);
    await readingOf('a');
    await readingOf('b');
    await readingOf('a');
    for (let n = 0; n < 20_000; n += 1) await readingOf(`unknown ${n}`);
    expect([await readingOf('a'), await readingOf('b')]).toEqual([1, 2]);
    await readingOf('c');
    expect([await readingOf('c'), await readingOf('a')]).toEqual([20_003, 20_004]);
  });

  it('does not cache an error', async () => {
    const responses = [Promise.reject(new Error('away')), Promise.resolve('here')];
    const cache = new RecordCache<string, string>({
      load: () => responses.shift() ?? Promise.resolve(undefined),
      idsOf: () => [],
      isConfirmed: () => true,
    });
    await expect(cache.get('a')).rejects.toThrow('away');
    expect(await cache.get('a')).toBe('here');
  });
});
