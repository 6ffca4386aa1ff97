import { randomUUID } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { APP_PRIVILEGES, grantPrivileges } from '#platform/database/grants.ts';
import { migrate } from '#platform/database/migrate.ts';
import { APP_ROLE, asRole, REPORTS_ROLE } from '#test/support/database-roles.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { cloneDatabase } from '#test/support/database.ts';
import { SHARED_SECRETS, startNode } from '#test/support/node.ts';
import { run } from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { bringTo, expectBalanced, newSeller, withdrawn, type TestSeller } from '#test/support/withdrawals.ts';

/** The gateway runs as a role with the least privileges; another role owns the tables. */

vi.setConfig({ testTimeout: 60_000 });

let receiver: Receiver;
let gateway: TestGateway;
let seller: TestSeller;
let appUrl: string;
beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startTestGateway({
    asApp: true,
    environment: SHARED_SECRETS,
    receiverAuthorities: receiver.authority,
  });
  appUrl = asRole(gateway.database.ownerUrl, APP_ROLE);
  seller = await newSeller(gateway, { balance: 50_000 });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

/** The error of a role's statement, which must not have changed anything. */
async function tryAs(role: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: asRole(gateway.database.ownerUrl, role) });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement);
    return 'done';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
}

const FORBIDDEN = '42501';

