import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { findRunningEmbeddedUrl } from '#platform/database/embedded.ts';
import { freePort } from '#test/support/free-port.ts';

/** The tests name their bundle, which loads faster. */
const PROGRAM = process.env['BENCH_PROGRAM'] ?? fileURLToPath(new URL('../src/main.ts', import.meta.url));
const PACKAGE = new URL('../package.json', import.meta.url);
const START_DEADLINE_MS = 240_000;

const cacheFolder = process.env['NODE_COMPILE_CACHE'];
/** A smoke run in the tests shares their compile cache. */
const COMPILE_CACHE = cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: cacheFolder };

/**
 * The gateway under test: a separate process with its own database server, started like `npm
 * start`.
 */
export interface Server {
  readonly port: number;
  readonly pid: number;
  readonly databaseUrl: string;
  /** Time from the start of the process to the first 200 response. */
  readonly startMs: number;
  /** An access token of a user, by default the operator. */
  token(user?: Credentials): Promise<string>;
  /** Calls the API as the operator. */
  operator(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Resident memory of the Node process, in bytes. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly dataDir: string;
  /** Writes a CPU profile of the process to this folder when it stops. */
  readonly profileDir?: string | undefined;
  /** Another tree's `main.ts`, to compare two versions. */
  readonly program?: string;
  /** Defaults to `start`. */
  readonly command?: 'start' | 'api';
  /** The database of the sandbox. Defaults to an embedded one. */
  readonly databaseUrl?: string;
  /** Settings that override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startServer({
  dataDir,
  profileDir,
  program,
  command = 'start',
  databaseUrl: givenUrl,
  settings,
}: ServerOptions): Promise<Server> {
  const port = await freePort();
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [...profiling, ...(await nodeFlags(program)), program ?? PROGRAM, command],
    {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        ...COMPILE_CACHE,
        ...(givenUrl === undefined ? {} : { DATABASE_URL: givenUrl, MODE: 'sandbox' }),
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error('the gateway could not be started');
  try {
    await waitUntilHealthy(child, port);
    const startMs = performance.now() - started;
    const databaseUrl = givenUrl ?? (await findRunningEmbeddedUrl(join(dataDir, 'postgres')));
    if (databaseUrl === undefined) throw new Error('the embedded database cannot be reached');
    return {
      port,
      pid,
      databaseUrl,
      startMs,
      token: async (user) => signIn(port, user ?? (await operatorOf(dataDir))),
      operator: asOperator(port, await signIn(port, await operatorOf(dataDir))),
      memory: () => residentMemory(port),
      stop: () => stop(child),
    };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/**
 * Runs a function with a gateway in a new data folder, and removes both afterwards; or with a
 * running gateway, which it leaves running.
 */
export async function withServer<T>(
  { server: running, ...options }: Omit<ServerOptions, 'dataDir'> & { readonly server?: Server | undefined },
  use: (server: Server) => Promise<T>,
): Promise<T> {
  if (running !== undefined) return use(running);
  return withDataDir(async (dataDir) => {
    const server = await startServer({ ...options, dataDir });
    try {
      return await use(server);
    } finally {
      await server.stop();
    }
  });
}

export async function withDataDir<T>(use: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
  try {
    return await use(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface Seller {
  readonly id: string;
  readonly apiKey: string;
  /** Copied sellers have none. */
  readonly owner?: Credentials;
}

/** The options of Node with which `npm start` runs this program or that of another tree. */
async function nodeFlags(program: string | undefined): Promise<readonly string[]> {
  const file = program === undefined ? PACKAGE : join(dirname(program), '../package.json');
  const { config } = recordOf(JSON.parse(await readFile(file, 'utf8')));
  return String(recordOf(config)['node_flags']).split(' ');
}

async function waitUntilHealthy(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + START_DEADLINE_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/v1/health`).catch(() => undefined);
    if (response?.status === 200) return;
    await sleep(5);
  }
  throw new Error('the gateway did not start in time');
}

async function operatorOf(dataDir: string): Promise<Credentials> {
  const { admin } = recordOf(JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')));
  const { email, password } = recordOf(admin);
  return { email: String(email), password: String(password) };
}

async function signIn(port: number, user: Credentials): Promise<string> {
  const signedIn = recordOf(await callApi(port, { method: 'POST', path: '/login', body: user }));
  return String(signedIn['accessToken']);
}

const asOperator =
  (port: number, token: string): Server['operator'] =>
  (method, path, body) =>
    callApi(port, { method, path, token, body });

interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
}

async function callApi(port: number, { method, path, token, body }: ApiCall): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${text}`);
  return JSON.parse(text);
}

async function residentMemory(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(await response.text())?.[1];
  if (bytes === undefined) throw new Error('/metrics does not report the resident memory');
  return Number(bytes);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

export function dataOf(response: unknown): Record<string, unknown> {
  return recordOf(recordOf(response)['data']);
}

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('an answer without its members');
  return Object.fromEntries(Object.entries(value));
}
