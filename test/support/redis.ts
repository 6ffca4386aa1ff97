import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Redis } from 'ioredis';

import { freePort } from '#test/support/free-port.ts';

export interface TestRedis {
  readonly url: string;
  /** Sends a command to the server. */
  command(...words: readonly [string, ...string[]]): Promise<unknown>;
  /** Kills the server, which loses its data. */
  kill(): Promise<void>;
  /** Restarts it, empty, at the same address. */
  start(): Promise<void>;
  /** Suspends it: connections stay open without responses. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** The server program: Redis, or Valkey with the same arguments. */
const SERVER = process.env['TEST_REDIS_SERVER'] ?? 'redis-server';

/** A Redis server for one test, without persistence. */
export async function startRedis(password?: string): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-redis-'));
  const port = await freePort();
  const url = `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`;
  let server = await run(directory, port, password);
  return {
    url,
    async command(...words) {
      const [name, ...rest] = words;
      const client = new Redis(url, { connectTimeout: 5_000, commandTimeout: 5_000 });
      try {
        return await client.call(name, ...rest);
      } finally {
        client.disconnect();
      }
    },
    async kill() {
      await end(server);
    },
    async start() {
      server = await run(directory, port, password);
    },
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    async close() {
      await end(server);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function run(directory: string, port: number, password: string | undefined): Promise<ChildProcess> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
  const nothingOnDisk = ['--save', '', '--appendonly', 'no'];
  const secret = password === undefined ? [] : ['--requirepass', password];
  const server = spawn(SERVER, [...settings, ...nothingOnDisk, ...secret], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    server.on('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'ENOENT'
          ? new Error(`${SERVER} is not installed. These tests need it: apt-get install redis-server`)
          : error,
      );
    });
    server.on('exit', () => reject(new Error(`${SERVER} ended at its start; it said:\n${output}`)));
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Ready to accept connections')) resolve();
    });
  });
  return server;
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}
