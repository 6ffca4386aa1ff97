import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Type } from 'typebox';
import { Value } from 'typebox/value';

import { errorCode } from '#platform/kit/errors.ts';

/** Secrets that a sandbox generates for itself. */
export interface GeneratedSecrets {
  readonly jwt: string;
  readonly encryption: string;
}

const SecretsFile = Type.Object({
  jwt: Type.String({ minLength: 32 }),
  encryption: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

/**
 * Reads the secrets of a data folder, or generates them with permissions for the owner only. The
 * file is written under another name and then linked. An interrupted start therefore leaves no
 * partial file, and of two concurrent starts the second reads the secrets of the first.
 *
 * @throws Error with a message for the operator
 */
export function generatedSecrets(dataDir: string): GeneratedSecrets {
  const file = join(dataDir, 'secrets.json');
  const existing = readSecrets(file);
  if (existing !== undefined) return existing;
  const generated = { jwt: randomBytes(32).toString('hex'), encryption: randomBytes(32).toString('hex') };
  const temporaryFile = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(temporaryFile, JSON.stringify(generated), { mode: 0o600 });
    // A crash of an earlier version left an empty file. Nothing was encrypted with it.
    if (isEmpty(file)) rmSync(file);
    linkSync(temporaryFile, file);
    return generated;
  } catch (error) {
    const other = errorCode(error) === 'EEXIST' ? readSecrets(file) : undefined;
    if (other !== undefined) return other;
    throw new Error(`DATA_DIR: ${dataDir} cannot be written`, { cause: error });
  } finally {
    rmSync(temporaryFile, { force: true });
  }
}

/** Returns undefined if there is no such file or it is empty. */
function readSecrets(file: string): GeneratedSecrets | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    if (text === '') return undefined;
    const parsed: unknown = JSON.parse(text);
    if (Value.Check(SecretsFile, parsed)) return parsed;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
  }
  throw new Error(`DATA_DIR: ${file} cannot be read; restore it, or start with another DATA_DIR`);
}

function isEmpty(file: string): boolean {
  try {
    return readFileSync(file).length === 0;
  } catch {
    return false;
  }
}
