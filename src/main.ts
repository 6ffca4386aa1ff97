import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { banner } from '#app/banner.ts';
import { parseCnabCommand, runCnabCommand } from '#app/commands/cnab-command.ts';
import { ConfigError, readConfig, type Config } from '#app/config.ts';
import { findWritableUrl } from '#platform/database/server-urls.ts';
import { armFailPoint } from '#platform/kit/fail-points.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { findRunningEmbeddedUrl, startEmbedded } from '#platform/database/embedded.ts';
import { grantPrivileges } from '#platform/database/grants.ts';
import { migrate } from '#platform/database/migrate.ts';
import { DEFAULT_TRANSACTION_COUNT, writeDemoData } from '#app/demo-data/demo-data.ts';
import { startGateway } from '#app/gateway.ts';
import { checkLedger } from '#accounting/ledger/service.ts';
import { listen } from '#app/commands/listen/listen.ts';
import { readListenOptions } from '#app/commands/listen/options.ts';
import { parsePayerCommand, runPayerCommand } from '#app/commands/payer-command.ts';
import { runRotateKeys } from '#app/commands/rotate-keys-command.ts';
import { checkKeys } from '#platform/crypto/service.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { createLogger, type Logger } from '#platform/kit/log.ts';

const USAGE = `Usage: gateway COMMAND

  start         API and worker, with an embedded PostgreSQL unless DATABASE_URL is set
  api           API alone
  worker        worker alone
  migrate       bring the database schema to the newest version; --grant-app ROLE and --grant-reports ROLE
                give users of the database what they need and no more
  ledger-check  recompute every balance; ends with 1 where one differs
  cnab          exchange files with the bank: cnab ship FILE [boletos|transfers|pix], cnab return FILE
  payer         export or erase a payer's personal data; reads the document or e-mail address from its input
  rotate-keys   reencrypt everything with the first key of ENCRYPTION_KEY, so that the others can be removed
  listen        post a seller's events to this machine: listen --forward-to http://localhost:3000/hook
  demo-data     fill the sandbox with a year of history: demo-data [CHARGES], 200000 by default

Settings are environment variables; docs/configuration.md lists them.
`;

/** A stop that takes longer exits with an error, so that a supervisor can restart the gateway. */
const STOP_DEADLINE_MS = 4_500;

/** The timeout of one statement of a ledger check. */
const LEDGER_CHECK_STATEMENT_TIMEOUT_MS = 3_600_000;

interface DatabaseServer {
  readonly url: string;
  /** Resolves if an embedded server ends unexpectedly; never for an external one. */
  readonly ended: Promise<Error>;
  stop(): Promise<void>;
}

/** A server that this process does not stop. */
const externalServer = (url: string): DatabaseServer => ({
  url,
  ended: new Promise(() => undefined),
  stop: async () => undefined,
});

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
    case 'cnab':
      return cnabCommand(process.argv.slice(3));
    case 'payer':
      return payerCommand(process.argv.slice(3));
    case 'rotate-keys':
      return rotateKeysCommand();
    case 'listen':
      return listenCommand(process.argv.slice(3));
    case 'demo-data':
      return demoDataCommand(process.argv[3]);
    case undefined:
    default:
      process.stderr.write(USAGE);
      process.exitCode = 2;
  }
}

interface ServeOptions {
  readonly api: boolean;
  readonly worker: boolean;
}

async function serve(options: ServeOptions): Promise<void> {
  // Throws at any argument.
  parseArgs({ args: process.argv.slice(3) });
  const config = readConfig(process.env);
  armFailPoint(config);
  const log = createLogger(config.logLevel);
  // A worker serves no requests, so it has nothing to drain.
  const stopRequested = stopSignal(options.api ? config.drainSeconds : 0);
  const database = await startOrConnect(config, log);
  try {
    await migrate(database.url, { log });
    const { api, worker } = options;
    const gateway = await startGateway({ config, databaseUrl: database.url, log, api, worker });
    process.stdout.write(banner(config, options, gateway.demo));
    const stop = await Promise.race([stopRequested, database.ended.finally(() => exitAfterDeadline(0))]);
    const drainMs = stop instanceof Error ? 0 : stop.drainMs;
    gateway.drain();
    if (drainMs > 0) log.info({ seconds: drainMs / 1000 }, 'draining before the stop');
    if (!(stop instanceof Error)) await stop.drained();
    await gateway.stop();
    if (stop instanceof Error) throw stop;
  } finally {
    await database.stop();
  }
  log.info('stopped');
  exitImmediately();
}

