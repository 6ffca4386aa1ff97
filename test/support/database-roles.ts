/** Database users of the test server: the gateway's user and the read-only user for reports. */
export const APP_ROLE = 'gateway_test_app';
export const REPORTS_ROLE = 'gateway_test_reports';
export const ROLE_PASSWORD = 'of-a-test';

/** The database's URL for another user. */
export function asRole(databaseUrl: string, role: string): string {
  const address = new URL(databaseUrl);
  address.username = role;
  address.password = ROLE_PASSWORD;
  return address.href;
}
