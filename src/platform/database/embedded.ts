// Runs the PostgreSQL 18 server that npm installed, for as long as this process lives.
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import {
  type Account,
  spawnOptionsFor,
  chooseAccount,
  errorCode,
  findBinaries,
  runScript,
  serverEnvironment,
} from './embedded-binaries.ts';

export interface EmbeddedOptions {
  /** Holds the cluster and its password file; created if absent. */
  readonly directory: string;
  /** Extra server settings, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called once when the server ends although nobody called stop(). */
  readonly onUnexpectedExit?: (reason: string) => void;
}

export interface EmbeddedDatabase {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Fast shutdown: open transactions are rolled back. Resolves when the server is gone; may be called twice. */
  stop(): Promise<void>;
}

interface ClusterInstallation {
  readonly directory: string;
  readonly cluster: string;
  readonly account: Account | undefined;
  readonly binaries: string;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
// A gateway that was killed just now may be seen for another moment, on a busy machine for a longer one.
const EXIT_GRACE_MS = 1_500;
const MAX_LOG_LINES = 50;

/** What the server keeps of its pages: an eighth of what memory this program may use, from 256 MB to 4 GB. */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.round(Math.min(4096, Math.max(256, memory / 8 / 2 ** 20)));
}

// Mark of our own servers on their command line, followed by the pid of the gateway that owns them.
const CLUSTER_NAME_PREFIX = 'cluster_name=vereda-';

// What a start may fail with although the next attempt can succeed: a port taken meanwhile, the last
// processes of a killed server that still hold its shared memory, another gateway that started just now.
const TRANSIENT =
  /could not create any TCP\/IP sockets|pre-existing shared memory block|lock file "[^"]*" already exists/;

// The server must end when we do, even by SIGKILL. So a shell holds a pipe from us: when it closes, for whatever
// reason, a watcher asks the server for a fast shutdown; again and again, because a server that is just being
// loaded ignores the signal. The watcher outlives a killed shell. The server gets neither the pipe nor our stdin,
// and because the shell leads a session of its own, Ctrl-C reaches only us.
const SUPERVISOR_SCRIPT = `
exec 3<&0
"$@" 3<&- </dev/null >&2 &
server=$!
trap '' HUP INT TERM
(read -r line <&3; for try in 1 2 3 4 5 6 7 8 9; do kill -INT "$server" || break; sleep 1; done) >/dev/null 2>&1 &
watcher=$!
echo "$server"
wait "$server"
code=$?
kill -KILL "$watcher" 2>/dev/null
exit "$code"`;

/**
 * Starts the server on `options.directory`, creating the cluster at the first start, and resolves when it answers.
 * Our data lives in initdb's own database `postgres`, which spares a separate creation step that could be cut short.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new Error(
      'The bundled database does not run on Windows: use WSL, or set DATABASE_URL to a PostgreSQL 18 server.',
    );
  }
  const directory = resolve(options.directory);
  const cluster = join(directory, 'cluster');
  await fs.mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    const problem = `The data directory ${directory} cannot be created (${errorCode(error)})`;
    throw new Error(`${problem}: choose one that you may write to.`, { cause: error });
  });
  const account = await chooseAccount(cluster);
  const binaries = await findBinaries(account);
  const home: ClusterInstallation = { directory, cluster, account, binaries };
  const password = await ensureCluster(home);
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    await waitUntilFree(cluster);
    const result = await launch(home, password, options, deadline);
    if (typeof result !== 'string') return result;
    if (!TRANSIENT.test(result) || Date.now() > deadline) {
      throw new Error(`The database server in ${directory} did not start: ${result}`);
    }
    await sleep(200);
  }
}

/** The URL of the server that a live gateway runs on `directory`, for commands that work beside it; else undefined. */
export async function findRunningEmbeddedUrl(directory: string): Promise<string | undefined> {
  const cluster = join(directory, 'cluster');
  const lock = await readLock(cluster).catch(() => undefined);
  if (lock?.status !== 'ready' || !(await inspectServer(lock.pid, cluster))) return undefined;
  try {
    const url = databaseUrl(await fs.readFile(join(directory, 'password'), 'utf8'), lock.port);
    await query(url);
    return url;
  } catch {
    return undefined;
  }
}