/**
 * Exits although traces that were not accepted or a pending DNS lookup of a webhook receiver would
 * keep the process alive for seconds.
 */
function exitImmediately(): void {
  process.exit();
}

interface Stop {
  /** How long to go on serving first, while load balancers learn that they must send requests elsewhere. */
  readonly drainMs: number;
  /** Resolves after that time, or at an interrupt. */
  drained(): Promise<unknown>;
}

/**
 * Resolves at the first signal to stop. SIGINT (Ctrl-C) stops at once and ends a drain. Further signals
 * change nothing, because npm and the terminal both send one. The deadline runs from the signal, so that
 * it also covers a start that hangs.
 */
function stopSignal(drainSeconds: number): Promise<Stop> {
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>();
  return new Promise((resolve) => {
    process.on('SIGINT', () => {
      exitAfterDeadline(0);
      interrupt();
      resolve({ drainMs: 0, drained: () => interrupted });
    });
    process.on('SIGTERM', () => {
      const drainMs = drainSeconds * 1000;
      exitAfterDeadline(drainMs);
      resolve({
        drainMs,
        drained: () => Promise.race([sleep(drainMs, undefined, { ref: false }), interrupted]),
      });
    });
  });
}

function exitAfterDeadline(drainMs: number): void {
  setTimeout(() => {
    printError('the stop took too long and was cut off');
    process.exit(1);
  }, drainMs + STOP_DEADLINE_MS).unref();
}

/** The database of the settings, or the embedded one: started here, unless a running gateway has started it already. */
async function startOrConnect(config: Config, log: Logger): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) return externalServer(config.databaseUrl);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const { promise: ended, resolve } = Promise.withResolvers<Error>();
  const server = await startEmbedded({
    directory: embeddedDirectory(config),
    // Whoever supervises the gateway starts it again, and the next start recovers the data. Staying alive without a
    // database would serve nobody.
    onUnexpectedExit: (reason) => {
      log.fatal({ reason }, 'the embedded database has ended');
      resolve(new Error('the embedded database has ended unexpectedly; start the gateway again'));
    },
  });
  return { url: server.url, ended, stop: () => server.stop() };
}

const embeddedDirectory = (config: Config): string => join(config.dataDir, 'postgres');

/** For a command beside a gateway that may be running on the same embedded database. */
async function connectOrStart(config: Config, log: Logger): Promise<DatabaseServer> {
  const running =
    config.databaseUrl === undefined ? await findRunningEmbeddedUrl(embeddedDirectory(config)) : undefined;
  return running === undefined ? startOrConnect(config, log) : externalServer(running);
}

