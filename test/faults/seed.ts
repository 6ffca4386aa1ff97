import { randomInt } from 'node:crypto';

import { SeededRandom } from '#tools/demo-data/seeded-random.ts';

/** The long form of the tests in this folder, which `npm run test:faults` runs. */
export const LONG = process.env['FAULTS'] === 'long';

/** FAULT_SEED repeats the choices of an earlier run; the timing still depends on the machine. */
export function seedOfRun(): number {
  const seed = Number(process.env['FAULT_SEED'] ?? randomInt(2 ** 32));
  process.stdout.write(`FAULT_SEED=${seed}\n`);
  return seed;
}

/** A repeatable random number from 0 inclusive to 1 exclusive. */
export function numbersOf(seed: number): () => number {
  const chance = new SeededRandom(seed);
  return () => chance.next();
}
