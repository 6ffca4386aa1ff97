import { parseArgs } from 'node:util';

import type { Server } from './server.ts';

export interface BenchOptions {
  /** Of one round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Concurrent keep-alive connections, and clients of the baseline. */
  readonly callers: number;
  readonly sellers: number;
  /**
   * Transactions that `start` creates, rows that `read`, `growth` and `grown` fill in, operations
   * of a round of `versions`.
   */
  readonly charges: number;
  /** Small numbers, to test the benchmark itself. Its results are meaningless. */
  readonly smoke: boolean;
  readonly profileDir: string | undefined;
  /** The `main.ts` of another tree, which `versions` compares with. */
  readonly other: string | undefined;
  /** The gateway to measure, for benchmarks that use the default one; others start their own. */
  readonly server?: Server;
}

const FULL = { seconds: 10, rounds: 3, callers: 64, sellers: 2_000, charges: 5_000_000 };
const SMOKE = { seconds: 0.2, rounds: 1, callers: 4, sellers: 3, charges: 240 };
const CHARGES = new Map([
  ['start', 100_000],
  ['subscriptions', 100_000],
  ['grown', 200_000],
  ['versions', 5_000],
]);

/** Parses the names of benchmarks and their options from the command line. */
export function readOptions(args: readonly string[]): { readonly names: readonly string[] } & BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      callers: { type: 'string' },
      sellers: { type: 'string' },
      charges: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      profile: { type: 'string' },
      other: { type: 'string' },
    },
  });
  const names = positionals.length > 0 ? positionals : ['create'];
  const charges = CHARGES.get(names[0] ?? '') ?? FULL.charges;
  const full = { ...FULL, charges };
  const defaults = values.smoke ? SMOKE : full;
  const number = (option: keyof typeof FULL): number => {
    const text = values[option];
    if (text === undefined) return defaults[option];
    if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`--${option} must be a whole number from 1`);
    return Number(text);
  };
  return {
    names,
    seconds: number('seconds'),
    rounds: number('rounds'),
    callers: number('callers'),
    sellers: number('sellers'),
    charges: number('charges'),
    smoke: values.smoke,
    profileDir: values.profile,
    other: values.other,
  };
}
