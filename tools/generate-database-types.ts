import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { startEmbedded } from '#platform/database/embedded.ts';
import { migrate } from '#platform/database/migrate.ts';
import { errorMessage } from '#platform/kit/errors.ts';

// Writes the row types of the migrated schema to types.gen.ts. With --check, compares them only.

const OUT = fileURLToPath(new URL('../src/platform/database/types.gen.ts', import.meta.url));
const CODEGEN = fileURLToPath(import.meta.resolve('kysely-codegen/dist/cli/bin.js'));

const directory = await mkdtemp(join(tmpdir(), 'gateway-types-'));
try {
  const database = await startEmbedded({ directory, settings: { fsync: 'off' } });
  try {
    await migrate(database.url);
    await promisify(execFile)(process.execPath, [
      CODEGEN,
      '--dialect',
      'postgres',
      '--url',
      database.url,
      '--out-file',
      OUT,
      // bigint columns hold cents and counts, which the driver returns as safe integers.
      '--type-mapping',
      '{"int8":"number"}',
      '--exclude-pattern',
      'schema_migrations',
      ...(process.argv.includes('--check') ? ['--verify'] : []),
    ]);
  } finally {
    await database.stop();
  }
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.stderr.write(
    'The row types do not match the migrations: run npm run generate:types and commit the result.\n',
  );
  process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
