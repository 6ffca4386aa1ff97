import pg from 'pg';

import type { DB } from './types.gen.ts';

/**
 * The privileges on each table of a database user for serving, who can change neither the schema
 * nor append-only tables. Columns in parentheses are the only ones of their table that may change.
 */
type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | `UPDATE (${string})`;

const READ = ['SELECT'] as const;
/** Written once and never changed. */
const APPEND = ['SELECT', 'INSERT'] as const;
const CHANGE = ['SELECT', 'INSERT', 'UPDATE'] as const;
/** Expired rows are deleted. */
const ALL = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;

type Table = Exclude<keyof DB, 'schema_migrations'>;

export const APP_PRIVILEGES: Readonly<Record<Table, readonly Privilege[]>> = {
  api_keys: ALL,
  audit_log: APPEND,
  // Only columns that may contain personal data, which a payer can have erased, may change.
  boleto_payments: [...APPEND, 'UPDATE (instructions)'],
  boleto_numbers: CHANGE,
  boleto_registrations: CHANGE,
  cache_invalidations: [...APPEND, 'DELETE'],
  card_payments: APPEND,
  card_tokens: [...APPEND, 'UPDATE (encrypted_number)', 'DELETE'],
  provider_operations: CHANGE,
  cnab_payments: CHANGE,
  cnab_return_lines: CHANGE,
  cnab_returns: CHANGE,
  cnab_sequences: CHANGE,
  cnab_shipments: [...APPEND, 'UPDATE (encrypted_file)'],
  transaction_customers: [...APPEND, 'UPDATE (external_ref, name, email, phone, document, erased_at)'],
  database_mode: APPEND,
  deliveries: ALL,
  delivery_attempts: [...APPEND, 'UPDATE (response_body, error)', 'DELETE'],
  disputes: CHANGE,
  domain_clock: ['SELECT', 'UPDATE'],
  encryption_keys: CHANGE,
  events: [...APPEND, 'UPDATE (payload)', 'DELETE'],
  fee_schedules: CHANGE,
  idempotency_keys: ALL,
  transaction_items: [...APPEND, 'UPDATE (title, external_ref)'],
  ledger_checks: ALL,
  ledger_daily_total_cursors: CHANGE,
  ledger_daily_totals: CHANGE,
  ledger_entries: APPEND,
  ledger_holds: ALL,
  ledger_chain: APPEND,
  med_events: CHANGE,
  operator_approvals: CHANGE,
  operator_settings: ['SELECT', 'UPDATE'],
  payouts: ALL,
  pix_payments: APPEND,
  postback_secrets: [...APPEND, 'UPDATE (encrypted_secret, encrypted_previous_secret, previous_signs_until)'],
  provider_positions: CHANGE,
  provider_events: [...APPEND, 'UPDATE (detail, provider_event_id)'],
  recovery_codes: ALL,
  refresh_tokens: ALL,
  refunds: CHANGE,
  releases: CHANGE,
  retired_webhook_secrets: ALL,
  payment_reversals: CHANGE,
  sandbox_scheduled_events: ALL,
  sandbox_signing_keys: [...APPEND, 'UPDATE (encrypted_private_key)'],
  second_factors: ALL,
  sellers: CHANGE,
  sessions: ALL,
  settlement_files: CHANGE,
  settlement_lines: APPEND,
  transaction_counts: ALL,
  transaction_history: [...APPEND, 'UPDATE (reason)'],
  transactions: CHANGE,
  unmatched_provider_events: [...APPEND, 'UPDATE (detail, provider_event_id)'],
  unverified_payments: ALL,
  users: ALL,
  wallets: CHANGE,
  waiting_disputes: ALL,
  webhooks: ALL,
  withdrawal_approvals: APPEND,
  withdrawal_history: APPEND,
  withdrawals: CHANGE,
  worker_heartbeats: ALL,
};

/** Tables that contain only credentials. Report users cannot read them. */
const CREDENTIAL_TABLES: ReadonlySet<string> = new Set<Table>([
  'card_tokens',
  'encryption_keys',
  'postback_secrets',
  'recovery_codes',
  'refresh_tokens',
  'retired_webhook_secrets',
  'sandbox_signing_keys',
  'second_factors',
  'sessions',
]);

/**
 * Columns with secrets or personal data. Report users can read the other columns of their tables.
 */
const HIDDEN_COLUMNS =
  /^(encrypted_.*|.*_hash|postback_url|url|payload|response|response_body|error|metadata|description|instructions)$/;
const PERSONAL_DATA_COLUMNS: Readonly<Partial<Record<Table, readonly string[]>>> = {
  boleto_payments: ['location'],
  transaction_customers: ['external_ref', 'name', 'email', 'phone', 'document'],
  transaction_items: ['title', 'external_ref'],
  withdrawals: ['beneficiary_name'],
  users: ['name', 'email'],
  operator_approvals: ['requester_name', 'summary', 'reason'],
  audit_log: ['actor_name', 'before', 'after'],
  disputes: ['reason', 'appeal_reason'],
  waiting_disputes: ['reason'],
};

export interface Grantees {
  /** The user that the gateway connects as. */
  readonly app?: string | undefined;
  /** The user for reports. */
  readonly reports?: string | undefined;
}

/**
 * Grants database users exactly the privileges they need and revokes all others. The owner of the
 * tables runs it after each migration. The users must exist.
 */
export async function grantPrivileges(databaseUrl: string, { app, reports }: Grantees): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'gateway grant',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    if (app !== undefined) await replacePrivileges(client, app, appPrivileges());
    if (reports !== undefined) await replacePrivileges(client, reports, await reportPrivileges(client));
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

const appPrivileges = (): readonly string[] =>
  [...Object.entries(APP_PRIVILEGES), ['schema_migrations', READ] as const].map(
    ([table, privileges]) => `${privileges.join(', ')} ON ${table}`,
  );

async function reportPrivileges(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
      WHERE table_schema = current_schema() GROUP BY table_name ORDER BY table_name`,
  );
  return rows.flatMap(({ table, columns }) => {
    if (CREDENTIAL_TABLES.has(table)) return [];
    const hidden = Object.entries(PERSONAL_DATA_COLUMNS).find(([name]) => name === table)?.[1] ?? [];
    const shown = columns.filter((name) => !HIDDEN_COLUMNS.test(name) && !hidden.includes(name));
    return [`SELECT (${shown.map((name) => pg.escapeIdentifier(name)).join(', ')}) ON ${table}`];
  });
}

async function replacePrivileges(client: pg.Client, role: string, grants: readonly string[]): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount !== 1) {
    throw new Error(`the database has no user ${role}: make it first, see docs/database-roles.md`);
  }
  const to = pg.escapeIdentifier(role);
  const { rows } = await client.query<{ schema: string }>('SELECT current_schema() AS schema');
  const schema = pg.escapeIdentifier(rows[0]?.schema ?? 'public');
  await client.query(
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${to};
     REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM ${to};
     REVOKE CREATE ON SCHEMA ${schema} FROM ${to}; GRANT USAGE ON SCHEMA ${schema} TO ${to}`,
  );
  for (const one of grants) await client.query(`GRANT ${one} TO ${to}`);
}
