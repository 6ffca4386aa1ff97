import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createLogger, type Logger } from '#platform/kit/log.ts';
import { JobLoop, type Job } from './loop.ts';
import { PollingPace } from './polling-pace.ts';

type Run = () => Promise<boolean>;

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
  // Runs in progress still need their timers.
  await vi.advanceTimersByTimeAsync(10_000);
  await stopping;
  vi.useRealTimers();
});

function start(run: Run, options: Partial<Job> = {}, pace?: PollingPace): JobLoop {
  const loop = new JobLoop({ name: 'job', intervalMs: EVERY, run, ...options }, log, pace);
  loops.push(loop);
  loop.start();
  return loop;
}

/** Runs everything that is due at the current time. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('JobLoop', () => {
  it('runs at once when it is started, and then at each interval', async () => {
    const run = vi.fn<Run>(async () => false);
    start(run);
    await settle();
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(EVERY - 1);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('runs again at once while more is due', async () => {
    let left = 5;
    const run = vi.fn<Run>(async () => (left -= 1) > 0);
    start(run);
    await settle();
    expect(run).toHaveBeenCalledTimes(5);
  });

  it('pauses in proportion to the run while more is due and the job is paced', async () => {
    const run = vi.fn<Run>(async () => {
      await vi.advanceTimersByTimeAsync(10);
      return true;
    });
    start(run, { pauseFactor: 3 });
    await settle();
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(29);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('polls a quarter as often in an idle process, and at once when there is activity', async () => {
    const run = vi.fn<Run>(async () => false);
    const pace = new PollingPace({ servesRequests: false });
    start(run, {}, pace);
    await vi.advanceTimersByTimeAsync(5_500);
    run.mockClear();
    await vi.advanceTimersByTimeAsync(40 * EVERY);
    expect(run).toHaveBeenCalledTimes(10);
    pace.notice();
    await settle();
    expect(run).toHaveBeenCalledTimes(11);
    await vi.advanceTimersByTimeAsync(10 * EVERY);
    expect(run).toHaveBeenCalledTimes(21);
  });

  it.each([
    { servesRequests: true, intervalMs: 100, pauseMs: 4_000 },
    { servesRequests: true, intervalMs: 1_000, pauseMs: 4_000 },
    { servesRequests: true, intervalMs: 5_000, pauseMs: 60_000 },
    { servesRequests: true, intervalMs: 60_000, pauseMs: 60_000 },
    { servesRequests: false, intervalMs: 100, pauseMs: 400 },
    { servesRequests: false, intervalMs: 5_000, pauseMs: 5_000 },
  ])(
    'polls every $pauseMs ms instead of $intervalMs after half a minute (serves requests: $servesRequests)',
    async ({ intervalMs, pauseMs, ...process }) => {
      const run = vi.fn<Run>(async () => false);
      start(run, { intervalMs }, new PollingPace(process));
      await vi.advanceTimersByTimeAsync(100_000);
      run.mockClear();
      await vi.advanceTimersByTimeAsync(10 * pauseMs);
      expect(run).toHaveBeenCalledTimes(10);
    },
  );

  it('runs the jobs of an idle process at the same moments', async () => {
    const moments: number[] = [];
    const run = async () => {
      moments.push(performance.now());
      return false;
    };
    const pace = new PollingPace({ servesRequests: true });
    for (let index = 0; index < 10; index += 1) {
      start(run, {}, pace);
      await vi.advanceTimersByTimeAsync(7);
    }
    await vi.advanceTimersByTimeAsync(40_000);
    moments.length = 0;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(moments).toHaveLength(10);
    expect(new Set(moments).size).toBe(1);
  });

  it.each([
    { intervalMs: 1_000, runs: 11 },
    { intervalMs: 60_000, runs: 10 },
  ])(
    'ends its pause for work of a job that runs every $intervalMs ms: $runs',
    async ({ intervalMs, runs }) => {
      const run = vi.fn<Run>(async () => false);
      const pace = new PollingPace({ servesRequests: false });
      start(run, {}, pace);
      await vi.advanceTimersByTimeAsync(5_500);
      run.mockClear();
      await vi.advanceTimersByTimeAsync(40 * EVERY);
      pace.noticeWork(intervalMs);
      await settle();
      expect(run).toHaveBeenCalledTimes(runs);
    },
  );

  it('runs at once when it is woken', async () => {
    const run = vi.fn<Run>(async () => false);
    const loop = start(run);
    await settle();
    loop.wake();
    await settle();
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('runs once more when it is woken during a run, however often', async () => {
    const runs: (() => void)[] = [];
    const run = vi.fn<Run>(() => new Promise<boolean>((resolve) => runs.push(() => resolve(false))));
    const loop = start(run);
    loop.wake();
    loop.wake();
    loop.wake();
    expect(run).toHaveBeenCalledTimes(1);
    runs[0]?.();
    await settle();
    expect(run).toHaveBeenCalledTimes(2);
    runs[1]?.();
    await settle();
    expect(run).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(EVERY);
    runs[2]?.();
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('never runs the job twice at once, however often it is woken', async () => {
    let running = 0;
    let maximum = 0;
    const loop = start(async () => {
      running += 1;
      maximum = Math.max(maximum, running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running -= 1;
      return false;
    });
    for (let i = 0; i < 20; i += 1) {
      loop.wake();
      await vi.advanceTimersByTimeAsync(3);
    }
    expect(maximum).toBe(1);
  });

  it('backs off up to five seconds while the job fails', async () => {
    const at: number[] = [];
    start(async () => {
      at.push(Date.now());
      throw new Error('the database is unavailable');
    });
    await vi.advanceTimersByTimeAsync(60_000);
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(10);
    expect(gaps.toSorted((a, b) => a - b)).toEqual(gaps);
    expect(gaps[0]).toBeLessThanOrEqual(1_000);
    expect(gaps.at(-1)).toBe(5_000);
  });

  it('returns to its interval after the job succeeds again', async () => {
    let failing = true;
    const run = vi.fn<Run>(async () => {
      if (failing) throw new Error('the database is unavailable');
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

  it('logs only the first of repeated failures', async () => {
    const error = vi.spyOn(log, 'error');
    start(async () => {
      throw new Error('the database is unavailable');
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(error).toHaveBeenCalledTimes(1);
  });

  it('waits for the current run when it is stopped, and starts no other', async () => {
    const runs: (() => void)[] = [];
    const run = vi.fn<Run>(() => new Promise<boolean>((resolve) => runs.push(() => resolve(true))));
    const loop = start(run);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await settle();
    expect(stopped).toBe(false);
    runs[0]?.();
    await stopping;
    await vi.advanceTimersByTimeAsync(10 * EVERY);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('stops at once between runs, and cannot be woken', async () => {
    const run = vi.fn<Run>(async () => false);
    const loop = start(run);
    await settle();
    await loop.stop();
    loop.wake();
    await vi.advanceTimersByTimeAsync(10 * EVERY);
    expect(run).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stops without waiting for a run with abandonOnStop, whose failure is not logged', async () => {
    const complain = vi.spyOn(log, 'error');
    let cut: (() => void) | undefined;
    const run = () => new Promise<boolean>((_, reject) => (cut = () => reject(new Error('cut'))));
    const loop = new JobLoop({ name: 'job', intervalMs: EVERY, run, abandonOnStop: true }, log);
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
