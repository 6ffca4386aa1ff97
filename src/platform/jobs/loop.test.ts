import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createLogger, type Logger } from '#platform/kit/log.ts';
import { JobLoop } from './loop.ts';

type Look = () => Promise<boolean>;

const EVERY = 100;

let log: Logger;
let loops: JobLoop[];
beforeEach(() => {
  vi.useFakeTimers();
  log = createLogger('silent');
  loops = [];
});
afterEach(async () => {
  const stopping = Promise.all(loops.map((loop) => loop.stop()));
  // What a look waits for must still come.
  await vi.advanceTimersByTimeAsync(10_000);
  await stopping;
  vi.useRealTimers();
});

function start(run: Look): JobLoop {
  const loop = new JobLoop({ name: 'chore', intervalMs: EVERY, run }, log);
  loops.push(loop);
  loop.start();
  return loop;
}

/** Lets everything happen that is due without the time moving on. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('a loop', () => {
  it('looks at once and then at each regular time', async () => {
    const run = vi.fn<Look>(async () => false);
    start(run);
    await settle();
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(EVERY - 1);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('looks again at once while more is due', async () => {
    let left = 5;
    const run = vi.fn<Look>(async () => (left -= 1) > 0);
    start(run);
    await settle();
    expect(run).toHaveBeenCalledTimes(5);
  });

  it('looks at once when it is woken', async () => {
    const run = vi.fn<Look>(async () => false);
    const loop = start(run);
    await settle();
    loop.wake();
    await settle();
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('looks once more when it was woken during a look, however often', async () => {
    const looks: (() => void)[] = [];
    const run = vi.fn<Look>(() => new Promise<boolean>((resolve) => looks.push(() => resolve(false))));
    const loop = start(run);
    loop.wake();
    loop.wake();
    loop.wake();
    expect(run).toHaveBeenCalledTimes(1);
    looks[0]?.();
    await settle();
    expect(run).toHaveBeenCalledTimes(2);
    looks[1]?.();
    await settle();
    expect(run).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(EVERY);
    looks[2]?.();
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('never runs a chore twice at once', async () => {
    let running = 0;
    let most = 0;
    const loop = start(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running -= 1;
      return false;
    });
    for (let i = 0; i < 20; i += 1) {
      loop.wake();
      await vi.advanceTimersByTimeAsync(3);
    }
    expect(most).toBe(1);
  });

  it('outlives failures, waits longer from one to the next, and never longer than five seconds', async () => {
    const at: number[] = [];
    start(async () => {
      at.push(Date.now());
      throw new Error('the database is away');
    });
    await vi.advanceTimersByTimeAsync(60_000);
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(10);
    expect(gaps.toSorted((a, b) => a - b)).toEqual(gaps);
    expect(gaps[0]).toBeLessThanOrEqual(1_000);
    expect(gaps.at(-1)).toBe(5_000);
  });

  it('is back at its regular pace after the first success', async () => {
    let failing = true;
    const run = vi.fn<Look>(async () => {
      if (failing) throw new Error('the database is away');
      return false;
    });
    start(run);
    await vi.advanceTimersByTimeAsync(20_000);
    failing = false;
    await vi.advanceTimersByTimeAsync(5_000);
    run.mockClear();
    await vi.advanceTimersByTimeAsync(10 * EVERY);
    expect(run).toHaveBeenCalledTimes(10);
  });

  it('tells the log of the first failure and not of each that follows', async () => {
    const error = vi.spyOn(log, 'error');
    start(async () => {
      throw new Error('the database is away');
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(error).toHaveBeenCalledTimes(1);
  });

  it('lets the look under way end when it stops, and starts no other', async () => {
    const looks: (() => void)[] = [];
    const run = vi.fn<Look>(() => new Promise<boolean>((resolve) => looks.push(() => resolve(true))));
    const loop = start(run);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await settle();
    expect(stopped).toBe(false);
    looks[0]?.();
    await stopping;
    await vi.advanceTimersByTimeAsync(10 * EVERY);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('stops at once while it rests, and stays stopped when it is woken', async () => {
    const run = vi.fn<Look>(async () => false);
    const loop = start(run);
    await settle();
    await loop.stop();
    loop.wake();
    await vi.advanceTimersByTimeAsync(10 * EVERY);
    expect(run).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is stopped without waiting for a look that is left behind, whose end is no news', async () => {
    const complain = vi.spyOn(log, 'error');
    let cut: (() => void) | undefined;
    const run = () => new Promise<boolean>((_, reject) => (cut = () => reject(new Error('cut'))));
    const loop = new JobLoop({ name: 'chore', intervalMs: EVERY, run, abandonOnStop: true }, log);
    loop.start();
    await settle();
    const stopped = vi.fn<() => void>();
    void loop.stop().then(stopped);
    await settle();
    expect(stopped).toHaveBeenCalledOnce();
    cut?.();
    await settle();
    expect(complain).not.toHaveBeenCalled();
  });
});
