import { parseArgs } from 'node:util';

import {
  checkAdminPassword,
  ConfigError,
  readConfig,
  readDatabaseConfig,
  requireEmbedded,
  type Config,
  type DatabaseConfig,
} from '#app/config.ts';
import { checkDatabase, checkMachine } from '#app/doctor/checks.ts';
import type { SystemCheck } from '#operator/system-routes.ts';
import type { Environment } from '#platform/config/settings-reader.ts';
import { openDatabase } from '#platform/database/connect.ts';
import { orderWritableFirst } from '#platform/database/server-urls.ts';
import { createLogger } from '#platform/kit/log.ts';
import { connectOrStart, type DatabaseServer } from './database-server.ts';
import { explain } from './explain-error.ts';
import { printError, printLine } from './output.ts';

/**
 * Checks the installation with the settings of this machine, and prints a table or JSON. Changes
 * nothing. Exits with 1 if a check failed.
 */
export async function doctorCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  const checks = await diagnose(process.env);
  const isWell = checks.every(({ status }) => status !== 'FAILED');
  if (values.json) printLine(JSON.stringify({ ok: isWell, checks }, null, 2));
  else
    for (const { name, status, detail } of checks)
      printLine(`${status.padEnd(9)}${name.padEnd(14)}${detail}`);
  if (!isWell) process.exitCode = 1;
}

async function diagnose(environment: Environment): Promise<readonly SystemCheck[]> {
  const { databaseConfig, config, check } = await checkSettings(environment);
  const checks = [
    databaseConfig === undefined ? [] : await checkServer(databaseConfig, config),
    // With wrong settings only the database can be checked.
    config === undefined ? [] : await checkMachine(config),
  ];
  return [check, ...checks.flat()];
}

/** Reports an unreachable database as a finding, so that the other checks still run. */
async function checkServer(
  databaseConfig: DatabaseConfig,
  config: Config | undefined,
): Promise<readonly SystemCheck[]> {
  let server: DatabaseServer | undefined;
  try {
    server = await connectOrStart(databaseConfig, createLogger('fatal'));
    const url = await orderWritableFirst(server.url);
    const database = openDatabase({ url, poolSize: 2, onError: () => undefined });
    try {
      return await checkDatabase(config ?? databaseConfig, database.db);
    } finally {
      await database.close();
    }
  } catch (error) {
    return [{ name: 'database', status: 'FAILED', detail: explain(error).join('; ') }];
  } finally {
    await server?.stop();
  }
}

interface CheckedSettings {
  /** Absent if those of the database are wrong. */
  readonly databaseConfig?: DatabaseConfig;
  /** Absent if any setting is wrong. */
  readonly config?: Config;
  readonly check: SystemCheck;
}

async function checkSettings(environment: Environment): Promise<CheckedSettings> {
  let databaseConfig: DatabaseConfig | undefined;
  try {
    databaseConfig = readUsableDatabaseConfig(environment);
    const config = readConfig(environment);
    await checkAdminPassword(config);
    const { warnings, mode } = config;
    const check: SystemCheck =
      warnings.length === 0
        ? { name: 'settings', status: 'OK', detail: `mode ${mode}` }
        : { name: 'settings', status: 'WARNING', detail: warnings.join('; ') };
    return { databaseConfig, config, check };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const check: SystemCheck = { name: 'settings', status: 'FAILED', detail: error.lines.join('; ') };
    if (databaseConfig !== undefined) return { databaseConfig, check };
    // Printed as every other command prints them, instead of the line that names the database.
    for (const line of error.lines) printError(line);
    return { check };
  }
}

/** If settings are wrong, reports all of them, not only those of the database. */
function readUsableDatabaseConfig(environment: Environment): DatabaseConfig {
  let databaseConfig: DatabaseConfig;
  try {
    databaseConfig = readDatabaseConfig(environment);
  } catch (error) {
    readConfig(environment);
    throw error;
  }
  requireEmbedded(databaseConfig);
  return databaseConfig;
}
