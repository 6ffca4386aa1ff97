import pg from 'pg';

/** Database users of the test server: the gateway's user and the read-only user for reports. */
export const APP_ROLE = 'gateway_test_app';
export const REPORTS_ROLE = 'gateway_test_reports';
const ROLE_PASSWORD = 'of-a-test';

/** The database's URL for another user. */
export function asRole(databaseUrl: string, role: string): string {
  const address = new URL(databaseUrl);
  address.username = role;
  address.password = ROLE_PASSWORD;
  return address.href;
}

/** Creates the users of a server. Copies of a database include their privileges. */
export async function makeRoles(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const role of [APP_ROLE, REPORTS_ROLE]) {
      await client.query(
        `DO $$ BEGIN CREATE ROLE ${role} LOGIN PASSWORD '${ROLE_PASSWORD}';
          EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
      );
    }
  } finally {
    await client.end();
  }
}
