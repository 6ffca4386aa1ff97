import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

const DIRECTORY = fileURLToPath(new URL('../../../migrations/', import.meta.url));

const CONTRACTS = [
  /\bDROP\s+(TABLE|COLUMN|TYPE|VIEW|SCHEMA)\b/i,
  /\bRENAME\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bALTER\s+COLUMN\s+\w+\s+(SET\s+DATA\s+)?TYPE\b/i,
  /^\s*TRUNCATE\b/im,
];

/** What in a migration breaks the previous version or running processes; empty if nothing. */
function findProblems(text: string): readonly string[] {
  const sql = text.replaceAll(/--.*$/gm, '');
  const found: string[] = [];
  const contracts = CONTRACTS.filter((pattern) => pattern.test(sql));
  if (contracts.length > 0 && !/^-- contract: \S/m.test(text))
    found.push('it takes away, and says not since when');
  for (const [, column = ''] of sql.matchAll(
    /\bADD\s+(?:COLUMN\s+)?(?:IF NOT EXISTS\s+)?(\w+ [^,;]*NOT NULL[^,;]*)/gi,
  )) {
    if (!/\bDEFAULT\b/i.test(column)) found.push(`rows of the version before lack ${column.split(' ')[0]}`);
  }
  const created = new Set(
    Array.from(sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi), ([, table]) => table),
  );
  for (const [, concurrently, table] of sql.matchAll(
    /CREATE\s+(?:UNIQUE\s+)?INDEX\s+(CONCURRENTLY\s+)?(?:IF NOT EXISTS\s+)?\w+\s+ON\s+(\w+)/gi,
  )) {
    if (concurrently === undefined && !created.has(table)) found.push(`its index locks ${table}`);
  }
  const changed = new Set(
    Array.from(sql.matchAll(/ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)/gi), ([, table]) => table),
  ).difference(created);
  if (changed.size > 1) found.push(`it holds ${[...changed].join(' and ')} at once`);
  return found;
}

it('no migration breaks the running version, and no two share a number', async () => {
  const files = await readdir(DIRECTORY);
  expect(files.length).toBeGreaterThan(0);
  expect(new Set(files.map((name) => name.slice(0, 4))).size).toBe(files.length);
  const found = files.map(async (name) =>
    findProblems(await readFile(`${DIRECTORY}${name}`, 'utf8')).map((words) => `${name}: ${words}`),
  );
  expect((await Promise.all(found)).flat()).toEqual([]);
});

it.each([
  ['ALTER TABLE sellers DROP COLUMN name;', 'takes away'],
  ['ALTER TABLE sellers RENAME COLUMN name TO title;', 'takes away'],
  ['ALTER TABLE sellers ALTER COLUMN name SET NOT NULL;', 'takes away'],
  ['ALTER TABLE sellers ALTER COLUMN name TYPE varchar(9);', 'takes away'],
  ['ALTER TABLE sellers ADD COLUMN colour text NOT NULL;', 'lack colour'],
  [
    'ALTER TABLE sellers ADD COLUMN a text; ALTER TABLE users ADD COLUMN a text;',
    'sellers and users at once',
  ],
  ['CREATE INDEX sellers_by_name ON sellers (name);', 'locks sellers'],
])('%s is not a valid migration', (text, words) => {
  expect(findProblems(text)).toEqual([expect.stringContaining(words)]);
});

it.each([
  '-- contract: nobody reads it since 0.2\nALTER TABLE sellers DROP COLUMN name;',
  'ALTER TABLE sellers ADD COLUMN colour text;',
  "ALTER TABLE sellers ADD COLUMN colour text NOT NULL DEFAULT '', ADD COLUMN size integer;",
  'CREATE TABLE colours (id uuid PRIMARY KEY, name text NOT NULL);\nCREATE INDEX colours_by_name ' +
    'ON colours (name);',
  '-- each statement by itself\nCREATE INDEX CONCURRENTLY IF NOT EXISTS sellers_by_name ON sellers (name);',
])('%s is a valid migration', (text) => {
  expect(findProblems(text)).toEqual([]);
});
