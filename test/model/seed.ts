import fc from 'fast-check';

import { seedFrom } from '#test/support/seeds.ts';

/** Longer command sequences, for the runs of MODEL_RUNS. */
export const LONG = (process.env['MODEL_RUNS'] ?? '') !== '';

/** The seed of a run by MODEL_SEED. It is printed, so that a failure can be replayed. */
export function seedOf(test: string): number {
  const seed = seedFrom('MODEL_SEED');
  console.log(`${test}: MODEL_SEED=${seed}`);
  return seed;
}

/**
 * Checks a property `usualRuns` or MODEL_RUNS times and returns the number of runs. A failure names
 * its seed. With MODEL_SHRINK=1 the counterexample is minimized and printed.
 */
export async function check(
  property: fc.IAsyncProperty<[unknown, unknown]>,
  seed: number,
  usualRuns: number,
): Promise<number> {
  const given = process.env['MODEL_RUNS'];
  const numRuns = given === undefined || given === '' ? usualRuns : Number(given);
  const shrink = process.env['MODEL_SHRINK'] !== undefined;
  const result = await fc.check(property, { seed, numRuns, endOnFailure: !shrink });
  if (!result.failed) return result.numRuns;
  const shrunk = shrink ? `\n${JSON.stringify(result.counterexample)}` : '';
  throw new Error(`MODEL_SEED=${seed} fails at run ${result.numRuns}${shrunk}`, {
    cause: result.errorInstance,
  });
}
