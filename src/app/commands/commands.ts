import { parseArgs } from 'node:util';

import { checkHeads, parseHeads, runFullCheck, type FullCheck } from '#accounting/ledger/service.ts';
import {
  readConfig,
  readDatabaseConfig,
  readEncryptionConfig,
  readRestoreConfig,
  requireEmbedded,
} from '#app/config.ts';
import { readDataKeys } from '#platform/crypto/data-keys.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { openMasterKey } from '#platform/crypto/master-key.ts';
import type { Db } from '#platform/database/connect.ts';
import { distribute } from '#platform/database/distribution.ts';
import { grantPrivileges } from '#platform/database/grants.ts';
import { migrate } from '#platform/database/migrate.ts';
import { findWritableUrl } from '#platform/database/server-urls.ts';
import { armFailPoint } from '#platform/kit/fail-points.ts';
import { createLogger } from '#platform/kit/log.ts';
import { parseCnabCommand, runCnabCommand } from './cnab-command.ts';
import { connectOrStart, describeTarget, withDatabase } from './database-server.ts';
import { printNote, printLine } from './output.ts';
import { parsePayerCommand, runPayerCommand } from './payer-command.ts';
import { parseRecoverAdmin, runRecoverAdmin } from './recover-admin-command.ts';
import { parseRestoredCommand, runRestoredCommand } from './restored-command.ts';
import { parseRotateKeys, runRewrapKeys, runRotateKeys } from './rotate-keys-command.ts';

/** How often a command that runs for long reports its progress. */
const PROGRESS_INTERVAL_MS = 2_000;

/** What Citus supports. */
const MAX_SHARDS = 64_000;

export async function migrateCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { 'grant-app': { type: 'string' }, 'grant-reports': { type: 'string' } },
  });
  const config = readDatabaseConfig(process.env);
  const log = createLogger(config.logLevel);
  const database = await connectOrStart(config, log);
  try {
    const applied = await migrate(database.url, { log });
    process.stdout.write(
      applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`,
    );
    const [app, reports] = [values['grant-app'], values['grant-reports']];
    await grantPrivileges(await findWritableUrl(database.url), { app, reports });
    for (const role of [app, reports]) if (role !== undefined) printLine(`Granted: ${role}`);
  } finally {
    await database.stop();
  }
}

/** Distributes the tables of a migrated database over the nodes of a Citus cluster. */
export async function distributeCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { shards: { type: 'string' } } });
  const shards = values.shards === undefined ? undefined : Number(values.shards);
  if (shards !== undefined && !(Number.isInteger(shards) && shards >= 1 && shards <= MAX_SHARDS)) {
    throw new Error(`--shards must be an integer from 1 to ${MAX_SHARDS}`);
  }
  const config = readDatabaseConfig(process.env);
  const { databaseUrl } = config;
  if (databaseUrl === undefined) {
    throw new Error('DATABASE_URL is required: the embedded database cannot be distributed');
  }
  printNote(describeTarget(config, databaseUrl));
  const placed = await distribute(databaseUrl, {
    shards,
    onTable: (table, placement) => printLine(`${table}: ${placement}`),
  });
  printLine(placed.length === 0 ? 'The database is distributed already.' : 'The database is distributed.');
}

/** With `--head`, which may be repeated, checks that exported heads are part of the chains. */
export async function ledgerCheckCommand(args: readonly string[]): Promise<void> {
  const options = { head: { type: 'string', multiple: true } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const heads = (values.head ?? []).map((text) => {
    const parsed = parseHeads(text);
    if (parsed === undefined) throw new Error('--head must be an exported line, or one of its heads');
    return parsed;
  });
  const config = readEncryptionConfig(process.env);
  const log = createLogger(config.logLevel);
  await withDatabase({ config, log, poolSize: 2, runMigrations: false }, async (database) => {
    const secrets = await readDataKeys(database.db, openMasterKey(config.masterKey));
    const deps = { db: database.db, secrets, onError: () => undefined };
    const check = await runFullCheck(deps, { waitMs: Infinity, onProgress: progressReporter() });
    if (check === undefined) throw new Error('the ledger check has no result');
    const missing = await checkHeads(database.db, heads.flat());
    const discrepancies = [...check.discrepancies, ...missing];
    const balanced = discrepancies.length === 0;
    process.stdout.write(`${JSON.stringify({ ...check, balanced, discrepancies }, null, 2)}\n`);
    if (!balanced) process.exitCode = 1;
  });
}

/** Prints the progress of a check every two seconds, beside the result on standard output. */
function progressReporter(): (check: FullCheck) => void {
  let reportedMs = performance.now();
  return ({ id, progress }) => {
    if (performance.now() - reportedMs < PROGRESS_INTERVAL_MS) return;
    reportedMs = performance.now();
    process.stderr.write(`ledger check ${id}: ${progress} %\n`);
  };
}

export async function payerCommand(args: readonly string[]): Promise<void> {
  const command = parsePayerCommand(args);
  const config = readDatabaseConfig(process.env);
  const log = createLogger('warn');
  await withDatabase({ config, log, poolSize: 2 }, async (database) => {
    await runPayerCommand(command, database, process.stdin, printLine);
  });
}

export async function recoverAdminCommand(args: readonly string[]): Promise<void> {
  const email = parseRecoverAdmin(args);
  const config = readDatabaseConfig(process.env);
  const log = createLogger('warn');
  await withDatabase({ config, log, poolSize: 2 }, (database) => runRecoverAdmin(email, database, printLine));
}

export async function rotateKeysCommand(args: readonly string[]): Promise<void> {
  const { onlyMaster, from } = parseRotateKeys(args);
  const config = readEncryptionConfig(process.env, from);
  armFailPoint(config);
  const log = createLogger('warn');
  await withDatabase({ config, log, poolSize: 2 }, async (database) => {
    const run = onlyMaster ? runRewrapKeys : runRotateKeys;
    printLine(JSON.stringify(await run(config, database), null, 2));
  });
}

export async function cnabCommand(args: readonly string[]): Promise<void> {
  const command = parseCnabCommand(args);
  requireEmbedded(readDatabaseConfig(process.env));
  const config = readConfig(process.env);
  const log = createLogger('warn');
  await withDatabase({ config, log, poolSize: 6 }, async (database) => {
    if (!(await runCnabCommand(command, { config, database, log }, printLine))) process.exitCode = 1;
  });
}

const openSecrets = async (db: Db): Promise<SecretBox> =>
  readDataKeys(db, openMasterKey(readEncryptionConfig(process.env).masterKey));

export async function restoredCommand(args: readonly string[]): Promise<void> {
  const command = parseRestoredCommand(args);
  const config = readRestoreConfig(process.env);
  const log = createLogger('warn');
  await withDatabase({ config, log, poolSize: 2 }, (database) =>
    runRestoredCommand(command, { config, database, openSecrets }, printLine),
  );
}
