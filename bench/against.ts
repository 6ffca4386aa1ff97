import { createBaselines, dropBaselines } from './baseline.ts';
import { Comparison, print } from './figures.ts';
import type { BenchOptions } from './options.ts';

/**
 * Measures a workload and, after each round, every baseline on the same database server. Prints a
 * table for each baseline. Load of the machine slows all of them, so the ratios are more reliable
 * than the rates.
 */
export async function againstBaselines(
  name: string,
  databaseUrl: string,
  { callers, seconds, rounds, sellers }: BenchOptions,
  measure: () => Promise<number>,
): Promise<void> {
  const baselines = await createBaselines(databaseUrl);
  const measured: number[] = [];
  const theirs = baselines.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await measure());
    for (const [index, baseline] of baselines.entries()) {
      theirs[index]?.push(await baseline.run(callers, seconds));
    }
  }
  for (const [index, baseline] of baselines.entries()) {
    print(`${name}, ${callers} callers, ${sellers} sellers; ${baseline.name}, ${callers} clients`);
    const comparison = new Comparison(name, baseline.name);
    for (const [round, rate] of measured.entries())
      comparison.add(rate, theirs[index]?.[round] ?? Number.NaN);
    comparison.close();
  }
  await dropBaselines(databaseUrl);
}