describe('the application role', () => {
  it('is the one of the gateway’s connections', async () => {
    const users = await gateway.database.query<{ usename: string }>(
      `SELECT DISTINCT usename::text FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'gateway%'`,
    );
    expect(users).toEqual([{ usename: APP_ROLE }]);
  });

  it('suffices for a transaction, its payment, refund and dispute, a withdrawal and webhooks', async () => {
    const token = await gateway.adminToken();
    const hook = await gateway.post('/webhooks', { url: receiver.url, eventType: 'ALL' }, seller);
    expect(hook.status).toBe(201);
    const charges = await Promise.all([1, 2, 3].map(async () => gateway.charge({}, seller)));
    const [refunded, disputed, charged] = charges.map((charge) => String(charge.body.data.id));
    for (const id of [refunded, disputed, charged]) {
      expect((await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, seller)).status).toBe(200);
    }
    const refund = await gateway.post(
      `/transactions/${refunded}/refund`,
      { amount: 500 },
      { ...seller, idempotencyKey: randomUUID() },
    );
    expect(refund.status).toBeLessThan(300);
    const reason = { reason: 'not mine' };
    const opened = await gateway.post(`/admin/transactions/${disputed}/dispute`, reason, { token });
    expect(opened.status).toBe(201);
    const { id: disputeId } = opened.body.data;
    const outcome = { outcome: 'RESOLVED' };
    expect((await gateway.post(`/admin/disputes/${disputeId}/resolve`, outcome, { token })).status).toBe(200);
    await bringTo(gateway, seller, await withdrawn(gateway, seller), 'PAID');
    const boleto = await gateway.charge({ method: 'BOLETO' }, seller);
    expect(boleto.status).toBe(201);
    await receiver.waitFor(8, 30_000);
    const reported = new Set(receiver.received.map(({ body }) => String(body.event)));
    expect(reported.size).toBeGreaterThan(2);
    await vi.waitFor(
      async () => {
        const chainEntries = await gateway.database.query('SELECT 1 FROM ledger_chain WHERE seller_id = $1', [
          seller.id,
        ]);
        expect(chainEntries.length).toBeGreaterThan(0);
      },
      { timeout: 30_000 },
    );
    await expectBalanced(gateway);
  });

  it('can start, check the ledger and rotate the key on a current schema', async () => {
    expect(await migrate(appUrl)).toEqual([]);
    const settings = {
      DATABASE_URL: appUrl,
      MODE: 'sandbox',
      JWT_SECRET: String(SHARED_SECRETS['JWT_SECRET']),
      ENCRYPTION_KEY: String(SHARED_SECRETS['ENCRYPTION_KEY']),
    };
    const check = await run(['ledger-check'], settings).exit(60_000);
    expect(check.code).toBe(0);
    const exit = await run(['rotate-keys'], settings).exit(60_000);
    expect(exit.stderr).toMatch(/^mode [^\n]*\n$/);
    expect(exit.code).toBe(0);
  });

  it.each([
    'UPDATE ledger_entries SET amount = amount + 1',
    'DELETE FROM ledger_entries',
    'TRUNCATE ledger_entries',
    "UPDATE ledger_chain SET mac = ''",
    'DELETE FROM ledger_chain',
    "UPDATE audit_log SET actor_name = 'somebody'",
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
    "UPDATE transaction_history SET to_status = 'PAID'",
    'DELETE FROM transaction_history',
    'DELETE FROM withdrawal_history',
    'UPDATE provider_events SET amount = 1',
    "UPDATE provider_events SET outcome = 'APPLIED'",
    'DELETE FROM provider_events',
    'TRUNCATE provider_events',
    'DELETE FROM transactions',
    'DELETE FROM withdrawals',
    'DELETE FROM transaction_customers',
    'DELETE FROM wallets',
    'DELETE FROM sellers',
    'DELETE FROM encryption_keys',
    'UPDATE card_tokens SET expiration_year = 2099',
    'UPDATE settlement_lines SET amount = 1',
    'DELETE FROM schema_migrations',
    "INSERT INTO schema_migrations VALUES ('x', now())",
    'CREATE TABLE mine (id integer)',
    'ALTER TABLE ledger_entries ADD COLUMN more text',
    'DROP TABLE ledger_entries',
    'CREATE INDEX mine ON ledger_entries (amount)',
    'CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
    'ALTER TABLE audit_log DISABLE TRIGGER ALL',
    "COPY ledger_entries TO PROGRAM 'cat'",
    "SELECT pg_read_file('/etc/passwd')",
    'SELECT lo_create(0)',
    "SELECT lo_from_bytea(0, 'x')",
  ])('must not: %s', async (statement) => {
    expect(await tryAs(APP_ROLE, statement)).toBe(FORBIDDEN);
  });

  it('cannot grant itself privileges', async () => {
    // PostgreSQL only warns, and grants nothing.
    await tryAs(APP_ROLE, 'GRANT UPDATE ON ledger_entries TO CURRENT_USER; COMMIT');
    expect(await tryAs(APP_ROLE, 'UPDATE ledger_entries SET amount = 1')).toBe(FORBIDDEN);
  });

  it('has privileges defined for every table', async () => {
    const tables = await gateway.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'schema_migrations'`,
    );
    expect(new Set(Object.keys(APP_PRIVILEGES))).toEqual(new Set(tables.map(({ name }) => name)));
  });

  it('cannot delete ledger entries or history', () => {
    for (const table of ['ledger_entries', 'ledger_chain', 'audit_log', 'withdrawal_history'] as const) {
      expect(APP_PRIVILEGES[table]).toEqual(['SELECT', 'INSERT']);
    }
  });
});

describe('a start in production', () => {
  it('warns if the role can change history, and not for the least-privilege role', async () => {
    const clone = await cloneDatabase();
    const environment = { MODE: 'production', PUBLIC_URL: 'https://pay.example.com' };
    const warningsAs = async (databaseUrl: string) => {
      const node = await startNode({ databaseUrl, environment });
      await node.stop();
      return node.logged.filter(({ msg }) => msg.startsWith('the database role may change history'));
    };
    try {
      const [warning] = await warningsAs(clone.ownerUrl);
      expect(warning?.level).toBe('warn');
      for (const table of ['ledger_entries', 'ledger_chain', 'audit_log', 'provider_events']) {
        expect(warning?.text).toContain(table);
      }
      expect(await warningsAs(asRole(clone.ownerUrl, APP_ROLE))).toEqual([]);
    } finally {
      await clone.drop();
    }
  });
});

describe('the reports role', () => {
  it.each([
    'SELECT seller_id, amount, cause, created_at FROM ledger_entries',
    'SELECT seller_id, status, amount, fee_amount, paid_at FROM transactions',
    'SELECT seller_id, available, retained FROM wallets',
    'SELECT id, name, status FROM sellers',
    'SELECT action, record_type, at FROM audit_log',
    'SELECT seller_id, document_type FROM transaction_customers',
  ])('can read %s', async (statement) => {
    expect(await tryAs(REPORTS_ROLE, statement)).toBe('done');
  });

  it.each([
    'SELECT name FROM transaction_customers',
    'SELECT document FROM transaction_customers',
    'SELECT payload FROM events',
    'SELECT encrypted_payee FROM withdrawals',
    'SELECT password_hash FROM users',
    'SELECT key_hash FROM api_keys',
    'SELECT * FROM card_tokens',
    'SELECT * FROM second_factors',
    'SELECT * FROM encryption_keys',
    'SELECT encrypted_secret FROM webhooks',
    'SELECT response FROM idempotency_keys',
    'UPDATE transactions SET amount = 1',
    'DELETE FROM transactions',
    'INSERT INTO operator_settings DEFAULT VALUES',
    'CREATE TABLE mine (id integer)',
  ])('is refused to %s', async (statement) => {
    expect(await tryAs(REPORTS_ROLE, statement)).toBe(FORBIDDEN);
  });
});

describe('npm run migrate with grants', () => {
  it('grants again after each migration, and reports a missing role', async () => {
    const settings = { DATABASE_URL: gateway.database.ownerUrl, MODE: 'sandbox' };
    const twice = await run(['migrate', '--grant-app', APP_ROLE, '--grant-reports', REPORTS_ROLE], {
      ...settings,
      ...secrets(),
    }).exit(60_000);
    expect(twice.stdout).toBe(`The schema is up to date.\nGranted: ${APP_ROLE}\nGranted: ${REPORTS_ROLE}\n`);
    await expect(grantPrivileges(gateway.database.ownerUrl, { app: 'nobody_here' })).rejects.toThrow(
      'the database has no role nobody_here',
    );
  });

  it('revokes privileges that were granted manually', async () => {
    await gateway.database.query(`GRANT UPDATE, DELETE ON ledger_entries TO ${APP_ROLE}`);
    expect(await tryAs(APP_ROLE, 'DELETE FROM ledger_entries')).toBe('done');
    await grantPrivileges(gateway.database.ownerUrl, { app: APP_ROLE });
    expect(await tryAs(APP_ROLE, 'DELETE FROM ledger_entries')).toBe(FORBIDDEN);
  });

  it('aborts startup on an old schema with instructions to migrate as its owner', async () => {
    await gateway.database.query("DELETE FROM schema_migrations WHERE name LIKE '0008%'");
    await expect(migrate(appUrl)).rejects.toThrow(
      /lacks migrations \(0008-.*run npm run migrate as the owner/,
    );
    await gateway.database.query('DROP TABLE schema_migrations');
    await expect(migrate(appUrl)).rejects.toThrow(/run npm run migrate as the owner/);
  });
});

const secrets = () => ({
  JWT_SECRET: String(SHARED_SECRETS['JWT_SECRET']),
  ENCRYPTION_KEY: String(SHARED_SECRETS['ENCRYPTION_KEY']),
});
