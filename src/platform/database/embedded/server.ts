import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { errorCode } from '#platform/kit/errors.ts';
import { serverEnvironment, spawnOptionsFor } from './account.ts';
import { dataPath, type Installation } from './cluster.ts';
import { inspectServer, ownerArgument, readLock } from './lock.ts';

export interface EmbeddedDatabase {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /**
   * Fast shutdown: rolls open transactions back. Resolves when the server has exited. May be called
   * twice.
   */
  stop(): Promise<void>;
}

export interface LaunchOptions {
  readonly password: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly onUnexpectedExit?: (reason: string) => void;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
}

const MAX_LOG_LINES = 50;
const READY_POLL_MS = 20;
const EXIT_POLL_MS = 50;
const LAST_OUTPUT_TIMEOUT_MS = 500;
const INVALID_PASSWORD = '28P01';

/**
 * Supervises the server, which must stop when this process ends, even by SIGKILL. The shell reads a
 * pipe from this process. When the pipe closes, a watcher requests a fast shutdown, repeatedly,
 * since a server that is being loaded ignores the signal. The watcher survives the death of the
 * shell. The server inherits neither the pipe nor stdin, and the shell leads a session of its own,
 * so that Ctrl-C reaches only the gateway.
 */
const SUPERVISOR_SCRIPT = `
exec 3<&0
"$@" 3<&- </dev/null >&2 &
server=$!
trap '' HUP INT TERM
(read -r line <&3
  for try in 1 2 3 4 5 6 7 8 9; do kill -INT "$server" || break; sleep 1; done) >/dev/null 2>&1 &
watcher=$!
echo "$server"
wait "$server"
code=$?
kill -KILL "$watcher" 2>/dev/null
exit "$code"`;

/** Tries to start the server once. Returns the reason if it did not start. */
export async function launchServer(
  installation: Installation,
  { password, settings, onUnexpectedExit, deadline }: LaunchOptions,
): Promise<EmbeddedDatabase | string> {
  const port = await freePort();
  const supervisor = await Supervisor.start(installation, { ...settings, port: String(port) });
  const pid = await supervisor.serverPid();
  const url = databaseUrl(password, port);
  let stopping = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    supervisor.requestStop();
    await supervisor.exited;
    // The server outlives a supervisor that was killed.
    while (await inspectServer(pid, installation.cluster)) await sleep(EXIT_POLL_MS);
  };
  const problem = await waitUntilReady(supervisor, installation, { pid, url, deadline });
  if (problem !== undefined) {
    await stop();
    return problem;
  }
  void supervisor.exited.then((reason) => (stopping ? undefined : onUnexpectedExit?.(reason)));
  return { url, port, pid, stop };
}

/** Returns undefined when the server executes statements, or the reason why it does not. */
async function waitUntilReady(
  supervisor: Supervisor,
  { directory, cluster }: Installation,
  { pid, url, deadline }: { readonly pid: number; readonly url: string; readonly deadline: number },
): Promise<string | undefined> {
  let problem: string | undefined;
  while (supervisor.isAlive() && Date.now() < deadline) {
    // The lock file shows when the server accepts connections. Before that, the port may belong to
    // another program.
    const lock = await readLock(cluster);
    if (lock?.pid === pid && lock.status === 'ready') {
      try {
        await testConnection(url);
        return undefined;
      } catch (error) {
        if (errorCode(error) === INVALID_PASSWORD)
          return `it does not accept the password in ${directory}/password; put the right file back.`;
        problem = String(error);
      }
    }
    await sleep(READY_POLL_MS);
  }
  return supervisor.isAlive()
    ? `it was not ready in time; ${problem ?? supervisor.lastOutput()}`
    : supervisor.exited;
}

class Supervisor {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lastLines: string[] = [];
  readonly #firstLine: Promise<string>;
  /** Resolves with the reason when the server has exited. */
  readonly exited: Promise<string>;

  static async start(
    { cluster, account, binaries }: Installation,
    settings: Readonly<Record<string, string>>,
  ): Promise<Supervisor> {
    const command = [join(binaries, 'bin/postgres'), '-D', await dataPath(cluster, account)];
    for (const [name, value] of Object.entries(serverSettings(settings)))
      command.push('-c', `${name}=${value}`);
    command.push('-c', ownerArgument(process.pid));
    return new Supervisor(
      spawn('/bin/sh', ['-c', SUPERVISOR_SCRIPT, 'database-guard', ...command], {
        cwd: cluster,
        env: serverEnvironment,
        detached: true,
        stdio: 'pipe',
        ...spawnOptionsFor(account),
      }),
    );
  }

  constructor(supervisor: ChildProcessWithoutNullStreams) {
    this.#process = supervisor;
    createInterface(supervisor.stderr).on('line', (line) => {
      this.#lastLines.push(line);
      if (this.#lastLines.length > MAX_LOG_LINES) this.#lastLines.shift();
    });
    supervisor.stdin.on('error', () => undefined);
    this.#firstLine = once(createInterface(supervisor.stdout), 'line').then(([line]) => String(line));
    this.exited = this.#waitForExit();
  }

  isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  lastOutput(): string {
    return `its last output was:\n${this.#lastLines.join('\n')}`;
  }

  /** Returns NaN if the supervisor exited first. */
  async serverPid(): Promise<number> {
    return Number(await Promise.race([this.#firstLine, this.exited]));
  }

  requestStop(): void {
    this.#process.stdin.end();
  }

  async #waitForExit(): Promise<string> {
    const closed = once(this.#process, 'close').catch(() => undefined);
    await once(this.#process, 'exit');
    // If only the shell was killed, this makes the watcher stop the server.
    this.#process.stdin.destroy();
    // The last output may not have arrived yet. Orphans of a killed server keep the pipe open for
    // longer.
    await Promise.race([closed, sleep(LAST_OUTPUT_TIMEOUT_MS)]);
    const { signalCode, exitCode } = this.#process;
    return `it ended with ${signalCode ?? `exit code ${exitCode}`}; ${this.lastOutput()}`;
  }
}

const serverSettings = (settings: Readonly<Record<string, string>>) => ({
  max_connections: '300',
  shared_buffers: `${sharedBuffersMb()}MB`,
  // After a checkpoint, the first change of each page writes the whole page to the log. With the
  // defaults and some thousand transactions a second there is one every half minute, and most of
  // the log is pages.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  ...settings,
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  logging_collector: 'off',
});

/** An eighth of the memory that this process may use, from 256 MB to 4 GB. */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.round(Math.min(4096, Math.max(256, memory / 8 / 2 ** 20)));
}

export function databaseUrl(password: string, port: number): string {
  return `postgresql://gateway:${password}@127.0.0.1:${port}/postgres`;
}

/** Rejects if the server does not execute a statement. */
export async function testConnection(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system has no free TCP port.');
  return address.port;
}
