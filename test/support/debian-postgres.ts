import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

import { freePort } from '#test/support/free-port.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** A PostgreSQL server of the system packages, with its programs. */
export interface DebianPostgres {
  readonly url: string;
  /** The process id of the server. */
  readonly pid: number;
  /** Kills the server, as in a crash. */
  kill(): Promise<void>;
}

const START_DEADLINE_MS = 60_000;

export async function newestVersion(): Promise<string | undefined> {
  const versions = await readdir('/usr/lib/postgresql').catch((): string[] => []);
  return versions.toSorted((a, b) => Number(b) - Number(a))[0];
}

/**
 * Programs of the newest installed version, and the user that runs them: PostgreSQL refuses to run
 * as root.
 */
async function installed() {
  const newest = await newestVersion();
  if (newest === undefined) throw new Error('this test needs PostgreSQL: apt-get install postgresql');
  if (process.getuid?.() !== 0) return { directory: `/usr/lib/postgresql/${newest}/bin`, user: {} };
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number(await output('id', [flag, 'postgres']))),
  );
  return { directory: `/usr/lib/postgresql/${newest}/bin`, user: { uid: uid ?? 0, gid: gid ?? 0 } };
}

const output = async (program: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, [...args])).stdout.trim();

/** Runs a PostgreSQL program as the server's user. */
export async function postgresProgram(name: string, args: readonly string[]): Promise<void> {
  const { directory, user } = await installed();
  await promisify(execFile)(join(directory, name), [...args], { cwd: '/', ...user });
}

/** Creates a folder that the server may write to. */
export async function makePostgresFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  const { user } = await installed();
  if (user.uid !== undefined) await chown(path, user.uid, user.gid);
  return path;
}

/**
 * Starts a server on an existing cluster and waits until it accepts writes. It listens on a free
 * port, unless the settings name one.
 */
export async function startDebianPostgres(
  data: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<DebianPostgres> {
  const { directory, user } = await installed();
  const port = settings['port'] ?? String(await freePort());
  // The tests do not cover a power failure, so fsync is off.
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(directory, 'postgres'), ['-D', data, '-p', port, ...options], {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const url = `postgresql://gateway@127.0.0.1:${port}/postgres`;
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!(await isOpen(url))) {
    if (server.exitCode !== null || Date.now() > deadline) throw new Error(`no server: ${said}`);
    await sleep(50);
  }
  return { url, pid: server.pid ?? 0, kill: () => end(server) };
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGQUIT');
  await ended;
}

async function isOpen(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
    return rows[0]?.recovering === false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
