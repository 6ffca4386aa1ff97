import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { errorCode } from '#platform/kit/errors.ts';

const STOP_TIMEOUT_MS = 15_000;
/** A gateway that has just been killed may still be listed for a moment. */
const EXIT_GRACE_MS = 1_500;
const POLL_INTERVAL_MS = 50;
const EMPTY_LOCK_DELAY_MS = 250;

/** PostgreSQL's lock file. */
interface Lock {
  /** 0 if it cannot be read. */
  readonly pid: number;
  readonly port: number;
  readonly status: string;
}

/** A running server on a cluster. */
interface Server {
  /** Whether a gateway started it. */
  readonly ours: boolean;
  /** The process id of that gateway if it is still running. */
  readonly gateway: number | undefined;
}

/** The argument that marks servers of a gateway on their command line. */
export const ownerArgument = (gatewayPid: number): string => `cluster_name=vereda-${gatewayPid}`;
const OWNER_ARGUMENT = /cluster_name=vereda-(\d+)/;

/** Resolves when no server uses the cluster. Throws if one does that is not about to stop. */
export async function waitUntilFree(cluster: string): Promise<void> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  let stopRequested = false;
  let inUseSince: number | undefined;
  for (;;) {
    const lock = await readLock(cluster);
    const server = lock && (await inspectServer(lock.pid, cluster));
    // PostgreSQL itself removes the lock of a process that does not exist.
    if (!lock || (!server && !processExists(lock.pid))) return;
    if (!server) {
      await deleteStaleLock(cluster, lock.pid);
      continue;
    }
    const isOrphan = server.ours && server.gateway === undefined;
    if (lock.status !== 'stopping' && !isOrphan) {
      inUseSince ??= Date.now();
      if (Date.now() - inUseSince >= EXIT_GRACE_MS) throw inUseError(cluster, lock, server);
    } else {
      // The supervisor of an orphan has normally signaled it to stop already.
      if (lock.status !== 'stopping' && !stopRequested) {
        process.kill(lock.pid, 'SIGINT');
        stopRequested = true;
      }
      if (Date.now() > deadline) {
        throw new Error(
          `The last database server (pid ${lock.pid}) is still stopping: wait, then start again.`,
        );
      }
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

/**
 * Deletes a lock file that is empty (after a power failure) or whose process id now belongs to
 * another program, because PostgreSQL would refuse to start. Reads it again first, since it is
 * empty for an instant while a server starts.
 */
async function deleteStaleLock(cluster: string, pid: number): Promise<void> {
  await sleep(EMPTY_LOCK_DELAY_MS);
  if ((await readLock(cluster))?.pid === pid) await fs.rm(join(cluster, 'postmaster.pid'));
}

function inUseError(cluster: string, lock: Lock, server: Server): Error {
  const user = server.ours ? `gateway (pid ${server.gateway})` : `PostgreSQL server (pid ${lock.pid})`;
  return new Error(
    `The data directory ${dirname(cluster)} is in use by a running ${user}: ` +
      'stop it first, or choose another directory.',
  );
}

export async function readLock(cluster: string): Promise<Lock | undefined> {
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

/** Returns undefined if the process is not a server on this cluster. */
export async function inspectServer(pid: number, cluster: string): Promise<Server | undefined> {
  const linux = process.platform === 'linux';
  const command = linux ? await procFile(pid, 'cmdline') : await ps(pid, 'args=');
  // After a reboot the process id may belong to any program. On Linux, zombies have no command
  // line.
  const isServer = linux ? /^([^\0]*\/)?postgres(\0|$)/ : /(^|\/)postgres( |$)/;
  if (!isServer.test(command)) return undefined;
  if (linux) {
    // In a container, root may not read the working directory of another account. Then the name
    // must suffice.
    const cwd = await fs.stat(`/proc/${pid}/cwd`).catch(() => undefined);
    const { dev, ino } = await fs.stat(cluster);
    if (cwd && (cwd.ino !== ino || cwd.dev !== dev)) return undefined;
  }
  const owner = Number(OWNER_ARGUMENT.exec(command)?.[1] ?? 0);
  // The process id of the owner may have been reused, so it must also be the parent of the
  // supervisor.
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
