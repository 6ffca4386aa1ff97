import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { TtlCache } from './ttl-cache.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A cache over a source that counts how often it was asked. */
function counting(lifeMs?: number, maxEntries?: number) {
  const asked: string[] = [];
  const load = async (keys: readonly string[]) => {
    asked.push(keys.join(' '));
    return new Map(keys.map((key) => [key, `${key} ${asked.length}`]));
  };
  return { asked, cache: new TtlCache(load, lifeMs, maxEntries) };
}

/** A cache whose questions are answered by hand. */
function answering() {
  const answers: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
  const cache = new TtlCache(async (keys: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    answers.push({ resolve, reject });
    const text = await promise;
    return new Map(keys.map((key) => [key, text]));
  });
  return { answers, cache };
}

/** One that holds `old` for `a`, which is wanted and past half of its life. */
async function halfway() {
  const { answers, cache } = answering();
  const first = [cache.get('a'), cache.get('a')];
  answers[0]?.resolve('old');
  await Promise.all(first);
  vi.advanceTimersByTime(300);
  return { answers, cache };
}

/** What was put into line before is done. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

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

  it('lets a change made elsewhere count within a second by default (C5)', async () => {
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

  it('shares one pending load among concurrent callers', async () => {
    const { answers, cache } = answering();
    const callers = [cache.get('a'), cache.get('a'), cache.get('a')];
    answers[0]?.resolve('value');
    expect(await Promise.all(callers)).toEqual(['value', 'value', 'value']);
    expect(answers).toHaveLength(1);
  });

  it('keeps that there is nothing: nobody’s key must not be asked for at every request', async () => {
    let asked = 0;
    const cache = new TtlCache(async () => {
      asked += 1;
      return new Map<string, string>();
    });
    await cache.get('a');
    expect(await cache.get('a')).toBeUndefined();
    expect(asked).toBe(1);
  });

  it('does not keep a failure, and tells it to all who wait', async () => {
    const { answers, cache } = answering();
    const callers = [cache.get('a'), cache.get('a')];
    answers[0]?.reject(new Error('away'));
    const results = await Promise.allSettled(callers);
    expect(results.map((caller) => caller.status)).toEqual(['rejected', 'rejected']);
    const again = cache.get('a');
    answers[1]?.resolve('value');
    expect(await again).toBe('value');
  });

  it('invalidates a value, also while its load is pending', async () => {
    const { answers, cache } = answering();
    const before = cache.get('a');
    cache.invalidate('a');
    const after = cache.get('a');
    answers[1]?.resolve('new');
    answers[0]?.resolve('old');
    expect(await before).toBe('old');
    expect(await after).toBe('new');
    expect(await cache.get('a')).toBe('new');
  });

  it('does not let an old failure drop a newer value', async () => {
    const { answers, cache } = answering();
    const before = cache.get('a');
    cache.invalidate('a');
    const after = cache.get('a');
    answers[1]?.resolve('new');
    answers[0]?.reject(new Error('away'));
    await expect(before).rejects.toThrow('away');
    await after;
    expect(await cache.get('a')).toBe('new');
    expect(answers).toHaveLength(2);
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

  describe('what is wanted and past half of its life', () => {
    it('is read along with what somebody waits for', async () => {
      const { asked, cache } = counting(500);
      for (const key of ['a', 'b', 'c', 'b', 'c']) await cache.get(key);
      vi.advanceTimersByTime(400);
      await cache.get('d');
      await settled();
      vi.advanceTimersByTime(400);
      expect([await cache.get('b'), await cache.get('c')]).toEqual(['b 4', 'c 4']);
      expect(asked).toEqual(['a', 'b', 'c', 'd b c']);
    });

    it('is not where nobody has asked for it again, and is read when somebody does', async () => {
      const { asked, cache } = counting(500);
      await cache.get('a');
      vi.advanceTimersByTime(300);
      await cache.get('b');
      await settled();
      vi.advanceTimersByTime(100);
      expect(await cache.get('a')).toBe('a 3');
      expect(asked).toEqual(['a', 'b', 'a']);
    });

    it('is answered as it was until it has been read', async () => {
      const { answers, cache } = await halfway();
      const other = cache.get('b');
      expect(await cache.get('a')).toBe('old');
      answers[1]?.resolve('new');
      await other;
      expect(await cache.get('a')).toBe('new');
      expect(answers).toHaveLength(2);
    });

    it('lives from the question on, not from its answer', async () => {
      const { answers, cache } = await halfway();
      void cache.get('b');
      vi.advanceTimersByTime(150);
      answers[1]?.resolve('new');
      await settled();
      expect(await cache.get('a')).toBe('new');
      vi.advanceTimersByTime(350);
      void cache.get('a');
      expect(answers).toHaveLength(3);
    });

    it('does not come back where it was forgotten meanwhile', async () => {
      const { answers, cache } = await halfway();
      const other = cache.get('b');
      cache.invalidate('a');
      answers[1]?.resolve('stale');
      await other;
      await settled();
      const after = cache.get('a');
      answers[2]?.resolve('new');
      expect(await after).toBe('new');
    });

    it('counts until its end where the question failed, and is read again by the next', async () => {
      const { answers, cache } = await halfway();
      const other = cache.get('b');
      answers[1]?.reject(new Error('away'));
      await expect(other).rejects.toThrow('away');
      expect(await cache.get('a')).toBe('old');
      const another = cache.get('c');
      answers[2]?.resolve('new');
      await another;
      await settled();
      expect(await cache.get('a')).toBe('new');
      expect(answers).toHaveLength(3);
    });

    it('is taken along in portions', async () => {
      const { asked, cache } = counting(500);
      const keys = Array.from({ length: 300 }, (_, n) => `key ${n}`);
      for (const key of [...keys, ...keys]) await cache.get(key);
      vi.advanceTimersByTime(300);
      await cache.get('x');
      await settled();
      await cache.get('y');
      expect(asked.slice(-2).map((line) => line.split('key').length - 1)).toEqual([255, 45]);
    });
  });
});
