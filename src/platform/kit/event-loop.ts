import { setImmediate } from 'node:timers/promises';

/**
 * Returns a function to await after each step of a long computation. Requests and other work of the
 * event loop wait for at most `steps` of them.
 */
export function yieldEvery(steps: number): () => Promise<void> | undefined {
  let taken = 0;
  return () => {
    taken += 1;
    return taken % steps === 0 ? setImmediate() : undefined;
  };
}
