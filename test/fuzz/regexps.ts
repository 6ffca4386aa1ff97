import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { checkSync } from 'recheck';
import { parseSync } from 'vite';

import { isRecord } from '#platform/kit/records.ts';

/**
 * Fails if a regular expression of this project can take more than linear time for some input.
 * Finds literals and schema patterns in the syntax tree; `recheck` analyzes each, and also tries to
 * attack those it cannot prove safe.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = [
  'src/**/*.ts',
  'packages/**/*.ts',
  'dashboard/*.ts',
  'dashboard/src/**/*.{ts,tsx}',
  'dashboard/public/*.js',
];

/**
 * Built when the program runs. One is built from a payer's words, escaped, with separators that no
 * word contains; a separate test covers names that would be slow. One finds the names of tables in
 * our own statements.
 */
const PUT_TOGETHER = ['src/privacy/redaction.ts', 'src/platform/database/shards/shard-names.ts'];

interface Found {
  readonly file: string;
  readonly pattern: string;
  readonly flags: string;
}

function inFile(file: string): { readonly found: readonly Found[]; readonly built: number } {
  const { program, errors } = parseSync(file, readFileSync(ROOT + file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const found: Found[] = [];
  let built = 0;
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (!isRecord(node)) return;
    const { type, regex, key, value, callee } = node;
    if (type === 'Literal' && isRecord(regex)) {
      found.push({ file, pattern: String(regex['pattern']), flags: String(regex['flags']) });
    }
    // Ajv compiles patterns as Unicode.
    if (
      type === 'Property' &&
      isNamed(key, 'pattern') &&
      isRecord(value) &&
      typeof value['value'] === 'string'
    ) {
      found.push({ file, pattern: value['value'], flags: 'u' });
    }
    if ((type === 'NewExpression' || type === 'CallExpression') && isNamed(callee, 'RegExp')) built += 1;
    for (const [name, child] of Object.entries(node)) if (name !== 'regex') walk(child);
  };
  walk(program);
  return { found, built };
}

const isNamed = (node: unknown, name: string): boolean => isRecord(node) && node['name'] === name;

const problems: string[] = [];
let checked = 0;
for (const file of globSync(SOURCES, { cwd: ROOT })) {
  if (/\.(test|gen|d)\.ts$/.test(file)) continue;
  const { found, built } = inFile(file);
  if (built > 0 && !PUT_TOGETHER.includes(file)) problems.push(`${file} puts a regular expression together`);
  for (const { pattern, flags } of found) {
    checked += 1;
    const result = checkSync(pattern, flags, { timeout: 20_000 });
    if (result.status === 'safe') continue;
    const why = result.status === 'vulnerable' ? result.complexity.summary : result.error.kind;
    problems.push(`${file}: /${pattern}/${flags} is ${result.status}: ${why}`);
  }
}
process.stdout.write(`${checked} regular expressions, ${problems.length} problems\n`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
