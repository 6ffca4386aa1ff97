import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Config } from '#app/config.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { checkDatabaseMode } from '#platform/database/database-mode.ts';
import { findRunningEmbeddedUrl, startEmbedded } from '#platform/database/embedded.ts';
import { migrate } from '#platform/database/migrate.ts';
import { findWritableUrl } from '#platform/database/server-urls.ts';
import type { Logger } from '#platform/kit/log.ts';

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

/** Returns the database of DATABASE_URL, or starts the embedded one. */
export async function startOrConnect(config: Config, log: Logger): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) return externalServer(config.databaseUrl);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const { promise: ended, resolve } = Promise.withResolvers<Error>();
  const server = await startEmbedded({
    directory: embeddedDirectory(config),
    // The process ends, so that a supervisor starts it again. The next start recovers the data.
    onUnexpectedExit: (reason) => {
      log.fatal({ reason }, 'embedded database exited');
      resolve(new Error('the embedded database exited unexpectedly; start the gateway again'));
    },
  });
  return { url: server.url, ended, stop: () => server.stop() };
}

const embeddedDirectory = (config: Config): string => join(config.dataDir, 'postgres');

/** Returns the database for a command. A gateway may be running on the same embedded database. */
export async function connectOrStart(config: Config, log: Logger): Promise<DatabaseServer> {
  const running =
    config.databaseUrl === undefined ? await findRunningEmbeddedUrl(embeddedDirectory(config)) : undefined;
  return running === undefined ? startOrConnect(config, log) : externalServer(running);
}

export interface CommandDatabaseOptions {
  readonly config: Config;
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
      await checkDatabaseMode(database.db, config.mode);
      await use(database);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}
