import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { errorCode } from '#platform/kit/errors.ts';
import { chooseAccount } from './embedded/account.ts';
import { findBinaries } from './embedded/binaries.ts';
import { ensureCluster, readPassword, type Installation } from './embedded/cluster.ts';
import { inspectServer, readLock, waitUntilFree } from './embedded/lock.ts';
import { testConnection, databaseUrl, launchServer, type EmbeddedDatabase } from './embedded/server.ts';

export type { EmbeddedDatabase } from './embedded/server.ts';

export interface EmbeddedOptions {
  /** Holds the cluster and its password file. Created if it does not exist. */
  readonly directory: string;
  /** Additional server settings, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called once if the server exits without a call of `stop`. */
  readonly onUnexpectedExit?: (reason: string) => void;
}

const START_TIMEOUT_MS = 60_000;
const RETRY_DELAY_MS = 200;

/**
 * Failures after which another attempt can succeed: the port was taken, the last processes of a
 * killed server still hold its shared memory, or another gateway has just started.
 */
const TRANSIENT_FAILURE =
  /could not create any TCP\/IP sockets|pre-existing shared memory block|lock file "[^"]*" already exists/;

/**
 * Starts the PostgreSQL server that npm installed, for the life of this process. Creates the
 * cluster on the first start. The data is in initdb's own database `postgres`, because creating
 * another one is a step that could be interrupted.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const installation = await prepareInstallation(options.directory);
  const password = await ensureCluster(installation);
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    await waitUntilFree(installation.cluster);
    const result = await launchServer(installation, { ...options, password, deadline });
    if (typeof result !== 'string') return result;
    if (!TRANSIENT_FAILURE.test(result) || Date.now() > deadline) {
      throw new Error(`The database server in ${installation.directory} did not start: ${result}`);
    }
    await sleep(RETRY_DELAY_MS);
  }
}

async function prepareInstallation(path: string): Promise<Installation> {
  if (process.platform === 'win32') {
    throw new Error(
      'The bundled database does not run on Windows: use WSL, or set DATABASE_URL to your own ' +
        'PostgreSQL, version 15 or later.',
    );
  }
  const directory = resolve(path);
  const cluster = join(directory, 'cluster');
  await fs.mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    const problem = `The data directory ${directory} cannot be created (${errorCode(error)})`;
    throw new Error(`${problem}: choose one that you can write to.`, { cause: error });
  });
  const account = await chooseAccount(cluster);
  return { directory, cluster, account, binaries: await findBinaries(account) };
}

/** The directory of the embedded database in a data folder. */
export const embeddedDirectory = (dataDir: string): string => join(dataDir, 'postgres');

/** Whether a first start has created the embedded database of a data folder. */
export const embeddedExists = (dataDir: string): boolean =>
  existsSync(join(embeddedDirectory(dataDir), 'cluster', 'PG_VERSION'));

/**
 * Returns the URL of the server that another gateway runs on `directory`; undefined if there is
 * none.
 */
export async function findRunningEmbeddedUrl(directory: string): Promise<string | undefined> {
  const cluster = join(directory, 'cluster');
  const lock = await readLock(cluster).catch(() => undefined);
  if (lock?.status !== 'ready' || !(await inspectServer(lock.pid, cluster))) return undefined;
  try {
    const url = databaseUrl(await readPassword(directory), lock.port);
    await testConnection(url);
    return url;
  } catch {
    return undefined;
  }
}
