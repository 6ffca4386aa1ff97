import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { inject } from 'vitest';

import type { Demo } from '#app/demo.ts';
import { createClient, type Client } from '#test/support/client.ts';
import { cloneDatabase } from '#test/support/database.ts';
import { freePort } from '#test/support/free-port.ts';
import { forgetReference } from '#test/support/openapi-conformance.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Node's compile cache, which halves the startup time. */
export const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node');

/** A larger young generation is collected less often while the modules load. */
const NODE_FLAGS = ['--min-semi-space-size=32'];

const START_DEADLINE_MS = 45_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run of the program in its own process group, as in a terminal. */
export interface Run {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  isAlive(): boolean;
  /** Sends a signal to the whole process group, as Ctrl-C does. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves when the program has ended and its output is read; fails on timeout. */
  exit(timeoutMs?: number): Promise<Exit>;
}

export type Settings = Readonly<Record<string, string>>;

/** Runs the program with a command and exactly these settings; `input` is its standard input. */
export const run = (command: readonly string[], settings: Settings, input?: string): Run =>
  runProgram([inject('program'), ...command], settings, input);

/** Runs `node SCRIPT ARGUMENTS` in the project folder. */
function runProgram(script: readonly string[], settings: Settings, input?: string): Run {
  const child = spawn(process.execPath, [...NODE_FLAGS, ...script], {
    cwd: ROOT,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...settings,
    },
  });
  // An ended program does not read its input.
  child.stdin.on('error', () => undefined).end(input);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = once(child, 'exit').then((): Exit => ({
    code: child.exitCode,
    signal: child.signalCode,
    ...output,
  }));
  const closed = once(child, 'close');
  const pid = child.pid ?? 0;
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const stop = (signal: NodeJS.Signals): void => {
    if (pid !== 0) killQuietly(-pid, signal);
  };
  return {
    pid,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    isAlive,
    signal: stop,
    async exit(timeoutMs = 30_000) {
      const inTime = await within(timeoutMs, ended);
      if (inTime === undefined) {
        stop('SIGKILL');
        throw new Error(`the program did not end in ${timeoutMs} ms; it said:\n${describe(output)}`);
      }
      await within(1_000, closed);
      return { ...inTime, ...output };
    },
  };
}

export interface Program extends Run {
  readonly baseUrl: string;
  readonly demo: Demo;
  /** A client with the demo seller's key. */
  readonly client: Client;
  /**
   * Sends SIGKILL to all its processes, including the embedded database, and waits for their end.
   */
  killAll(): Promise<void>;
  /** Stops it if it runs, and verifies that no database process remains. */
  end(): Promise<void>;
}

/** A data folder and port for consecutive starts of the program. */
export interface Place {
  readonly dataDir: string;
  readonly port: number;
  readonly settings: Settings;
  /** Starts the program and waits until it responds. */
  start(extra?: Settings): Promise<Program>;
  /** Starts the program without waiting. */
  run(command: readonly string[], extra?: Settings): Run;
  /** Runs a script of the project. */
  runScript(script: string, args: readonly string[], extra?: Settings, input?: string): Run;
  /** Runs a script of `tools/`. */
  runTool(script: string, args: readonly string[], extra?: Settings): Run;
  /** The pid of the embedded database server of this folder, if any. */
  postgres(): Promise<{ readonly pid: number; readonly guard: number } | undefined>;
  /** Stops everything that still runs and deletes the folder. */
  remove(): Promise<void>;
}

