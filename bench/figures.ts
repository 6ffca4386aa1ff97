import type { CpuTime } from './cpu.ts';

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function percentiles(rounds: readonly Float64Array[]): Percentiles {
  const sorted = Float64Array.from(rounds.flatMap((round) => [...round])).sort();
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

export const whole = (value: number): string => value.toFixed(0);
export const two = (value: number): string => value.toFixed(2);
export const ms = (value: number): string => `${value.toFixed(1)} ms`;

export const latencyLine = ({ p50, p95, p99 }: Percentiles): string =>
  `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`;

/** Two columns of rates by round, their medians and the ratio of the first to the second. */
export class Comparison {
  readonly #names: readonly [string, string];
  readonly #rounds: (readonly [number, number])[] = [];

  constructor(...names: readonly [string, string]) {
    this.#names = names;
    this.#line('round', `${names[0]}/s`, `${names[1]}/s`, 'ratio');
  }

  add(...[first, second]: readonly [number, number]): void {
    this.#rounds.push([first, second]);
    this.#line(String(this.#rounds.length), whole(first), whole(second), two(first / second));
  }

  /** Prints the last line and returns the ratio. */
  close(): number {
    const first = median(this.#rounds.map((round) => round[0]));
    const second = median(this.#rounds.map((round) => round[1]));
    const ratio = first / second;
    this.#line('median', whole(first), whole(second), two(ratio));
    return ratio;
  }

  #line(...cells: readonly [string, string, string, string]): void {
    const widths = [7, ...this.#names.map((name) => Math.max(10, name.length + 4)), 8];
    print(cells.map((cell, i) => cell.padStart(widths[i] ?? 0)).join(''));
  }
}

/**
 * The ratios of figures that were measured in turn, round by round: the speed of a shared machine
 * changes within a run, so that the ratio of two medians says little.
 */
export const ratiosOf = (figures: readonly number[], others: readonly number[]): readonly number[] =>
  figures.map((figure, round) => figure / (others[round] ?? Number.NaN));

/** Both medians, and the median of the ratios. */
export function pairedLine(
  part: string,
  unit: string,
  figures: readonly number[],
  others: readonly number[],
): string {
  const ratio = two(median(ratiosOf(figures, others)));
  return `${part} ${whole(median(figures))} to ${whole(median(others))} ${unit}, ${ratio}`;
}

/** Processor time of one operation, in microseconds, compared round by round. */
export function pairedCosts(costs: readonly CpuTime[], others: readonly CpuTime[]): string {
  const parts: readonly (readonly [string, (cost: CpuTime) => number])[] = [
    ['gateway', ({ gateway }) => gateway],
    ['database', ({ database }) => database],
    ['both', ({ gateway, database }) => gateway + database],
  ];
  return parts
    .map(([part, figure]) => pairedLine(part, 'µs', costs.map(figure), others.map(figure)))
    .join('; ');
}
