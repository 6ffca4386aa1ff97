import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { checkSync } from 'recheck';
import { parseSync } from 'vite';

import { isRecord } from '#test/support/openapi-conformance.ts';

/**
 * Fails where a regular expression of ours can take more than linear time, whatever it is given. Literals, and patterns of
 * schemas, are found in the syntax tree; each is judged by `recheck`, which also tries to attack what it cannot prove.
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
 * Put together when the program starts, of text of our own: a class of characters, and a word before digits. And of a payer's words,
 * escaped, between which nothing stands that a word may hold; a test of its own tries names that would be slow.
 */
const PUT_TOGETHER = ['src/payments/transactions/lookup.ts', 'src/privacy/redaction.ts'];

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
    const judged = checkSync(pattern, flags, { timeout: 20_000 });
    if (judged.status === 'safe') continue;
    const why = judged.status === 'vulnerable' ? judged.complexity.summary : judged.error.kind;
    problems.push(`${file}: /${pattern}/${flags} is ${judged.status}: ${why}`);
  }
}
process.stdout.write(`${checked} regular expressions, ${problems.length} problems\n`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
