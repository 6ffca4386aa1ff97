import { parseArgs } from 'node:util';

import {
  checkAdminPassword,
  ConfigError,
  readConfig,
  readDatabaseConfig,
  requireEmbedded,
  type Config,
} from '#app/config.ts';
import { checkDatabase, checkInstallation } from '#app/doctor/checks.ts';
import type { SystemCheck } from '#operator/system-routes.ts';
import type { Environment } from '#platform/config/settings-reader.ts';
import { openDatabase } from '#platform/database/connect.ts';
import { orderWritableFirst } from '#platform/database/server-urls.ts';
import { createLogger } from '#platform/kit/log.ts';
import { connectOrStart } from './database-server.ts';
import { say } from './output.ts';

/**
 * Checks the installation as this machine and these settings see it, and prints a table or JSON.
 * Changes nothing. Exits with 1 if a check failed.
 */
export async function doctorCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  const checks = await diagnose(process.env);
  const isWell = checks.every(({ status }) => status !== 'FAILED');
  if (values.json) say(JSON.stringify({ ok: isWell, checks }, null, 2));
  else for (const { name, status, detail } of checks) say(`${status.padEnd(9)}${name.padEnd(14)}${detail}`);
  if (!isWell) process.exitCode = 1;
}

async function diagnose(environment: Environment): Promise<readonly SystemCheck[]> {
  const databaseConfig = readDatabaseConfig(environment);
  requireEmbedded(databaseConfig);
  const { config, check } = await checkSettings(environment);
  const log = createLogger('fatal');
  const server = await connectOrStart(databaseConfig, log);
  const database = openDatabase({
    url: await orderWritableFirst(server.url),
    poolSize: 2,
    onError: () => undefined,
  });
  try {
    const { db } = database;
    // With wrong settings only the database can be checked.
    const checks =
      config === undefined ? await checkDatabase(databaseConfig, db) : await checkInstallation(config, db);
    return [check, ...checks];
  } finally {
    await database.close();
    await server.stop();
  }
}

interface CheckedSettings {
  /** Absent if the settings are wrong. */
  readonly config?: Config;
  readonly check: SystemCheck;
}

async function checkSettings(environment: Environment): Promise<CheckedSettings> {
  try {
    const config = readConfig(environment);
    await checkAdminPassword(config);
    const { warnings, mode } = config;
    return warnings.length === 0
      ? { config, check: { name: 'settings', status: 'OK', detail: `mode ${mode}` } }
      : { config, check: { name: 'settings', status: 'WARNING', detail: warnings.join('; ') } };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { check: { name: 'settings', status: 'FAILED', detail: error.lines.join('; ') } };
  }
}
