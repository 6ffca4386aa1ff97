import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { RecentCache } from './recent-cache.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

function counted() {
  const made: string[] = [];
  const make = (key: string): string => {
    made.push(key);
    return key.toUpperCase();
  };
  return { made, make };
}

const refused = (): string => {
  throw new Error('no');
};

describe('RecentCache', () => {
  it('computes each value once while it is in use', () => {
    const { made, make } = counted();
    const cache = new RecentCache<string, string>(10, 1_000);
    for (let round = 0; round < 5; round += 1) {
      expect(cache.get('a', make)).toBe('A');
      vi.advanceTimersByTime(900);
    }
    expect(made).toEqual(['a']);
  });

  it('evicts entries unused for one interval', () => {
    const { made, make } = counted();
    const cache = new RecentCache<string, string>(10, 1_000);
    cache.get('a', make);
    vi.advanceTimersByTime(1_000);
    cache.get('b', make);
    vi.advanceTimersByTime(1_000);
    cache.get('a', make);
    expect(made).toEqual(['a', 'b', 'a']);
    vi.advanceTimersByTime(2_000);
    cache.get('a', make);
    expect(made).toEqual(['a', 'b', 'a', 'a']);
  });

  it('holds at most two generations of entries', () => {
    const { made, make } = counted();
    const cache = new RecentCache<string, string>(2, 1_000);
    for (const key of ['a', 'b', 'c', 'd', 'e']) cache.get(key, make);
    cache.get('c', make);
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e']);
    cache.get('a', make);
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'a']);
  });

  it('does not cache errors', () => {
    const cache = new RecentCache<string, string>(10, 1_000);
    expect(() => cache.get('a', refused)).toThrow('no');
    expect(cache.get('a', () => 'yes')).toBe('yes');
  });
});
