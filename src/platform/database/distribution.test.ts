import { readdir, readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { cloneDatabase } from '#test/support/database.ts';
import { distribute, placementsIn } from './distribution.ts';
import { APP_PRIVILEGES } from './grants.ts';
import { migrationsIn } from './schema.ts';

async function readMigrations(): Promise<readonly string[]> {
  const directory = migrationsIn(undefined);
  const files = (await readdir(directory)).filter((name) => name.endsWith('.sql'));
  return Promise.all(files.map((name) => readFile(new URL(name, directory), 'utf8')));
}

it('every table of the schema declares its placement', async () => {
  const migrations = await readMigrations();
  const placements = new Map(migrations.flatMap((migration) => [...placementsIn(migration)]));
  expect([...placements].filter(([, placement]) => placement === undefined)).toEqual([]);
  expect([...placements.keys()].toSorted()).toEqual(Object.keys(APP_PRIVILEGES).toSorted());
});

it('reports a table without a placement', () => {
  const migration =
    '-- citus: local\nCREATE TABLE one (id uuid);\n-- A table.\nCREATE TABLE two (id uuid);\n';
  expect([...placementsIn(migration)]).toEqual([
    ['one', 'local'],
    ['two', undefined],
  ]);
});

it('distributed tables have unique keys by seller_id only, and refer to reference tables only', async () => {
  const migrations = await readMigrations();
  const placements = new Map(migrations.flatMap((migration) => [...placementsIn(migration)]));
  const database = await cloneDatabase();
  try {
    const rows = await database.query<{ table: string; columns: string[]; referred: string | null }>(`
      SELECT i.indrelid::regclass::text AS table, NULL AS referred,
        ARRAY(SELECT a.attname::text FROM pg_attribute a
          WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)) AS columns
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace
      UNION ALL
      SELECT conrelid::regclass::text, confrelid::regclass::text, '{seller_id}'::text[]
      FROM pg_constraint WHERE contype = 'f'`);
    const wrong = rows.filter(
      ({ table, columns, referred }) =>
        placements.get(table) === 'distributed' &&
        (!columns.includes('seller_id') || (referred !== null && placements.get(referred) !== 'reference')),
    );
    expect(rows.length).toBeGreaterThan(placements.size);
    expect(wrong).toEqual([]);
  } finally {
    await database.drop();
  }
});

it('refuses a server without Citus', async () => {
  const database = await cloneDatabase();
  try {
    await expect(distribute(database.ownerUrl)).rejects.toThrow('does not have the extension citus');
  } finally {
    await database.drop();
  }
});
