import { createBaselines, dropBaselines } from './baseline.ts';
import { Comparison, print } from './figures.ts';
import type { BenchOptions } from './options.ts';

/**
 * Measures something and, after each of its rounds, every baseline on the same database server; then prints a table for
 * each baseline. Whatever else the machine does slows all of them, so the ratios can be trusted more than the rates.
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
