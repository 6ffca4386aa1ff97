import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEmbedded } from '#platform/database/embedded.ts';
import { startCitusCluster } from '#test/support/citus.ts';
import { descendants, killQuietly, livingOf, processTable } from '#test/support/process.ts';
import { startTcpProxy } from '#test/support/tcp-proxy.ts';

/** A database that is killed and restarted, at an address that does not change. */
export interface SystemDatabase {
  readonly url: string;
  /** Sends SIGKILL to all its processes at once. */
  kill(): Promise<void>;
  /** Starts the servers that do not run. Returns whether there was one. */
  revive(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Distributed with TEST_CITUS=1. */
export const startSystemDatabase = (): Promise<SystemDatabase> =>
  process.env['TEST_CITUS'] === '1' ? startCluster() : startServer();

async function startServer(): Promise<SystemDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-system-'));
  const start = () => startEmbedded({ directory: join(directory, 'postgres') });
  let server = await start();
  const proxy = await startTcpProxy(server.url);
  return {
    url: proxy.url,
    async kill() {
      const table = await processTable();
      const guard = table.find(({ pid }) => pid === server.pid)?.parent;
      if (guard === undefined) return;
      for (const victim of [guard, ...descendants(table, guard)]) killQuietly(victim, 'SIGKILL');
      proxy.cut();
    },
    async revive() {
      if ((await livingOf([server.pid])).length > 0) return false;
      server = await start();
      proxy.redirect(server.url);
      return true;
    },
    async stop() {
      await server.stop();
      await proxy.remove();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function startCluster(): Promise<SystemDatabase> {
  const cluster = await startCitusCluster();
  const servers = [cluster.coordinator, ...cluster.workers];
  return {
    url: await cluster.createDatabase('gateway_system'),
    async kill() {
      await Promise.all(servers.map((server) => server.kill()));
    },
    async revive() {
      const dead = servers.filter((server) => server.pid() === 0);
      await Promise.all(dead.map((server) => server.start()));
      return dead.length > 0;
    },
    stop: () => cluster.stop(),
  };
}
