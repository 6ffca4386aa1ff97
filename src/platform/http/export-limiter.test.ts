import { describe, expect, it } from 'vitest';

import { ExportLimiter } from './export-limiter.ts';

const openMany = (limiter: ExportLimiter, count: number, owner: (index: number) => string) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => limiter.open(owner(index))));

const statusesOf = (results: readonly PromiseSettledResult<() => void>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'open' : result.reason.statusCode));

describe('ExportLimiter', () => {
  it('allows two exports per owner; others wait and then get a 429 with Retry-After', async () => {
    const limiter = new ExportLimiter(50);
    const results = await openMany(limiter, 60, () => 'one');
    expect(statusesOf(results).filter((status) => status === 'open')).toHaveLength(2);
    expect(statusesOf(results).filter((status) => status === 429)).toHaveLength(58);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason.headers).toEqual({ 'retry-after': '10' });
    expect(statusesOf(await openMany(limiter, 1, () => 'another'))).toEqual(['open']);
  });

  it('limits the total', async () => {
    const results = await openMany(new ExportLimiter(50), 30, (index) => `owner ${index}`);
    expect(statusesOf(results).filter((status) => status === 'open')).toHaveLength(12);
  });

  it('starts waiting exports when others end', async () => {
    const limiter = new ExportLimiter(5_000);
    const [first, second] = [await limiter.open('one'), await limiter.open('one')];
    const waiting = limiter.open('one');
    first();
    first();
    const third = await waiting;
    second();
    third();
    expect(statusesOf(await openMany(limiter, 2, () => 'one'))).toEqual(['open', 'open']);
  });

  it('runs one step at a time, and pauses as long as the step took', async () => {
    const limiter = new ExportLimiter();
    let [running, maximum] = [0, 0];
    const step = async () => {
      running += 1;
      maximum = Math.max(maximum, running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 5 }, () => limiter.runStep(step)));
    expect(maximum).toBe(1);
    expect(performance.now() - startedAt).toBeGreaterThan(180);
    await expect(limiter.runStep(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await limiter.runStep(step);
  });
});
