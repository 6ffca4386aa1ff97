import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { DeadlineExceededError } from './errors.ts';
import { QueryDeadline, WaitQueue } from './query-deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The clock moves on while no timer runs. */
function pauseProcess(ms: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

describe('QueryDeadline', () => {
  it('rejects callers after the deadline, and those that wait later', async () => {
    const deadline = new QueryDeadline(1_000);
    const queue = new WaitQueue(deadline, { started: false });
    for (let round = 0; round < 2; round += 1) {
      const reject = vi.fn<(error: Error) => void>();
      queue.enqueue(reject);
      await vi.advanceTimersByTimeAsync(999);
      expect(reject).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(101);
      expect(reject).toHaveBeenCalledExactlyOnceWith(expect.any(DeadlineExceededError));
      await vi.advanceTimersByTimeAsync(5_000);
    }
  });

  it('allows callers the time in which the process was paused', async () => {
    const deadline = new QueryDeadline(1_000);
    const queue = new WaitQueue(deadline, { started: true });
    const reject = vi.fn<(error: Error) => void>();
    queue.enqueue(reject);
    await vi.advanceTimersByTimeAsync(500);
    pauseProcess(5_000);
    await vi.advanceTimersByTimeAsync(99);
    expect(reject).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(101);
    expect(reject).toHaveBeenCalledExactlyOnceWith(expect.any(DeadlineExceededError));
  });

  it('keeps no timer while nobody waits', async () => {
    const deadline = new QueryDeadline(1_000);
    const queue = new WaitQueue(deadline, { started: true });
    expect(vi.getTimerCount()).toBe(0);
    const waiter = queue.enqueue(() => undefined);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(vi.getTimerCount()).toBe(1);
    queue.remove(waiter);
    await vi.advanceTimersByTimeAsync(100);
    expect(vi.getTimerCount()).toBe(0);
  });
});
