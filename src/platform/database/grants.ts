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
  application_documents: ALL,
  application_messages: ALL,
  audit_log: APPEND,
  // Only columns that may contain personal data, which a payer can have erased, may change.
  boleto_payments: [...APPEND, 'UPDATE (instructions)'],
  boleto_numbers: CHANGE,
  boleto_registrations: CHANGE,
  cache_invalidations: [...APPEND, 'DELETE'],
  checkout_attempts: ALL,
  payout_pause: ['SELECT'],
  payment_links: CHANGE,
  payment_link_codes: APPEND,
  card_payments: [...APPEND, 'UPDATE (authorization_code, nsu, network_reference)'],
  card_tokens: [...APPEND, 'UPDATE (encrypted_number)', 'DELETE'],
  provider_operations: CHANGE,
  risk_decisions: ALL,
  risk_list_entries: ALL,
  risk_rules: ALL,
  risk_signals: ALL,
  cnab_payments: CHANGE,
  cnab_return_lines: CHANGE,
  cnab_returns: CHANGE,
  cnab_sequences: CHANGE,
  cnab_shipments: [...APPEND, 'UPDATE (encrypted_file, written_at)'],
  transaction_customers: [...APPEND, 'UPDATE (external_ref, name, email, phone, document, erased_at)'],
  customers: ALL,
  daily_count_cursors: CHANGE,
  daily_counts: ALL,
  database_mode: APPEND,
  devices: ALL,
  deliveries: ALL,
  delivery_counts: ALL,
  delivery_attempts: [...APPEND, 'UPDATE (response_body, error)', 'DELETE'],
  disputes: CHANGE,
  dispute_attachments: [...APPEND, 'UPDATE (encrypted_key)', 'DELETE'],
  dispute_messages: [...APPEND, 'UPDATE (text)'],
  domain_clock: ['SELECT', 'UPDATE'],
  encryption_keys: CHANGE,
  events: [...APPEND, 'UPDATE (payload)', 'DELETE'],
  fee_schedules: CHANGE,
  idempotency_keys: ALL,
  transaction_items: [...APPEND, 'UPDATE (title, external_ref)'],
  invitations: ALL,
  ledger_check_marks: ALL,
  ledger_checks: ALL,
  ledger_daily_total_cursors: CHANGE,
  ledger_daily_totals: CHANGE,
  ledger_entries: APPEND,
  ledger_holds: ALL,
  ledger_hourly_totals: CHANGE,
  ledger_chain: APPEND,
  ledger_payment_totals: CHANGE,
  mail_opt_outs: CHANGE,
  mails: ALL,
  master_key_holders: ALL,
  med_events: CHANGE,
  notification_choices: CHANGE,
  notifications: ALL,
  operator_approvals: CHANGE,
  operator_settings: ['SELECT', 'UPDATE'],
  password_reset_requests: ALL,
  paused_providers: ALL,
  password_resets: ALL,
  passkeys: ALL,
  payouts: ALL,
  pix_payments: APPEND,
  postback_secrets: [...APPEND, 'UPDATE (encrypted_secret, encrypted_previous_secret, previous_signs_until)'],
  provider_costs: CHANGE,
  provider_orders: ALL,
  provider_movement_cursor: ['SELECT', 'UPDATE'],
  provider_movement_totals: ALL,
  provider_positions: CHANGE,
  provider_events: [...APPEND, 'UPDATE (detail, payer, provider_event_id)'],
  reconciled_days: CHANGE,
  recovery_codes: ALL,
  refresh_tokens: ALL,
  refunds: CHANGE,
  release_totals: CHANGE,
  releases: CHANGE,
  revenue_totals: ALL,
  seller_revenue_totals: ALL,
  retired_webhook_secrets: ALL,
  payment_reversals: CHANGE,
  sandbox_scheduled_events: ALL,
  sandbox_signing_keys: [...APPEND, 'UPDATE (encrypted_private_key)'],
  search_segments: CHANGE,
  search_terms: [...APPEND, 'DELETE'],
  second_factors: ALL,
  seller_applications: CHANGE,
  seller_settings: CHANGE,
  sellers: CHANGE,
  sessions: ALL,
  settlement_files: CHANGE,
  signups: ALL,
  settlement_lines: APPEND,
  stored_settings: ALL,
  subscriptions: CHANGE,
  subscription_invoices: CHANGE,
  subscription_attempts: CHANGE,
  subscription_months: CHANGE,
  subscription_outcomes: ALL,
  pix_authorizations: CHANGE,
  transaction_counts: ALL,
  transaction_history: [...APPEND, 'UPDATE (reason)'],
  transactions: CHANGE,
  unpaid_totals: CHANGE,
  unmatched_provider_events: [...APPEND, 'UPDATE (detail, provider_event_id)'],
  unverified_payments: ALL,
  used_passkey_challenges: [...APPEND, 'DELETE'],
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
  'devices',
  'encryption_keys',
  'password_reset_requests',
  'password_resets',
  'postback_secrets',
  'recovery_codes',
  'refresh_tokens',
  'retired_webhook_secrets',
  'sandbox_signing_keys',
  'second_factors',
  'sessions',
  'signups',
]);