async function migrateCommand(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { 'grant-app': { type: 'string' }, 'grant-reports': { type: 'string' } },
  });
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  const database = await connectOrStart(config, log);
  try {
    const applied = await migrate(database.url, { log });
    process.stdout.write(
      applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`,
    );
    const [app, reports] = [values['grant-app'], values['grant-reports']];
    await grantPrivileges(await findWritableUrl(database.url), { app, reports });
    for (const role of [app, reports]) if (role !== undefined) say(`Granted: ${role}`);
  } finally {
    await database.stop();
  }
}

interface CommandDatabaseOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly poolSize: number;
  /** Whether to migrate the schema first. Defaults to true. */
  readonly runMigrations?: boolean;
  /** Changes the URL of the connections. Defaults to no change. */
  readonly mapUrl?: (url: string) => string;
}

/** The database for the time of one command, which waits as long as it takes. */
async function withDatabase(
  { config, log, poolSize, runMigrations = true, mapUrl = (url) => url }: CommandDatabaseOptions,
  use: (database: Database) => Promise<void>,
): Promise<void> {
  const server = await connectOrStart(config, log);
  try {
    if (runMigrations) await migrate(server.url);
    const url = mapUrl(await findWritableUrl(server.url));
    const database = openDatabase({ url, poolSize, onError: (err) => log.warn({ err }) });
    try {
      await use(database);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}

async function ledgerCheckCommand(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  await withDatabase({ config, log, poolSize: 2, runMigrations: false }, async (database) => {
    const secrets = new SecretBox(config.encryptionKeys);
    await checkKeys(database.db, secrets);
    const check = await checkLedger(database.db, secrets, {
      statementTimeoutMs: LEDGER_CHECK_STATEMENT_TIMEOUT_MS,
    });
    process.stdout.write(`${JSON.stringify(check, null, 2)}\n`);
    if (!check.balanced) process.exitCode = 1;
  });
}

async function payerCommand(args: readonly string[]): Promise<void> {
  const command = parsePayerCommand(args);
  const config = readConfig(process.env);
  const log = createLogger('warn');
  await withDatabase({ config, log, poolSize: 2 }, async (database) => {
    await runPayerCommand(command, database, process.stdin, say);
  });
}

async function rotateKeysCommand(): Promise<void> {
  const config = readConfig(process.env);
  armFailPoint(config);
  const log = createLogger('warn');
  await withDatabase({ config, log, poolSize: 2 }, async (database) => {
    say(JSON.stringify(await runRotateKeys(config, database), null, 2));
  });
}

/** Holds nothing that would have to be given back, so a signal ends it at once. */
async function listenCommand(args: readonly string[]): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
  await listen(await readListenOptions(args, process.env), say);
}

async function cnabCommand(args: readonly string[]): Promise<void> {
  const command = parseCnabCommand(args);
  const config = readConfig(process.env);
  const log = createLogger('warn');
  await withDatabase({ config, log, poolSize: 6 }, async (database) => {
    if (!(await runCnabCommand(command, { config, database, log }, say))) process.exitCode = 1;
  });
}

async function demoDataCommand(argument: string | undefined): Promise<void> {
  const transactionCount = argument === undefined ? DEFAULT_TRANSACTION_COUNT : Number(argument);
  if (!Number.isSafeInteger(transactionCount) || transactionCount < 1 || transactionCount > 10_000_000) {
    throw new Error('demo-data takes a number of charges from 1 to 10000000');
  }
  const config = readConfig(process.env);
  if (config.mode !== 'sandbox')
    throw new Error('demo-data are for MODE=sandbox: they would stand among real money');
  const log = createLogger('warn');
  await withDatabase({ config, log, poolSize: 6, mapUrl: withoutSynchronousCommit }, async (database) => {
    const begun = performance.now();
    const made = await writeDemoData({ config, database, log }, transactionCount, say);
    const seconds = Math.round((performance.now() - begun) / 1000);
    say(`${made.charges} charges of ${made.sellers} sellers in ${seconds} s`);
  });
}

/** Commits that do not wait for the disk: what a crash takes of invented data is no loss. */
function withoutSynchronousCommit(url: string): string {
  const address = new URL(url);
  address.searchParams.set('options', '-c synchronous_commit=off');
  return address.href;
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const printError = (line: string): boolean => process.stderr.write(`gateway: ${line}\n`);

type SystemError = NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string };

/** What went wrong, in words that name what to change. */
function explain(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.lines;
  // A name with several addresses fails with one error for each, and no words of its own.
  if (error instanceof AggregateError) return explain(error.errors[0]);
  if (!(error instanceof Error)) return ['unknown error'];
  const { code, syscall, address, port, hostname }: SystemError = error;
  // PostgreSQL's word for a table that does not exist.
  if (code === '42P01') return ['the database has no tables yet: run npm run migrate, or npm start, first'];
  switch (`${syscall} ${code}`) {
    case 'listen EADDRINUSE':
      return [`PORT ${port} on ${address} is used by another program: stop that one, or set another PORT`];
    case 'listen EACCES':
      return [`PORT ${port} may be opened by root only: set another PORT`];
    case 'listen EADDRNOTAVAIL':
      return [`HOST ${address} is no address of this machine`];
    case 'getaddrinfo ENOTFOUND':
      return [`the name ${hostname} cannot be resolved: check HOST and DATABASE_URL`];
    default:
      return [error.message];
  }
}

try {
  await main(process.argv[2]);
} catch (error) {
  for (const line of explain(error)) printError(line);
  process.exitCode = 1;
}
