import { randomBytes } from 'node:crypto';

import pg from 'pg';
import { inject } from 'vitest';

import { APP_ROLE, asRole } from '#test/support/database-roles.ts';

export interface TestDatabase {
  readonly url: string;
  /** Connects as the owner of the tables. */
  readonly ownerUrl: string;
  /** Runs SQL outside the gateway. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  drop(): Promise<void>;
}

/** Sets a transaction's status by SQL and updates the counts. */
export async function putStatus(database: TestDatabase, id: string, status: string): Promise<void> {
  await database.query(
    `WITH before AS MATERIALIZED (SELECT seller_id, id, method, status FROM transactions WHERE id = $1),
       changed AS (UPDATE transactions t SET status = $2 FROM before b WHERE t.seller_id = b.seller_id AND t.id = b.id)
     INSERT INTO transaction_counts AS kept (seller_id, method, status, writer, count)
     SELECT seller_id, method, s.status, pg_backend_pid(), s.number
     FROM before b CROSS JOIN LATERAL (VALUES (b.status, -1), ($2, 1)) AS s (status, number) WHERE b.status <> $2
     ON CONFLICT (seller_id, method, status, writer) DO UPDATE SET count = kept.count + excluded.count`,
    [id, status],
  );
}

/** Creates a migrated database by copying the template, which takes a few milliseconds. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const name = `gateway_test_${randomBytes(6).toString('hex')}`;
  const serverUrl = inject('serverUrl');
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  // Copying fails while another copy of the same template is in progress.
  for (let attempt = 1; ; attempt += 1) {
    try {
      await server.query(`CREATE DATABASE ${name} TEMPLATE ${inject('templateName')}`);
      break;
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  return {
    // The suite can also run as the restricted database user of the documentation.
    url: process.env['TEST_AS_APP'] === '1' ? asRole(address.href, APP_ROLE) : address.href,
    ownerUrl: address.href,
    async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      const result = await client.query<Row>(text, [...values]);
      return result.rows;
    },
    async drop() {
      await client.end();
      await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await server.end();
    },
  };
}
