import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { banner } from '#banner.ts';
import { ConfigError, readConfig, type Config } from '#config.ts';
import { openDatabase } from '#database/connect.ts';
import { runningEmbedded, startEmbedded } from '#database/embedded.ts';
import { migrate } from '#database/migrate.ts';
import { startGateway } from '#gateway.ts';
import { checkLedger } from '#ledger/service.ts';
import { createLogger, type Logger } from '#log.ts';

const USAGE = `Usage: gateway COMMAND

  start         API and worker, with an embedded PostgreSQL unless DATABASE_URL is set
  api           API alone
  worker        worker alone
  migrate       bring the database schema to the newest version
  ledger-check  recompute every balance; ends with 1 where one differs

Settings are environment variables; docs/configuration.md lists them.
`;

/** A stop that takes longer than this is cut off: whatever starts the gateway again must not wait for it. */
const STOP_DEADLINE_MS = 4_500;

interface DatabaseInUse {
  readonly url: string;
  stop(): Promise<void>;
}

async function main(command: string | undefined): Promise<void> {
  switch (command) {
    case 'start':
      return serve({ api: true, worker: true });
    case 'api':
      return serve({ api: true, worker: false });
    case 'worker':
      return serve({ api: false, worker: true });
    case 'migrate':
      return migrateCommand();
    case 'ledger-check':
      return ledgerCheckCommand();
    case undefined:
    default:
      process.stderr.write(USAGE);
      process.exitCode = 2;
  }
}

async function serve(parts: { readonly api: boolean; readonly worker: boolean }): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  const stopAsked = stopSignal();
  const database = await useDatabase(config, log);
  try {
    await migrate(database.url);
    const gateway = await startGateway({ config, databaseUrl: database.url, log, ...parts });
    process.stdout.write(banner(config, parts, gateway.demo));
    await stopAsked;
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    await gateway.stop();
  } finally {
    await database.stop();
  }
  log.info('stopped');
}

/** Resolves at the first signal to stop. Further ones change nothing: npm and the terminal both send one. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGINT', () => resolve());
    process.on('SIGTERM', () => resolve());
  });
}

/** The database of the settings, or the embedded one: started here, unless a running gateway has started it already. */
async function useDatabase(config: Config, log: Logger): Promise<DatabaseInUse> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, stop: async () => undefined };
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  return startEmbedded({
    directory: embeddedDirectory(config),
    onUnexpectedExit: (reason) => log.fatal({ reason }, 'the embedded database has ended'),
  });
}

const embeddedDirectory = (config: Config): string => join(config.dataDir, 'postgres');

/** For a command beside a gateway that may be running on the same embedded database. */
async function borrowDatabase(config: Config, log: Logger): Promise<DatabaseInUse> {
  const running =
    config.databaseUrl === undefined ? await runningEmbedded(embeddedDirectory(config)) : undefined;
  return running === undefined ? useDatabase(config, log) : { url: running, stop: async () => undefined };
}

async function migrateCommand(): Promise<void> {
  const config = readConfig(process.env);
  const database = await borrowDatabase(config, createLogger(config.logLevel));
  try {
    const applied = await migrate(database.url);
    process.stdout.write(
      applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`,
    );
  } finally {
    await database.stop();
  }
}

async function ledgerCheckCommand(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  const borrowed = await borrowDatabase(config, log);
  try {
    const database = openDatabase({ url: borrowed.url, poolSize: 2, onError: (err) => log.warn({ err }) });
    try {
      const check = await checkLedger(database.db);
      process.stdout.write(`${JSON.stringify(check, null, 2)}\n`);
      if (!check.balanced) process.exitCode = 1;
    } finally {
      await database.close();
    }
  } finally {
    await borrowed.stop();
  }
}

try {
  await main(process.argv[2]);
} catch (error) {
  const lines =
    error instanceof ConfigError ? error.lines : [error instanceof Error ? error.message : 'unknown error'];
  for (const line of lines) process.stderr.write(`gateway: ${line}\n`);
  process.exitCode = 1;
}
