import { randomInt } from 'node:crypto';

import { SeededRandom } from '#tools/demo-data/seeded-random.ts';

/** The long forms of the tests in this folder, which `npm run test:faults` plays. */
export const LONG = process.env['FAULTS'] === 'long';

/** FAULT_SEED repeats the choices of an earlier run; the order in which things meet stays up to the machine. */
export function seedOfRun(): number {
  const seed = Number(process.env['FAULT_SEED'] ?? randomInt(2 ** 32));
  process.stdout.write(`FAULT_SEED=${seed}\n`);
  return seed;
}

/** Repeatable numbers from 0 to below 1. */
export function numbersOf(seed: number): () => number {
  const chance = new SeededRandom(seed);
  return () => chance.next();
}
