import { mkdir } from 'node:fs/promises';

import { requireEmbedded, type DatabaseConfig } from '#app/config.ts';
import { requireSameClock } from '#platform/database/clock-skew.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { checkDatabaseMode } from '#platform/database/database-mode.ts';
import { embeddedDirectory, findRunningEmbeddedUrl, startEmbedded } from '#platform/database/embedded.ts';
import { migrate } from '#platform/database/migrate.ts';
import { findWritableUrl, serverUrls } from '#platform/database/server-urls.ts';
import type { Logger } from '#platform/kit/log.ts';
import { printError, printNote } from './output.ts';

export interface DatabaseServer {
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

/**
 * Returns the database of DATABASE_URL, or starts the embedded one, which the first start creates.
 */
export async function startOrConnect(config: DatabaseConfig, log: Logger): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) return externalServer(config.databaseUrl);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const { promise: ended, resolve } = Promise.withResolvers<Error>();
  const server = await startEmbedded({
    directory: embeddedDirectory(config.dataDir),
    // The process ends, so that a supervisor starts it again. The next start recovers the data.
    onUnexpectedExit: (reason) => {
      log.fatal({ reason }, 'embedded database exited');
      resolve(new Error('the embedded database exited unexpectedly; start the gateway again'));
    },
  });
  return { url: server.url, ended, stop: () => server.stop() };
}

/**
 * Returns the database for a command, and prints which one it is. A gateway may be running on the
 * same embedded database. A command never creates one.
 *
 * @throws ConfigError if there is no embedded database.
 */
export async function connectOrStart(config: DatabaseConfig, log: Logger): Promise<DatabaseServer> {
  const server = await openCommandDatabase(config, log);
  printNote(describeTarget(config, server.url));
  for (const warning of config.warnings) printError(`warning: ${warning}`);
  return server;
}

async function openCommandDatabase(config: DatabaseConfig, log: Logger): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) return externalServer(config.databaseUrl);
  requireEmbedded(config);
  const running = await findRunningEmbeddedUrl(embeddedDirectory(config.dataDir));
  return running === undefined ? startOrConnect(config, log) : externalServer(running);
}

/** The mode, host and database that a process works on, without credentials. */
export function describeTarget({ mode, dataDir, databaseUrl }: DatabaseConfig, url: string): string {
  const hosts = serverUrls(url).map((address) => {
    const { host, searchParams } = new URL(address);
    return searchParams.getAll('host').at(-1) ?? (host === '' ? 'localhost' : host);
  });
  const database = decodeURIComponent(new URL(serverUrls(url)[0] ?? url).pathname.slice(1)) || 'postgres';
  const place = databaseUrl === undefined ? ` (embedded in ${dataDir})` : '';
  return `mode ${mode}, host ${hosts.join(', ')}, database ${database}${place}`;
}

export interface CommandDatabaseOptions {
  readonly config: DatabaseConfig;
  readonly log: Logger;
  readonly poolSize: number;
  /** Whether to migrate the schema first. Defaults to true. */
  readonly runMigrations?: boolean;
  /** Changes the URL of the connections. Defaults to no change. */
  readonly mapUrl?: (url: string) => string;
}

/** Opens the database for one command. Its queries have no deadline. */
export async function withDatabase(
  { config, log, poolSize, runMigrations = true, mapUrl = (url) => url }: CommandDatabaseOptions,
  use: (database: Database) => Promise<void>,
): Promise<void> {
  const server = await connectOrStart(config, log);
  try {
    if (runMigrations) await migrate(server.url);
    const url = mapUrl(await findWritableUrl(server.url));
    const database = openDatabase({ url, poolSize, onError: (err) => log.warn({ err }) });
    try {
      await requireSameClock(database.db);
      await checkDatabaseMode(database.db, config.mode);
      await use(database);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}
