import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';

import { errorCode } from '#platform/kit/errors.ts';

/** The unprivileged account that runs the server when the gateway itself runs as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

/**
 * PGDATA, PGPORT, LC_* and other variables of the gateway's environment must not affect the server.
 */
export const serverEnvironment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export const EXTERNAL_DATABASE_HINT = 'or set DATABASE_URL to your own PostgreSQL, version 15 or later';

/**
 * The spawn options for running as `account`. With them, libuv also drops root's supplementary
 * groups.
 */
export function spawnOptionsFor(account: Account | undefined): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/** Runs a shell script as `account`. Returns its error output if it failed. */
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
    if (!account || !['EPERM', 'EINVAL'].includes(errorCode(error) ?? '')) throw error;
    const problem = `PostgreSQL does not run as root, and the gateway cannot switch to ${account.name}`;
    throw new Error(`${problem}: run as an ordinary user, ${EXTERNAL_DATABASE_HINT}.`, { cause: error });
  }
}

/**
 * Chooses the account that runs the server on `cluster`; undefined for the account of this process.
 * PostgreSQL refuses to run as root, so root chooses the owner of the existing files, or
 * `postgres`, or `nobody`.
 */
export async function chooseAccount(cluster: string): Promise<Account | undefined> {
  const processUid = process.geteuid?.() ?? 0;
  const owner = await fs.stat(cluster).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    const remedy = 'run as the user who owns it, or choose another data directory';
    throw new Error(`The gateway cannot open ${cluster}: ${remedy}.`, { cause: error });
  });
  if (processUid !== 0) {
    if (!owner || owner.uid === processUid) return undefined;
    throw new Error(
      `The database in ${cluster} belongs to user id ${owner.uid}, but the gateway runs as ${processUid}: ` +
        `run it as that user, change the owner ("sudo chown -R ${processUid} ${dirname(cluster)}"), ` +
        'or choose another data directory.',
    );
  }
  const accounts = await readAccounts();
  if (owner && owner.uid !== 0) {
    const unnamed = { name: `user id ${owner.uid}`, uid: owner.uid | 0, gid: owner.gid | 0 };
    return accounts.find(({ uid }) => uid === unnamed.uid) ?? unnamed;
  }
  const candidates = ['postgres', '_postgres', 'nobody'].map((name) =>
    accounts.find((candidate) => candidate.name === name),
  );
  const account = candidates.find((candidate) => candidate && candidate.uid !== 0);
  if (account && !owner) return account;
  const remedy = account ? `run "chown -R ${account.name} ${cluster}" once` : 'run as an ordinary user';
  throw new Error(`PostgreSQL does not run as root on ${cluster}: ${remedy}, ${EXTERNAL_DATABASE_HINT}.`);
}

async function readAccounts(): Promise<readonly Account[]> {
  const lines = (await fs.readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    // "| 0" because macOS has the id of nobody as -2 here and as 4294967294 in stat().
    return name && uid && gid ? [{ name, uid: Number(uid) | 0, gid: Number(gid) | 0 }] : [];
  });
}
