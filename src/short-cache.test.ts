import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ShortCache } from './short-cache.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A cache over a source that counts how often it was asked. */
function counting(lifeMs?: number, maxEntries?: number) {
  const asked: string[] = [];
  const load = async (key: string) => {
    asked.push(key);
    return `${key} ${asked.length}`;
  };
  return { asked, cache: new ShortCache(load, lifeMs, maxEntries) };
}

describe('ShortCache', () => {
  it('asks once for a value that is asked for again in its life', async () => {
    const { asked, cache } = counting(500);
    expect(await cache.get('a')).toBe('a 1');
    vi.advanceTimersByTime(499);
    expect(await cache.get('a')).toBe('a 1');
    expect(asked).toEqual(['a']);
  });

  it('asks again when the life is over, and asking does not prolong it', async () => {
    const { asked, cache } = counting(500);
    await cache.get('a');
    vi.advanceTimersByTime(300);
    await cache.get('a');
    vi.advanceTimersByTime(200);
    expect(await cache.get('a')).toBe('a 2');
    expect(asked).toEqual(['a', 'a']);
  });

  it('lets a change made elsewhere count within a second unless told otherwise (C5)', async () => {
    const { asked, cache } = counting();
    await cache.get('a');
    vi.advanceTimersByTime(999);
    await cache.get('a');
    expect(asked).toHaveLength(2);
  });

  it('keeps the values of keys apart', async () => {
    const { cache } = counting();
    expect(await cache.get('a')).toBe('a 1');
    expect(await cache.get('b')).toBe('b 2');
    expect(await cache.get('a')).toBe('a 1');
  });

  it('shares one question among callers that come while it is under way', async () => {
    const answer = Promise.withResolvers<string>();
    let asked = 0;
    const cache = new ShortCache(() => {
      asked += 1;
      return answer.promise;
    });
    const callers = [cache.get('a'), cache.get('a'), cache.get('a')];
    answer.resolve('value');
    expect(await Promise.all(callers)).toEqual(['value', 'value', 'value']);
    expect(asked).toBe(1);
  });

  it('keeps undefined too: nobody’s key must not be asked for at every request', async () => {
    let asked = 0;
    const cache = new ShortCache(async () => {
      asked += 1;
      return undefined;
    });
    await cache.get('a');
    expect(await cache.get('a')).toBeUndefined();
    expect(asked).toBe(1);
  });

  it('does not keep a failure, and tells it to all who wait', async () => {
    let asked = 0;
    const cache = new ShortCache(async () => {
      asked += 1;
      if (asked === 1) throw new Error('away');
      return 'value';
    });
    const callers = await Promise.allSettled([cache.get('a'), cache.get('a')]);
    expect(callers.map((caller) => caller.status)).toEqual(['rejected', 'rejected']);
    expect(await cache.get('a')).toBe('value');
    expect(asked).toBe(2);
  });

  it('forgets what it is told to, also while the question is under way', async () => {
    const answers: ((text: string) => void)[] = [];
    const cache = new ShortCache(
      () =>
        new Promise<string>((resolve) => {
          answers.push(resolve);
        }),
    );
    const before = cache.get('a');
    cache.forget('a');
    const after = cache.get('a');
    answers[1]?.('new');
    answers[0]?.('old');
    expect(await before).toBe('old');
    expect(await after).toBe('new');
    expect(await cache.get('a')).toBe('new');
  });

  it('does not let an old failure drop a newer value', async () => {
    const endings: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
    const cache = new ShortCache(
      () =>
        new Promise<string>((resolve, reject) => {
          endings.push({ resolve, reject });
        }),
    );
    const before = cache.get('a');
    cache.forget('a');
    const after = cache.get('a');
    endings[1]?.resolve('new');
    endings[0]?.reject(new Error('away'));
    await expect(before).rejects.toThrow('away');
    await after;
    expect(await cache.get('a')).toBe('new');
    expect(endings).toHaveLength(2);
  });

  it('clears everything', async () => {
    const { asked, cache } = counting();
    await cache.get('a');
    await cache.get('b');
    cache.clear();
    await cache.get('a');
    await cache.get('b');
    expect(asked).toEqual(['a', 'b', 'a', 'b']);
  });

  it('holds no more than it may, and drops what was asked for longest ago', async () => {
    const { asked, cache } = counting(500, 2);
    await cache.get('a');
    await cache.get('b');
    await cache.get('c');
    await cache.get('b');
    await cache.get('c');
    expect(asked).toEqual(['a', 'b', 'c']);
    await cache.get('a');
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });
});
