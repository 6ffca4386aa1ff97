import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

import { startEmbedded, type EmbeddedDatabase } from '#platform/database/embedded.ts';
import { descendants, processTable, sleep } from './process.ts';

type Settings = Readonly<Record<string, string>>;

/** A PostgreSQL server for one test, which may kill it. Its port changes with each start. */
export interface OwnServer {
  readonly directory: string;
  url(): string;
  start(settings?: Settings): Promise<void>;
  stop(): Promise<void>;
  /** Sends SIGKILL to the server and all its processes. */
  kill(): Promise<void>;
  /** The server and its processes. */
  pids(): Promise<readonly number[]>;
  query<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]>;
  /**
   * Creates a standby from a copy of the data, for which the server is stopped. Start it with
   * `standbySettings`.
   */
  copy(): Promise<OwnServer>;
  remove(): Promise<void>;
}

/** fsync is off by default: the tests kill processes, but do not cover a power failure. */
const SETTINGS: Settings = { shared_buffers: '64MB', fsync: 'off' };

export async function makeOwnServer(within = tmpdir()): Promise<OwnServer> {
  return ownServer(await mkdtemp(join(within, 'gateway-server-')));
}

function ownServer(directory: string): OwnServer {
  let server: EmbeddedDatabase | undefined;
  const running = (): EmbeddedDatabase => {
    if (server === undefined) throw new Error('the server does not run');
    return server;
  };
  const pids = async () => [running().pid, ...descendants(await processTable(), running().pid)];
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  return {
    directory,
    url: () => running().url,
    async start(settings = {}) {
      server = await startEmbedded({ directory, settings: { ...SETTINGS, ...settings } });
    },
    stop,
    pids,
    async kill() {
      for (const pid of await pids()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // The process has already ended.
        }
      }
      await stop();
    },
    async query<Row extends pg.QueryResultRow>(text: string) {
      const client = new pg.Client({ connectionString: running().url });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query<Row>(text)).rows;
      } finally {
        await client.end();
      }
    },
    async copy() {
      await stop();
      const target = await mkdtemp(join(tmpdir(), 'gateway-standby-'));
      // Keeps the owner: as root, the server runs under another account.
      await promisify(execFile)('cp', ['-a', `${directory}/.`, target]);
      return ownServer(target);
    },
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Configures the stopped server `standby` to replicate from `primary` under the name `standby`. */
export async function follow(standby: OwnServer, primary: OwnServer): Promise<Settings> {
  await writeFile(join(standby.directory, 'cluster/standby.signal'), '');
  const { hostname, port, username, password } = new URL(primary.url());
  const login = `user=${username} password=${password}`;
  const connection = `host=${hostname} port=${port} ${login} application_name=standby`;
  return { primary_conninfo: connection };
}

export async function until(condition: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`it did not come to be in ${timeoutMs} ms`);
    await sleep(50);
  }
}
