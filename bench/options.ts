import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Of one round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Keep-alive connections at once; the same number of clients for the baseline. */
  readonly callers: number;
  readonly sellers: number;
  /** How many charges `read` puts into the table for its second half and `start` creates. */
  readonly charges: number;
  /** Small numbers: shows that the bench works, and its figures mean nothing. */
  readonly smoke: boolean;
  readonly profileDir: string | undefined;
}

const FULL = { seconds: 10, rounds: 3, callers: 64, sellers: 50, charges: 100_000 };
const SMOKE = { seconds: 1, rounds: 1, callers: 8, sellers: 3, charges: 500 };

/** The bench's name and its options, from the arguments of the command line. */
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
  const defaults = values.smoke ? SMOKE : FULL;
  const number = (name: keyof typeof FULL): number => {
    const text = values[name];
    if (text === undefined) return defaults[name];
    if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`--${name} must be a whole number from 1`);
    return Number(text);
  };
  return {
    name: positionals[0] ?? 'create',
    seconds: number('seconds'),
    rounds: number('rounds'),
    callers: number('callers'),
    sellers: number('sellers'),
    charges: number('charges'),
    smoke: values.smoke,
    profileDir: values.profile,
  };
}
