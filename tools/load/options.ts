import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { isApiKey } from '#platform/kit/ids.ts';

export const USAGE = `Usage: npm run load -- --url URL [options]

Sends a steady load to a sandbox and prints rates and response times every second.
VEREDA_API_KEY is the API key of a sandbox seller, or several, separated by commas.

  --url URL          the gateway, such as https://sandbox.example.com
  --creations N      Pix charges to create each second (20)
  --payments N       charges to pay each second (10)
  --reads N          charges to retrieve each second (20)
  --lists N          first pages of the list each second (2)
  --seconds N        duration (60)
  --warmup N         seconds before the measurement (5)
  --connections N    requests in flight, at most (64)
  --ca FILE          certificate authority to trust, as PEM
  --json             print the result as JSON, without live lines`;

/** The rate of each operation, per second. */
export interface Rates {
  readonly creations: number;
  readonly payments: number;
  readonly reads: number;
  readonly lists: number;
}

export type Operation = keyof Rates;

export interface LoadOptions {
  /** Without a path. */
  readonly url: string;
  /** Of sandbox sellers, used in turn. */
  readonly apiKeys: readonly string[];
  readonly rates: Rates;
  readonly seconds: number;
  readonly warmupSeconds: number;
  readonly connections: number;
  /** PEM. */
  readonly ca: string | undefined;
  readonly json: boolean;
}

const NUMBERS = {
  creations: { preset: 20, min: 1, max: 100_000 },
  payments: { preset: 10, min: 0, max: 100_000 },
  reads: { preset: 20, min: 0, max: 100_000 },
  lists: { preset: 2, min: 0, max: 100_000 },
  seconds: { preset: 60, min: 1, max: 86_400 },
  warmup: { preset: 5, min: 0, max: 3_600 },
  connections: { preset: 64, min: 1, max: 10_000 },
};

/** Throws an error that names the option and what would be right. */
export function readLoadOptions(args: readonly string[], apiKeys: string | undefined): LoadOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: text,
      ca: text,
      creations: text,
      payments: text,
      reads: text,
      lists: text,
      seconds: text,
      warmup: text,
      connections: text,
      json: {
        type: 'boolean',
        default: false,
      },
    },
  });
  const number = (name: keyof typeof NUMBERS): number => {
    const { preset, min, max } = NUMBERS[name];
    const given = values[name];
    if (given === undefined) return preset;
    const value = /^\d{1,6}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new Error(`--${name} must be a whole number from ${min} to ${max}`);
  };
  const rates = {
    creations: number('creations'),
    payments: number('payments'),
    reads: number('reads'),
    lists: number('lists'),
  };
  if (rates.payments > rates.creations)
    throw new Error('--payments must be at most --creations, because a charge is paid once');
  return {
    url: readUrl(values.url),
    apiKeys: readKeys(apiKeys),
    rates,
    seconds: number('seconds'),
    warmupSeconds: number('warmup'),
    connections: number('connections'),
    ca: values.ca === undefined ? undefined : readAuthority(values.ca),
    json: values.json,
  };
}

function readUrl(text: string | undefined): string {
  const url = text === undefined ? null : URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Error('--url must be the address of the gateway, such as https://sandbox.example.com');
  return url.origin;
}

function readKeys(text: string | undefined): readonly string[] {
  const keys = (text ?? '').split(',').map((key) => key.trim());
  if (!keys.every(isApiKey)) throw new Error('VEREDA_API_KEY must be one or more API keys');
  if (!keys.every((key) => key.startsWith('sk_test_')))
    throw new Error('VEREDA_API_KEY must be a key of a sandbox: this load creates and pays charges');
  return keys;
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(`--ca cannot be read: ${path}`);
  }
}
