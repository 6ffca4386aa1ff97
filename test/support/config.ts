import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach } from 'vitest';

import { ConfigError, readConfig, type Config } from '#app/config.ts';
import type { Environment } from '#platform/config/settings-reader.ts';

export const JWT_SECRET = 'a secret of forty characters for tests!!';
export const ENCRYPTION_KEY = randomBytes(32).toString('hex');
/** A secret that no error may contain. */
export const SECRET = 'hunter2-hunter2';
export const DATABASE_URL = 'postgresql://user:db-password@db.example.com:5432/gateway?sslmode=verify-full';
const PUBLIC_URL = 'https://pay.example.com';
const PRODUCTION: Environment = {
  MODE: 'production',
  PUBLIC_URL,
  DATABASE_URL,
  JWT_SECRET,
  ENCRYPTION_KEY,
};

/** Reads settings with a data directory for each test. */
export function useConfig() {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gateway-config-'));
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });
  const sandbox = (settings: Environment = {}): Config => readConfig({ DATA_DIR: dataDir, ...settings });
  const production = (settings: Environment = {}): Config =>
    readConfig({ DATA_DIR: dataDir, ...PRODUCTION, ...settings });
  return {
    get dataDir() {
      return dataDir;
    },
    sandbox,
    production,
  };
}

/** The names of the rejected settings, in alphabetical order. */
export const namedIn = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.split(' ')[0] ?? '').toSorted();

/** The lines of the error. Fails if there is no error. */
export function linesOf(read: () => Config): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  throw new Error('these settings were accepted');
}
