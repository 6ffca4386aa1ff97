import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { TestProject } from 'vitest/node';

import { startEmbedded } from '#platform/database/embedded.ts';
import { grantPrivileges } from '#platform/database/grants.ts';
import { migrate } from '#platform/database/migrate.ts';
import { administer, databaseAt } from '#test/support/administer.ts';
import { startCitusCluster, whyNoCitus } from '#test/support/citus.ts';
import { APP_ROLE, REPORTS_ROLE, makeRoles } from '#test/support/database-roles.ts';
import { bundleProgram } from '#test/support/program-bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The server of test databases, with the worker nodes of a Citus cluster after it, and the
     * migrated template that each test file copies.
     */
    serverUrls: readonly string[];
    templateName: string;
    /** The path of the program. */
    program: string;
  }
}

const SETTINGS = {
  max_connections: '300',
  // Dropping a database searches all of it.
  shared_buffers: '256MB',
  // Nothing survives the server.
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  checkpoint_timeout: '1h',
};

/**
 * One PostgreSQL server for all test files: that of TEST_DATABASE_URL, or the embedded one. It runs
 * without fsync; crash tests have servers of their own.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildDashboardIfStale();
  if (process.env['TEST_CITUS'] === '1') return setUpCitus(project);
  const [server, program] = await Promise.all([startServer(), bundleProgram()]);
  const templateName = `gateway_template_${process.pid}`;
  await administer(server.url, `CREATE DATABASE ${templateName}`);
  await migrate(databaseAt(server.url, templateName));
  await makeRoles(server.url);
  await grantPrivileges(databaseAt(server.url, templateName), { app: APP_ROLE, reports: REPORTS_ROLE });
  project.provide('serverUrls', [server.url]);
  project.provide('templateName', templateName);
  project.provide('program', program);
  return async () => {
    await administer(server.url, `DROP DATABASE ${templateName} WITH (FORCE)`);
    await server.stop();
  };
}

/** Browsers test the build of `npm ci`, unless a file of the dashboard has changed since. */
async function buildDashboardIfStale(): Promise<void> {
  const root = fileURLToPath(new URL('../../dashboard/', import.meta.url));
  const built = await stat(join(root, 'dist/index.html')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const folders = ['src', 'payment-page', 'public'].map((name) =>
    readdir(join(root, name), { recursive: true, withFileTypes: true }),
  );
  for (const file of (await Promise.all(folders)).flat()) {
    if ((await stat(join(file.parentPath, file.name))).mtimeMs <= built) continue;
    const { status } = spawnSync(process.execPath, [join(root, 'prepare.ts')], { stdio: 'inherit' });
    if (status !== 0) throw new Error('the dashboard could not be built: npm run build:dashboard');
    return;
  }
}

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: async () => undefined };
  const directory = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const database = await startEmbedded({ directory, settings: SETTINGS });
  return {
    url: database.url,
    async stop() {
      await database.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * With TEST_CITUS=1: a cluster whose template database is distributed. Copied on each server, it is
 * a distributed database again.
 */
async function setUpCitus(project: TestProject): Promise<() => Promise<void>> {
  const missing = await whyNoCitus();
  if (missing !== undefined) throw new Error(`TEST_CITUS=1: ${missing}`);
  const cluster = await startCitusCluster();
  const templateName = `gateway_template_${process.pid}`;
  await cluster.createDatabase(templateName);
  const serverUrls = [cluster.coordinator, ...cluster.workers].map(({ url }) => url);
  for (const url of serverUrls) {
    // The servers keep connections to each other in it.
    await administer(
      url,
      `ALTER DATABASE ${templateName} ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${templateName}'`,
    );
  }
  project.provide('serverUrls', serverUrls);
  project.provide('templateName', templateName);
  project.provide('program', await bundleProgram());
  return () => cluster.stop();
}
