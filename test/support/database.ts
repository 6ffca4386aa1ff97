import { randomBytes } from 'node:crypto';

import pg from 'pg';
import { inject } from 'vitest';

import { databaseAt } from '#test/support/administer.ts';
import { APP_ROLE, asRole } from '#test/support/database-roles.ts';

export interface TestDatabase {
  readonly url: string;
  /** Connects as the owner of the tables. */
  readonly ownerUrl: string;
  /** The same on each server: the coordinator, then the worker nodes. One if it is not distributed. */
  readonly ownerUrls: readonly string[];
  /** Runs SQL outside the gateway. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  drop(): Promise<void>;
}

/** Sets a transaction's status by SQL and updates the counts. */
export async function putStatus(database: TestDatabase, id: string, status: string): Promise<void> {
  await database.query(
    `WITH before AS MATERIALIZED (SELECT seller_id, id, method, status FROM transactions WHERE id = $1),
       changed AS (UPDATE transactions t SET status = $2 FROM before b
         WHERE t.seller_id = b.seller_id AND t.id = b.id)
     INSERT INTO transaction_counts AS kept (seller_id, method, status, writer, count)
     SELECT seller_id, method, s.status, pg_backend_pid(), s.number
     FROM before b CROSS JOIN LATERAL (VALUES (b.status, -1), ($2, 1)) AS s (status, number)
     WHERE b.status <> $2
     ON CONFLICT (seller_id, method, status, writer) DO UPDATE SET count = kept.count + excluded.count`,
    [id, status],
  );
}

/** Whether test databases are distributed over a Citus cluster. */
export const isDistributed = (): boolean => inject('serverUrls').length > 1;

/** Creates a migrated database by copying the template, which takes a few milliseconds. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const name = `gateway_test_${randomBytes(6).toString('hex')}`;
  const serverUrls = inject('serverUrls');
  // The workers come first: the coordinator connects to them.
  for (const url of serverUrls.toReversed()) await copyTemplate(url, name);
  const urls = serverUrls.map((url) => databaseAt(url, name));
  return openTestDatabase(urls, async () => {
    for (const url of serverUrls) await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

/** Connects to a migrated database on the first of its servers. */
export async function openTestDatabase(
  urls: readonly string[],
  drop: () => Promise<void>,
): Promise<TestDatabase> {
  const [url = ''] = urls;
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return {
    // The suite can also run as the restricted database user of the documentation.
    url: process.env['TEST_AS_APP'] === '1' ? asRole(url, APP_ROLE) : url,
    ownerUrl: url,
    ownerUrls: urls,
    async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      const result = await client.query<Row>(text, [...values]);
      return result.rows;
    },
    async drop() {
      await client.end();
      await drop();
    },
  };
}

/** Runs SQL on each server of a database. Returns the rows of all. */
export async function queryEachServer<Row extends pg.QueryResultRow>(
  { ownerUrls }: TestDatabase,
  text: string,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const connectionString of ownerUrls) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      // Several statements have as many results.
      const results = [await client.query<Row>(text)].flat();
      rows.push(...results.flatMap((result) => result.rows));
    } finally {
      await client.end();
    }
  }
  return rows;
}

/** A connection to each server. Opening one costs a third of a copy. */
const administrators = new Map<string, Promise<pg.Client>>();

/** Runs a statement on a connection that the files of a worker share. */
async function administer(url: string, statement: string): Promise<void> {
  const connecting = administrators.get(url) ?? connectAdministrator(url);
  administrators.set(url, connecting);
  const client = await connecting;
  await client.query(statement);
}

async function connectAdministrator(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  const forget = () => administrators.delete(url);
  client.on('error', forget).on('end', forget);
  await client.connect().catch((error: unknown) => {
    forget();
    throw error;
  });
  return client;
}

async function copyTemplate(serverUrl: string, name: string): Promise<void> {
  // Copying fails while another copy of the same template is in progress.
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Three times as fast as the default strategy, which logs each page.
      const from = `TEMPLATE ${inject('templateName')} STRATEGY file_copy`;
      await administer(serverUrl, `CREATE DATABASE ${name} ${from}`);
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
