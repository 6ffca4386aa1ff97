import { randomBytes } from 'node:crypto';

import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  readonly url: string;
  /** Runs SQL beside the gateway, as an auditor or a vandal would. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  drop(): Promise<void>;
}

/** A migrated database of one's own, copied from the template in a few milliseconds. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const name = `gateway_test_${randomBytes(6).toString('hex')}`;
  const serverUrl = inject('serverUrl');
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  // Copying fails while another copy of the same template is being made.
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
    url: address.href,
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