/** Makes password and cluster unless they exist; a crash at any point leaves nothing that looks like a cluster. */
async function ensureCluster({
  directory,
  cluster,
  account,
  binaries,
}: ClusterInstallation): Promise<string> {
  const passwordFile = join(directory, 'password');
  if (!(await fs.stat(join(cluster, 'PG_VERSION')).catch(() => undefined))) {
    const draft = `${passwordFile}.${randomUUID()}`;
    const password = randomBytes(24).toString('base64url');
    await fs.writeFile(draft, password, { mode: 0o600, flag: 'wx', flush: true });
    // A link, unlike a rename, never replaces the password of a starter that was faster.
    await fs.link(draft, passwordFile).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    await fs.rm(draft);
  }
  const password = await fs.readFile(passwordFile, 'utf8').catch((error: unknown) => {
    const problem = `The password of the database, ${passwordFile}, cannot be read (${errorCode(error)})`;
    throw new Error(`${problem}: put the file back from a backup of that directory.`, { cause: error });
  });
  if (await fs.stat(join(cluster, 'PG_VERSION')).catch(() => undefined)) return password;

  for (const entry of await fs.readdir(directory)) {
    const path = join(directory, entry);
    const draft = /^(cluster\.new-|password\.)/.test(entry) && (await fs.stat(path).catch(() => undefined));
    // A crash left it there; but a young one may belong to a gateway that is starting right now.
    if (draft && draft.mtimeMs < Date.now() - 600_000) await fs.rm(path, { recursive: true, force: true });
  }
  const fresh = await fs.mkdtemp(join(directory, 'cluster.new-'));
  try {
    if (account) await fs.chown(fresh, account.uid, account.gid);
    const flags = ['--username=gateway', '--pwfile=/dev/stdin', '--auth=scram-sha-256', '--encoding=UTF8'];
    flags.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
    const command = [join(binaries, 'bin/initdb'), '-D', await dataPath(fresh, account), ...flags];
    // The password goes through a pipe of the shell's own making: no other account can read it anywhere.
    const script = 'read -r password; printf %s "$password" | "$@"';
    const problem = await runScript(account, script, command, { cwd: fresh, input: `${password}\n` });
    if (problem !== undefined) throw new Error(`The database could not be created: ${problem}`);
    await fs.rename(fresh, cluster).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error; // another starter was faster
    });
    // Without this a power cut could undo the rename even after transactions have been committed.
    const handle = await fs.open(directory);
    await handle.sync();
    await handle.close();
  } finally {
    await fs.rm(fresh, { recursive: true, force: true });
  }
  return password;
}

/**
 * How the server shall name its data directory. Beneath a private directory of root's, the account cannot look the
 * path up; but every PostgreSQL process has the data directory as its cwd, which Linux can name without a look-up.
 */
async function dataPath(cluster: string, account: Account | undefined): Promise<string> {
  if (account && process.platform === 'linux') return '/proc/self/cwd';
  if (account && (await runScript(account, 'test -x "$1"', [cluster])) !== undefined) {
    throw new Error(
      `The account ${account.name} cannot reach ${dirname(cluster)}: choose a more public data directory.`,
    );
  }
  return cluster;
}

/** One attempt: the running server, or what went wrong. */
async function launch(
  { directory, cluster, account, binaries }: ClusterInstallation,
  password: string,
  options: EmbeddedOptions,
  deadline: number,
): Promise<EmbeddedDatabase | string> {
  const port = await freePort();
  const settings = {
    max_connections: '200',
    shared_buffers: `${sharedBuffersMb()}MB`,
    // After a checkpoint the first change of each page is logged with the whole page. At some thousand charges a second the defaults
    // make one every half minute, and most of the log is pages.
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    ...options.settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    logging_collector: 'off',
  };
  const command = [join(binaries, 'bin/postgres'), '-D', await dataPath(cluster, account)];
  for (const [name, value] of Object.entries(settings)) command.push('-c', `${name}=${value}`);
  command.push('-c', `${CLUSTER_NAME_PREFIX}${process.pid}`);
  const supervisor = spawn('/bin/sh', ['-c', SUPERVISOR_SCRIPT, 'database-guard', ...command], {
    cwd: cluster,
    env: serverEnvironment,
    detached: true,
    stdio: 'pipe',
    ...spawnOptionsFor(account),
  });
  const lastLines: string[] = [];
  createInterface(supervisor.stderr).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > MAX_LOG_LINES) lastLines.shift();
  });
  supervisor.stdin.on('error', () => undefined);
  let reportsExit = false;
  const alive = () => supervisor.exitCode === null && supervisor.signalCode === null;
  const lastOutput = () => `its last words were:\n${lastLines.join('\n')}`;
  const closed = once(supervisor, 'close').catch(() => undefined);
  const exited = (async () => {
    await once(supervisor, 'exit');
    supervisor.stdin.destroy(); // tells the watcher, in case only the shell was killed
    // The last words may still be on their way; but orphans of a killed server hold the pipe open for longer.
    await Promise.race([closed, sleep(500)]);
    const reason = `it ended with ${supervisor.signalCode ?? `exit code ${supervisor.exitCode}`}; ${lastOutput()}`;
    if (reportsExit) options.onUnexpectedExit?.(reason);
    return reason;
  })();
  const firstLine = once(createInterface(supervisor.stdout), 'line').then(([line]) => String(line));
  const pid = Number(await Promise.race([firstLine, exited]));
  const stop = async () => {
    reportsExit = false;
    supervisor.stdin.end();
    await exited;
    while (await inspectServer(pid, cluster)) await sleep(50); // only if the shell was killed before it
  };
  const url = databaseUrl(password, port);
  const waitUntilReady = async () => {
    let problem = lastOutput;
    while (alive() && Date.now() < deadline) {
      // Its lock file tells when it accepts connections: asking the port earlier might reach a stranger there.
      const lock = await readLock(cluster);
      if (lock?.pid === pid && lock.status === 'ready') {
        try {
          await query(url);
          return undefined;
        } catch (error) {
          problem = () => String(error);
          const refused = errorCode(error) === '28P01';
          if (refused)
            return `it does not accept the password in ${directory}/password; put the right file back.`;
        }
      }
      await sleep(20);
    }
    return alive() ? `it was not ready in time; ${problem()}` : exited;
  };
  const problem = await waitUntilReady();
  if (problem !== undefined) {
    await stop();
    return problem;
  }
  reportsExit = true;
  return { url, port, pid, stop };
}

