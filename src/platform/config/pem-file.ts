import { readFileSync } from 'node:fs';

import { errorCode } from '#platform/kit/errors.ts';

export type PemFile = { readonly text: string } | { readonly problem: string };

/** Reads a PEM file. The problem follows the name of its setting and says what to do. */
export function readPemFile(path: string): PemFile {
  try {
    const text = readFileSync(path, 'utf8');
    if (/-----BEGIN [A-Z0-9 ]+-----/.test(text)) return { text };
    return { problem: `names ${path}, which is not PEM: it must contain a line -----BEGIN …-----` };
  } catch (error) {
    const code = errorCode(error) ?? 'unknown';
    const remedy =
      code === 'EACCES' ? "make it readable for the gateway's user" : 'create the file, or correct the path';
    return { problem: `names ${path}, which cannot be read (${code}): ${remedy}` };
  }
}
