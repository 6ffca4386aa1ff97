import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { distribute } from '#platform/database/distribution.ts';
import { grantPrivileges } from '#platform/database/grants.ts';
import { migrate } from '#platform/database/migrate.ts';
import { APP_ROLE, REPORTS_ROLE, makeRoles } from '#test/support/database-roles.ts';
import {
  makePostgresFolder,
  newestVersion,
  postgresProgram,
  startDebianPostgres,
  type DebianPostgres,
} from '#test/support/debian-postgres.ts';
import { freePort } from '#test/support/free-port.ts';
import { administer, databaseAt } from '#test/support/administer.ts';

/** A server of a Citus cluster. */
export interface CitusNode {
  readonly port: number;
  /** Of the server's own database. */
  readonly url: string;
  /** The process id of the server; 0 while it does not run. */
  readonly pid: () => number;
  start(): Promise<void>;
  /** Kills the server, as in a crash. */
  kill(): Promise<void>;
}

/** A coordinator and worker nodes on this machine, with data in a temporary folder. */
export interface CitusCluster {
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  /** Starts a further server and adds it to a database as a worker node. */
  addNode(databaseName: string): Promise<void>;
  /** Creates a migrated and distributed database, and returns its URL at the coordinator. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

const SETTINGS = {
  shared_buffers: '64MB',
  max_connections: '300',
  max_prepared_transactions: '300',
  full_page_writes: 'off',
  wal_level: 'logical',
  checkpoint_timeout: '1h',
};

const CITUS_SETTINGS = {
  ...SETTINGS,
  shared_preload_libraries: 'citus',
  'citus.max_cached_conns_per_worker': '16',
  'citus.node_conninfo': 'sslmode=prefer',
  // Prepared transactions of a killed node are finished soon.
  'citus.recover_2pc_interval': '2s',
};

/** Returns why no cluster can be started here, undefined if it can. */
export async function whyNoCitus(): Promise<string | undefined> {
  const version = await newestVersion();
  if (version !== undefined && existsSync(`/usr/share/postgresql/${version}/extension/citus.control`)) {
    return undefined;
  }
  return 'the extension citus is not installed for a PostgreSQL of the system packages';
}

/** @param settings of the servers, in place of those of the tests. */
export async function startCitusCluster(
  settings: Readonly<Record<string, string>> = {},
): Promise<CitusCluster> {
  const directory = await makePostgresFolder(await mkdtemp(join(tmpdir(), 'gateway-citus-')));
  const nodes: CitusNode[] = [];
  const addServer = async () => {
    const node = await makeNode(join(directory, `node${nodes.length}`), await freePort(), {
      ...CITUS_SETTINGS,
      ...settings,
    });
    nodes.push(node);
    await node.start();
    return node;
  };
  const [coordinator, ...workers] = [await addServer(), await addServer(), await addServer()];
  for (const { url } of nodes) await makeRoles(url);
  return {
    coordinator,
    workers,
    async addNode(name) {
      const node = await addServer();
      await makeRoles(node.url);
      await createEmpty(node, name);
      await administer(databaseAt(coordinator.url, name), `SELECT citus_add_node('127.0.0.1', ${node.port})`);
    },
    async createDatabase(name) {
      for (const node of nodes) await createEmpty(node, name);
      const url = databaseAt(coordinator.url, name);
      await administer(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
      for (const { port } of workers) await administer(url, `SELECT citus_add_node('127.0.0.1', ${port})`);
      await administer(
        url,
        `SELECT citus_set_node_property('127.0.0.1', ${coordinator.port}, 'shouldhaveshards', false)`,
      );
      await migrate(url);
      await distribute(url);
      await grantPrivileges(url, { app: APP_ROLE, reports: REPORTS_ROLE });
      return url;
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()));
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts one server without Citus, otherwise like those of a cluster. */
export async function startSingleServer(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly node: CitusNode; stop(): Promise<void> }> {
  const directory = await makePostgresFolder(await mkdtemp(join(tmpdir(), 'gateway-single-')));
  const node = await makeNode(join(directory, 'node'), await freePort(), { ...SETTINGS, ...settings });
  await node.start();
  return {
    node,
    async stop() {
      await node.kill();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function createEmpty({ url }: CitusNode, name: string): Promise<void> {
  await administer(url, `CREATE DATABASE ${name}`);
  await administer(databaseAt(url, name), 'CREATE EXTENSION citus');
}

async function makeNode(
  data: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<CitusNode> {
  await postgresProgram('initdb', ['-D', data, '-U', 'gateway', '--auth=trust', '--locale=C.UTF-8', '-N']);
  let server: DebianPostgres | undefined;
  return {
    port,
    url: `postgresql://gateway@127.0.0.1:${port}/postgres`,
    async start() {
      server = await startDebianPostgres(data, { ...settings, port: String(port) });
    },
    async kill() {
      await server?.kill();
      server = undefined;
    },
    pid: () => server?.pid ?? 0,
  };
}