/** Returns once no server uses the cluster; fails if one does and has no reason to end soon. */
async function waitUntilFree(cluster: string): Promise<void> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  let stopRequested = false;
  let inUseSince: number | undefined;
  for (;;) {
    const lock = await readLock(cluster);
    const server = lock && (await inspectServer(lock.pid, cluster));
    if (!lock || (!server && !processExists(lock.pid))) return; // PostgreSQL clears a dead pid away by itself
    if (!server) {
      // An empty file (power cut), or a pid that now belongs to another program: PostgreSQL would give up.
      // Look twice, because the file is empty for an instant while another server starts.
      await sleep(250);
      if ((await readLock(cluster))?.pid === lock.pid) await fs.rm(join(cluster, 'postmaster.pid'));
      continue;
    }
    if (lock.status !== 'stopping') {
      if (server.gateway !== undefined || !server.ours) {
        inUseSince ??= Date.now();
        if (Date.now() - inUseSince < EXIT_GRACE_MS) {
          await sleep(50);
          continue;
        }
        const user = server.ours ? `gateway (pid ${server.gateway})` : `PostgreSQL server (pid ${lock.pid})`;
        throw new Error(
          `The data directory ${dirname(cluster)} is in use by a running ${user}: stop that one first, or choose another directory.`,
        );
      }
      // An orphan of a killed gateway; normally its guard has told it already.
      if (!stopRequested) process.kill(lock.pid, 'SIGINT');
      stopRequested = true;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `The last database server (pid ${lock.pid}) is still stopping: wait, then start again.`,
      );
    }
    await sleep(50);
  }
}

/** PostgreSQL's own lock file; pid 0 if it is unreadable. */
async function readLock(cluster: string): Promise<{ pid: number; port: number; status: string } | undefined> {
  try {
    const lines = (await fs.readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
    const pid = Math.abs(Number(lines[0]));
    const status = lines[7]?.trim() ?? '';
    return { pid: Number.isSafeInteger(pid) ? pid : 0, port: Number(lines[3]), status };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether process `pid` is a server on this cluster, whether we started it, and the living gateway that owns it. */
async function inspectServer(
  pid: number,
  cluster: string,
): Promise<{ ours: boolean; gateway: number | undefined } | undefined> {
  const linux = process.platform === 'linux';
  const command = linux ? await procFile(pid, 'cmdline') : await ps(pid, 'args=');
  // A pid from before a reboot may belong to anything now. (Our zombies have no command line on Linux.)
  const isServer = linux ? /^([^\0]*\/)?postgres(\0|$)/ : /(^|\/)postgres( |$)/;
  if (!isServer.test(command)) return undefined;
  if (linux) {
    // Root in a container may lack the right to look at another account's cwd; then the name has to do.
    const cwd = await fs.stat(`/proc/${pid}/cwd`).catch(() => undefined);
    const home = await fs.stat(cluster);
    if (cwd && (cwd.ino !== home.ino || cwd.dev !== home.dev)) return undefined;
  }
  const owner = Number(new RegExp(`${CLUSTER_NAME_PREFIX}(\\d+)`).exec(command)?.[1] ?? 0);
  // Ours is alive only if it still is the guard's parent: its pid alone may have been reused as well.
  const gateway = await parentOf(await parentOf(pid));
  return { ours: owner !== 0, gateway: owner !== 0 && owner === gateway ? owner : undefined };
}

async function parentOf(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number(await ps(pid, 'ppid='));
  return Number((await procFile(pid, 'stat')).replace(/^.*\) \S+ /s, '').split(' ')[0]);
}

async function procFile(pid: number, name: string): Promise<string> {
  return fs.readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
}

async function ps(pid: number, column: string): Promise<string> {
  const found = promisify(execFile)('ps', ['-ww', '-o', column, '-p', String(pid)]).catch(() => undefined);
  return (await found)?.stdout.trim() ?? '';
}

function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

function databaseUrl(password: string, port: number): string {
  return `postgresql://gateway:${password}@127.0.0.1:${port}/postgres`;
}

async function query(url: string): Promise<void> {
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
