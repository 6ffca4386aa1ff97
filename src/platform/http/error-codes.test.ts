import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { ERROR_CODES, ERROR_GROUPS, ERRORS, FIELD_ERROR_CODES } from './error-codes.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The sources without tests and without the table. */
const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts') && !path.endsWith('/error-codes.ts'))
  .map((path) => readFileSync(ROOT + path, 'utf8'))
  .join('\n');

const isUsed = (code: string): boolean => sources.includes(`'${code}'`);

describe('the table of error codes', () => {
  it('contains no unused code', () => {
    expect([...ERROR_CODES, ...FIELD_ERROR_CODES].filter((code) => !isUsed(code))).toEqual([]);
  });

  it('contains every code that is used', () => {
    const used = [...sources.matchAll(/HttpError\(\s*'(\w+)'/g)].map(([, code]) => String(code));
    const known: readonly string[] = ERROR_CODES;
    expect(used.filter((code) => !known.includes(code))).toEqual([]);
    expect(used.length).toBeGreaterThan(50);
  });

  it('has codes in snake_case, each in one group, with a cause and a remedy', () => {
    const grouped = Object.values(ERROR_GROUPS).flatMap((group) => Object.keys(group));
    expect(grouped.toSorted()).toEqual([...ERROR_CODES].toSorted());
    for (const code of [...ERROR_CODES, ...FIELD_ERROR_CODES]) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    for (const { status, message, cause, remedy } of Object.values(ERRORS)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(message).not.toBe('');
      expect(cause).toMatch(/\.$/);
      expect(remedy).toMatch(/\.$/);
    }
  });
});
