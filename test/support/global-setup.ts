import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import type { TestProject } from 'vitest/node';

import { startEmbedded } from '#platform/database/embedded.ts';
import { grantPrivileges } from '#platform/database/grants.ts';
import { migrate } from '#platform/database/migrate.ts';
import { APP_ROLE, REPORTS_ROLE, ROLE_PASSWORD } from '#test/support/database-roles.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server for test databases, and the migrated template that each test file copies. */
    serverUrl: string;
    templateName: string;
  }
}

/**
 * One PostgreSQL server for all test files: that of TEST_DATABASE_URL, or the embedded one. It runs
 * without fsync; crash tests have servers of their own.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const templateName = `gateway_template_${process.pid}`;
  await administer(server.url, `CREATE DATABASE ${templateName}`);
  await migrate(withDatabase(server.url, templateName));
  await makeRoles(server.url);
  await grantPrivileges(withDatabase(server.url, templateName), { app: APP_ROLE, reports: REPORTS_ROLE });
  project.provide('serverUrl', server.url);
  project.provide('templateName', templateName);
  return async () => {
    await administer(server.url, `DROP DATABASE ${templateName} WITH (FORCE)`);
    await server.stop();
  };
}

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') return { url: given, stop: async () => undefined };
  const directory = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const database = await startEmbedded({ directory, settings: { fsync: 'off', max_connections: '300' } });
  return {
    url: database.url,
    async stop() {
      await database.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Creates the users of the server. Copies of the template include their privileges. */
async function makeRoles(serverUrl: string): Promise<void> {
  for (const role of [APP_ROLE, REPORTS_ROLE]) {
    await administer(
      serverUrl,
      `DO $$ BEGIN CREATE ROLE ${role} LOGIN PASSWORD '${ROLE_PASSWORD}';
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
    );
  }
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
