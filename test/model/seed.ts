import fc from 'fast-check';

/** The seed of a run: MODEL_SEED, or a new one. It is printed either way, so that a failure can be played again. */
export function seedOf(test: string): number {
  const given = process.env['MODEL_SEED'];
  const seed = given === undefined || given === '' ? Math.trunc(Math.random() * 2 ** 31) : Number(given);
  console.log(`${test}: MODEL_SEED=${seed}`);
  return seed;
}

/**
 * Plays a property so many times, or MODEL_RUNS times; answers how often. A failure names its seed. With MODEL_SHRINK=1 the shortest plan that
 * fails is looked for and printed; otherwise the first is enough, which is too long to be read.
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