export async function makePlace(settings: Settings = {}): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-process-'));
  const port = await freePort();
  const own = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    OPERATOR_REQUESTS_PER_MINUTE: '1000000',
    ...settings,
  };
  const runs: Run[] = [];
  const place: Place = {
    dataDir,
    port,
    settings: own,
    run(command, extra = {}) {
      const started = run(command, { ...own, ...extra });
      runs.push(started);
      return started;
    },
    runScript(script, args, extra = {}, input) {
      const started = runProgram([script, ...args], { ...own, ...extra }, input);
      runs.push(started);
      return started;
    },
    runTool: (script, args, extra) => place.runScript(join('tools', script), args, extra),
    async start(extra = {}) {
      forgetReference(`http://127.0.0.1:${port}`, extra['MODE'] ?? settings['MODE']);
      const started = place.run(['start'], extra);
      await untilHealthy(started, port);
      const demo: Demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
      return {
        ...started,
        baseUrl: demo.baseUrl,
        demo,
        client: createClient(demo.baseUrl, demo.apiKey),
        async killAll() {
          const server = await place.postgres();
          const table = await processTable();
          const victims = server === undefined ? [] : [server.guard, ...descendants(table, server.guard)];
          started.signal('SIGKILL');
          for (const pid of victims) killQuietly(pid, 'SIGKILL');
          await started.exit(5_000);
          await untilGone(victims);
        },
        async end() {
          if (started.isAlive()) {
            started.signal('SIGTERM');
            await started.exit(10_000);
          }
        },
      };
    },
    async postgres() {
      const lock = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').catch(() => '');
      const pid = Number(lock.split('\n')[0]);
      if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
      const [entry] = await livingOf([pid]);
      return entry === undefined ? undefined : { pid, guard: entry.parent };
    },
    async remove() {
      for (const started of runs) if (started.isAlive()) started.signal('SIGKILL');
      await Promise.all(runs.map((started) => started.exit(10_000)));
      // The supervisor of a killed program stops its server, which needs the files for that.
      const deadline = Date.now() + 10_000;
      while ((await place.postgres()) !== undefined && Date.now() < deadline) await sleep(20);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return place;
}

/**
 * A place on a database of its own on the server of the tests. Creating and running an embedded one
 * takes two seconds of processor time.
 */
export async function makePlaceOnServer(settings: Settings = {}): Promise<Place> {
  const database = await cloneDatabase();
  const place = await makePlace({ DATABASE_URL: database.url, MODE: 'sandbox', ...settings });
  return {
    ...place,
    async remove() {
      await place.remove();
      await database.drop();
    },
  };
}

/** Resolves when the program responds and has printed its startup text. */
export async function untilHealthy(started: Run, port: number): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (started.isAlive() && Date.now() < deadline) {
    await sleep(20);
    // The startup text is printed last. Earlier requests would only cost time.
    if (!started.stdout().includes('is running')) continue;
    const response = await fetch(`http://127.0.0.1:${port}/v1/health`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return;
  }
  if (started.isAlive()) started.signal('SIGKILL');
  const exit = await started.exit(5_000);
  throw new Error(`the program did not start; it said:\n${describe(exit)}`);
}

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
}

/** Parent pids of all processes. */
export async function processTable(): Promise<readonly ProcessEntry[]> {
  if (process.platform !== 'linux') return tableOfPs();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return entriesOf(pids.map(Number));
}

/** Those of these processes that live. Reading them all costs as much as a request. */
export async function livingOf(pids: readonly number[]): Promise<readonly ProcessEntry[]> {
  if (process.platform === 'linux') return entriesOf(pids);
  return (await tableOfPs()).filter(({ pid }) => pids.includes(pid));
}

/** Reads these processes from /proc. */
async function entriesOf(pids: readonly number[]): Promise<readonly ProcessEntry[]> {
  const entries = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // The name, in parentheses, may contain any character.
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return stat === '' || state === 'Z' ? [] : [{ pid, parent: Number(parent) }];
    }),
  );
  return entries.flat();
}

async function tableOfPs(): Promise<readonly ProcessEntry[]> {
  const ps = spawn('ps', ['-A', '-o', 'pid=,ppid='], { stdio: ['ignore', 'pipe', 'ignore'] });
  const chunks: string[] = [];
  ps.stdout.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  await once(ps, 'close');
  return chunks
    .join('')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0]) => ({ pid, parent }));
}

export function descendants(table: readonly ProcessEntry[], ancestor: number): readonly number[] {
  return table
    .filter((entry) => entry.parent === ancestor)
    .flatMap((entry) => [entry.pid, ...descendants(table, entry.pid)]);
}

/** Resident memory of a process in megabytes; Linux only. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

async function untilGone(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const left = await livingOf(pids);
    if (left.length === 0) return;
    if (Date.now() > deadline) {
      throw new Error(`processes ${left.map(({ pid }) => pid).join(', ')} survive SIGKILL`);
    }
    await sleep(10);
  }
}

/** Sends a signal to a process that may have ended. */
export function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function within<T>(timeoutMs: number, result: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  const first = await Promise.race([result, late]);
  clearTimeout(timer);
  return first;
}

const describe = ({ stdout, stderr }: { stdout: string; stderr: string }): string =>
  `--- stdout ---\n${stdout}\n--- stderr ---\n${stderr}`;

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