/**
 * Columns with secrets or personal data. Report users can read the other columns of their tables.
 */
const HIDDEN_COLUMNS = [
  /^(encrypted_.*|.*_hash(es)?)$/,
  /^(postback_url|url|payload|response|response_body|error|metadata|description|instructions)$/,
];
const PERSONAL_DATA_COLUMNS: Readonly<Partial<Record<Table, readonly string[]>>> = {
  application_documents: ['name', 'content'],
  application_messages: ['text'],
  boleto_payments: ['location'],
  customers: ['name', 'email', 'phone', 'document', 'external_ref', 'address', 'notes'],
  transaction_customers: ['external_ref', 'name', 'email', 'phone', 'document'],
  transaction_items: ['title', 'external_ref'],
  withdrawals: ['beneficiary_name', 'holder_name'],
  users: ['name', 'email'],
  invitations: ['name', 'email', 'creator_name'],
  mails: ['recipient', 'params'],
  notifications: ['params'],
  operator_approvals: ['requester_name', 'summary', 'reason'],
  audit_log: ['actor_name', 'before', 'after'],
  // The keys of metadata are what sellers choose.
  search_terms: ['field', 'ngrams', 'terms'],
  disputes: ['reason', 'appeal_reason'],
  seller_applications: ['name', 'document', 'owner_name', 'owner_email'],
  dispute_attachments: ['name', 'content'],
  dispute_messages: ['text'],
  waiting_disputes: ['reason'],
  provider_events: ['payer'],
  checkout_attempts: ['address_mac'],
  risk_signals: ['card', 'document', 'email', 'address', 'link'],
  risk_list_entries: ['value', 'masked', 'note'],
  payment_links: ['code', 'external_ref', 'success_url'],
  payment_link_codes: ['code'],
  transactions: ['external_ref', 'payment_secret'],
  subscriptions: ['customer', 'external_ref', 'payer_secret'],
  pix_authorizations: ['payer_account'],
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
    await revokeLargeObjects(client);
    if (app !== undefined) await replacePrivileges(client, app, appPrivileges());
    if (reports !== undefined) await replacePrivileges(client, reports, await reportPrivileges(client));
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/**
 * Everyone may create large objects, and one of another role makes a dump as the owner fail. Only a
 * superuser may revoke that, as docs/database-roles.md does.
 */
async function revokeLargeObjects(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = current_user AND rolsuper');
  if (rowCount !== 1) return;
  await client.query(
    'REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC',
  );
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
    const shown = columns.filter(
      (name) => !HIDDEN_COLUMNS.some((pattern) => pattern.test(name)) && !hidden.includes(name),
    );
    return [`SELECT (${shown.map((name) => pg.escapeIdentifier(name)).join(', ')}) ON ${table}`];
  });
}

async function replacePrivileges(client: pg.Client, role: string, grants: readonly string[]): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount !== 1) {
    throw new Error(`the database has no role ${role}: create it first, see docs/database-roles.md`);
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
