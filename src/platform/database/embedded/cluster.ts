import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { errorCode } from '#platform/kit/errors.ts';
import { runScript, type Account } from './account.ts';

/** Where the cluster is, and what runs it. */
export interface Installation {
  readonly directory: string;
  readonly cluster: string;
  /** The account of the server; undefined if it is the one of this process. */
  readonly account: Account | undefined;
  readonly binaries: string;
}

/** Newer drafts may belong to a gateway that is starting. */
const STALE_DRAFT_MS = 600_000;

/**
 * Creates the password and the cluster unless they exist. An interruption leaves nothing that looks
 * like a cluster.
 */
export async function ensureCluster(installation: Installation): Promise<string> {
  const { directory, cluster } = installation;
  if (!(await isInitialized(cluster))) await createPassword(directory);
  const password = await readPassword(directory);
  if (await isInitialized(cluster)) return password;
  await deleteStaleDrafts(directory);
  const draft = await fs.mkdtemp(join(directory, 'cluster.new-'));
  try {
    await initialize(draft, installation, password);
    await fs.rename(draft, cluster).catch((error: unknown) => {
      // Another gateway has created it meanwhile.
      if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    });
    await syncDirectory(directory);
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
  return password;
}

const passwordFile = (directory: string): string => join(directory, 'password');

export async function readPassword(directory: string): Promise<string> {
  const path = passwordFile(directory);
  return fs.readFile(path, 'utf8').catch((error: unknown) => {
    const problem = `The password of the database, ${path}, cannot be read (${errorCode(error)})`;
    throw new Error(`${problem}: restore the file from a backup of that directory.`, { cause: error });
  });
}

const isInitialized = async (cluster: string): Promise<boolean> =>
  (await fs.stat(join(cluster, 'PG_VERSION')).catch(() => undefined)) !== undefined;

async function createPassword(directory: string): Promise<void> {
  const path = passwordFile(directory);
  const draft = `${path}.${randomUUID()}`;
  const password = randomBytes(24).toString('base64url');
  await fs.writeFile(draft, password, { mode: 0o600, flag: 'wx', flush: true });
  // Unlike a rename, a link never replaces the password that another gateway has created meanwhile.
  await fs.link(draft, path).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  await fs.rm(draft);
}

/** Deletes the drafts that an interrupted start has left. */
async function deleteStaleDrafts(directory: string): Promise<void> {
  for (const entry of await fs.readdir(directory)) {
    if (!/^(cluster\.new-|password\.)/.test(entry)) continue;
    const path = join(directory, entry);
    const draft = await fs.stat(path).catch(() => undefined);
    if (draft !== undefined && draft.mtimeMs < Date.now() - STALE_DRAFT_MS)
      await fs.rm(path, { recursive: true, force: true });
  }
}

async function initialize(
  draft: string,
  { account, binaries }: Installation,
  password: string,
): Promise<void> {
  if (account) await fs.chown(draft, account.uid, account.gid);
  const command = [
    join(binaries, 'bin/initdb'),
    '-D',
    await dataPath(draft, account),
    '--username=gateway',
    '--pwfile=/dev/stdin',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // A new segment is filled with zeros and synced before the commit that needs it, which waits.
    '--wal-segsize=4',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  // The shell creates the pipe for the password, so that no other account can read it.
  const script = 'read -r password; printf %s "$password" | "$@"';
  const problem = await runScript(account, script, command, { cwd: draft, input: `${password}\n` });
  if (problem !== undefined) throw new Error(`The database could not be created: ${problem}`);
}

/** Without it, a power failure could undo the rename after transactions have been committed. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await fs.open(directory);
  await handle.sync();
  await handle.close();
}

/**
 * Returns the path by which the server opens its data directory. The account cannot resolve a path
 * beneath a private directory of root. On Linux it need not: the data directory is the working
 * directory of every PostgreSQL process.
 */
export async function dataPath(cluster: string, account: Account | undefined): Promise<string> {
  if (account && process.platform === 'linux') return '/proc/self/cwd';
  if (account && (await runScript(account, 'test -x "$1"', [cluster])) !== undefined) {
    throw new Error(
      `The account ${account.name} cannot reach ${dirname(cluster)}: choose a data directory that this ` +
        'account can access.',
    );
  }
  return cluster;
}
