import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Of one round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Concurrent keep-alive connections, and clients of the baseline. */
  readonly callers: number;
  readonly sellers: number;
  /** Transactions that `start` creates, and rows that `read` and `growth` fill in. */
  readonly charges: number;
  /** Small numbers, to test the benchmark itself. Its results are meaningless. */
  readonly smoke: boolean;
  readonly profileDir: string | undefined;
}

const FULL = { seconds: 10, rounds: 3, callers: 64, sellers: 2_000, charges: 5_000_000 };
const SMOKE = { seconds: 0.3, rounds: 1, callers: 8, sellers: 3, charges: 500 };
const CHARGES_OF_START = 100_000;

/** Parses the benchmark's name and options from the command line. */
export function readOptions(args: readonly string[]): { readonly name: string } & BenchOptions {
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
    },
  });
  const name = positionals[0] ?? 'create';
  const full = name === 'start' ? { ...FULL, charges: CHARGES_OF_START } : FULL;
  const defaults = values.smoke ? SMOKE : full;
  const number = (option: keyof typeof FULL): number => {
    const text = values[option];
    if (text === undefined) return defaults[option];
    if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`--${option} must be a whole number from 1`);
    return Number(text);
  };
  return {
    name,
    seconds: number('seconds'),
    rounds: number('rounds'),
    callers: number('callers'),
    sellers: number('sellers'),
    charges: number('charges'),
    smoke: values.smoke,
    profileDir: values.profile,
  };
}
