import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createMemoryRateLimiter } from './rate-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('createMemoryRateLimiter', () => {
  it('allows exactly the limit, also if all requests are concurrent', async () => {
    const rates = createMemoryRateLimiter();
    const states = await Promise.all(Array.from({ length: 50 }, () => rates.consume('a', 7)));
    expect(states.filter((state) => !state.exceeded)).toHaveLength(7);
    expect(states.map((state) => state.remaining).slice(0, 8)).toEqual([6, 5, 4, 3, 2, 1, 0, 0]);
    expect(states.every((state) => state.limit === 7)).toBe(true);
  });

  it('does not lengthen the wait after a clock rollback', async () => {
    const rates = createMemoryRateLimiter();
    await rates.consume('a', 1);
    vi.setSystemTime(Date.now() - 24 * 3_600_000);
    expect(await rates.consume('a', 1)).toMatchObject({ exceeded: true, resetSeconds: 60 });
    expect((await rates.peek('a', 1)).resetSeconds).toBe(60);
    await rates.consume('b', 1, 900);
    vi.setSystemTime(Date.now() - 24 * 3_600_000);
    expect((await rates.consume('b', 1, 900)).resetSeconds).toBe(900);
    vi.advanceTimersByTime(60_000);
    expect((await rates.consume('a', 1)).exceeded).toBe(false);
  });

  it('counts each key separately', async () => {
    const rates = createMemoryRateLimiter();
    expect((await rates.consume('a', 1)).exceeded).toBe(false);
    expect((await rates.consume('b', 1)).exceeded).toBe(false);
    expect((await rates.consume('a', 1)).exceeded).toBe(true);
  });

  it('returns whole seconds after which one request passes', async () => {
    const rates = createMemoryRateLimiter();
    await rates.consume('a', 1);
    vi.advanceTimersByTime(12_345);
    const refusal = await rates.consume('a', 1);
    expect(refusal).toMatchObject({ exceeded: true, remaining: 0 });
    expect(Number.isInteger(refusal.resetSeconds)).toBe(true);
    vi.advanceTimersByTime((refusal.resetSeconds - 1) * 1000 - 1);
    expect((await rates.consume('a', 1)).exceeded).toBe(true);
    vi.advanceTimersByTime(1001);
    expect((await rates.consume('a', 1)).exceeded).toBe(false);
  });

  it('returns at least one second and at most a minute', async () => {
    const rates = createMemoryRateLimiter();
    for (let passed = 0; passed < 60_000; passed += 777) {
      const { resetSeconds } = await rates.consume('a', 1);
      expect(resetSeconds).toBeGreaterThanOrEqual(1);
      expect(resetSeconds).toBeLessThanOrEqual(60);
      expect(resetSeconds * 1000).toBeGreaterThanOrEqual(60_000 - passed);
      vi.advanceTimersByTime(777);
    }
  });

  it('does not lengthen the wait for callers that keep sending', async () => {
    const rates = createMemoryRateLimiter();
    const passed: boolean[] = [];
    for (let second = 0; second < 121; second += 1) {
      passed.push(!(await rates.consume('a', 1)).exceeded);
      vi.advanceTimersByTime(1000);
    }
    expect(passed.filter(Boolean)).toHaveLength(3);
  });

  it('applies a limit that changes within the minute', async () => {
    const rates = createMemoryRateLimiter();
    for (let i = 0; i < 5; i += 1) await rates.consume('a', 5);
    expect((await rates.consume('a', 5)).exceeded).toBe(true);
    expect(await rates.consume('a', 100)).toMatchObject({ limit: 100, exceeded: false });
    expect((await rates.consume('a', 5)).exceeded).toBe(true);
  });

  it('stores nothing of a key after its minute', async () => {
    const rates = createMemoryRateLimiter();
    for (let i = 0; i < 500; i += 1) await rates.consume(`address ${i}`, 1);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(500);
    vi.advanceTimersByTime(60_001);
    expect(vi.getTimerCount()).toBe(0);
  });
});
