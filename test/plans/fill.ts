import { MIN_ID } from '#platform/kit/ids.ts';
import type { TestDatabase } from '#test/support/database.ts';

/**
 * One large seller and many small ones. Every row is computed from its number, so that the calls
 * can name it. The charges of the small sellers, and rare statuses, are the oldest: a plan that
 * walks an index from its newest end finds them last.
 */
const SMALL_SELLERS = 200;
const SMALL_CHARGES = 50;
const LARGE_CHARGES = 20_000;

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The first charge of the large seller is created then, and each next one two minutes later. */
const LARGE_START = START + 2 * DAY_MS;

/** When all records exist and everything that expires has expired. */
export const NOW = new Date(START + 60 * DAY_MS);
/** A day in the middle of the large seller's charges. */
export const DAY = { from: new Date(START + 15 * DAY_MS), before: new Date(START + 16 * DAY_MS) };
export const DATE = '2026-01-16';

const sellerId = (seller: number): string =>
  `00000000-0000-4000-8000-${seller.toString(16).padStart(12, '0')}`;
export const LARGE = sellerId(1);
export const SMALL = sellerId(2);

/** The kinds of records, which are part of their ids. */
const KINDS = {
  transaction: 0,
  withdrawal: 1,
  dispute: 2,
  refund: 3,
  event: 4,
  entry: 5,
  reversal: 6,
  webhook: 7,
  user: 8,
  file: 9,
} as const;

/** The id of the n-th record of the large seller. */
export function idOf(kind: keyof typeof KINDS, n: number): string {
  const at = (LARGE_START + n * 120_000).toString(16).padStart(12, '0');
  const hex = `${at}4${KINDS[kind].toString(16).padStart(3, '0')}8001${n.toString(16).padStart(12, '0')}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const id = (kind: keyof typeof KINDS): string =>
  `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '4' ||
    lpad(to_hex(${KINDS[kind]}), 3, '0') || '8' || lpad(to_hex(seller), 3, '0') ||
    lpad(to_hex(n), 12, '0'))::uuid`;

const PAID = `status IN ('PAID', 'REFUNDED', 'CHARGEDBACK')`;
const every = (step: number): string => `FROM charges WHERE n % ${step} = 0`;
/** Each seller has one. */
const ONE_EACH = 'FROM charges WHERE n = 1';

/** Fills the tables of sellers, users and credentials. */
const SELLERS = [
  `INSERT INTO sellers
    SELECT seller_id, 'Loja ' || seller, 'CNPJ', '11222333000181', 'ACTIVE', 600, 600, 1, 30, 0, 0, 0, NULL, at, at
    ${ONE_EACH}`,
  `INSERT INTO fee_schedules
    SELECT seller_id, 'FIXED', 10, 'FIXED', 10, 'FIXED', 10, 'FIXED', array_fill(10, ARRAY[12]), at
    ${ONE_EACH}`,
  `INSERT INTO users (id, seller_id, name, email, role, password_hash, created_at, updated_at)
    SELECT ${id('user')}, seller_id, 'Ana', seller || '-' || n || '@example.com', 'OWNER', 'hash', at, at
    FROM charges WHERE n <= 3`,
  `INSERT INTO sessions (id, user_id, transport, last_used_at, verified_at, expires_at, created_at)
    SELECT id, id, 'BODY', created_at, created_at, created_at + interval '7 days', created_at FROM users
    ON CONFLICT DO NOTHING`,
  `INSERT INTO seller_applications (seller_id, status, name, document_type, document, owner_name, owner_email,
      created_at, updated_at)
    SELECT seller_id, 'DRAFT', 'Loja', 'CNPJ', 'common', 'Ana', 'a@example.com', at, at ${ONE_EACH}`,
  `INSERT INTO application_documents
    SELECT seller_id, id, 'IDENTITY', 'a.pdf', 'application/pdf', 1, '', '', at
    FROM charges WHERE n <= 10`,
  `INSERT INTO application_messages SELECT seller_id, id, 'OPERATOR', 'text', at FROM charges WHERE n <= 10`,
  `INSERT INTO signups
    SELECT id, 'Loja', 'CNPJ', 'common', 'Ana', 'a@example.com', 'hash', 'en', sha256(id::text::bytea), at, at
    ${every(20)}`,
  `INSERT INTO devices SELECT id, n::text, '', created_at, created_at FROM users, generate_series(1, 3) AS n
    ON CONFLICT DO NOTHING`,
  `INSERT INTO refresh_tokens SELECT sha256(id::text::bytea), id, user_id, expires_at, NULL, created_at
    FROM sessions ON CONFLICT DO NOTHING`,
  `INSERT INTO second_factors SELECT id, 'secret', created_at, NULL, created_at FROM users
    ON CONFLICT DO NOTHING`,
  `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, sign_count, transports,
      backup_eligible, backed_up, created_at)
    SELECT id, id, 'Laptop', sha256(id::text::bytea), 'key', 0, '{}', false, false, created_at FROM users
    ON CONFLICT DO NOTHING`,
  `INSERT INTO recovery_codes SELECT id, sha256(n::text::bytea) FROM users, generate_series(1, 10) AS n
    ON CONFLICT DO NOTHING`,
  `INSERT INTO api_keys (seller_id, id, name, prefix, role, key_hash, creator_id, created_at)
    SELECT seller_id, ${id('user')}, 'key', 'sk_test', 'OWNER', sha256((seller || '-' || n)::bytea),
      ${id('user')}, at FROM charges WHERE n <= 3`,
  `INSERT INTO audit_log (id, at, actor_kind, actor_id, action, record_type, record_id, seller_id, request_id)
    SELECT id, at, 'API_KEY', seller_id, CASE WHEN n <= 10 THEN 'RARE' ELSE 'COMMON' END, 'TRANSACTION',
      id::text, seller_id, id::text
    ${every(5)}`,
  `INSERT INTO operator_approvals (id, action, seller_id, summary, encrypted_request, status, requested_by,
      requester_name, expires_at, created_at, decided_at)
    SELECT id, 'SELLER', seller_id, '{}', '', 'REJECTED', seller_id, 'Ana', at, at, at ${every(50)}`,
  `INSERT INTO invitations
    SELECT id, seller_id, '', n || '@example.com', 'VIEWER', 'en', sha256(id::text::bytea), NULL, NULL, at, at
    ${every(500)}`,
  `INSERT INTO password_reset_requests SELECT id, n || '@example.com', 'en', at ${every(500)}`,
  `INSERT INTO password_resets SELECT sha256((n || id::text)::bytea), id, created_at, created_at
    FROM users, generate_series(1, 3) AS n ON CONFLICT DO NOTHING`,
  `INSERT INTO seller_settings (seller_id, payer_emails, embed_origins, updated_at)
    SELECT seller_id, true, '{}', at ${ONE_EACH}`,
  `INSERT INTO mail_opt_outs SELECT seller_id, sha256(id::text::bytea), at ${every(50)}`,
  `INSERT INTO mails (seller_id, id, template, locale, recipient, params, record_id, status, attempts, due_at,
      created_at, updated_at)
    SELECT seller_id, id, 'receipt', 'en', n || '@example.com', '{}', id,
      CASE WHEN n % 100 = 0 THEN 'FAILED' WHEN n % 101 = 0 THEN 'PENDING' ELSE 'SENT' END, 1, at, at, at
    ${every(2)}`,
  `INSERT INTO notification_choices (user_id, mailed, summary_after, updated_at)
    SELECT id, '{}', created_at::date, created_at FROM users ON CONFLICT DO NOTHING`,
  `INSERT INTO notifications
    SELECT u.id, c.id, 'withdrawal-paid', '{}', CASE WHEN n % 10 = 0 THEN NULL ELSE at END, at
    FROM charges c JOIN users u ON u.seller_id = c.seller_id WHERE n % 10 = 0`,
  `INSERT INTO ledger_holds SELECT seller_id, 'none', at FROM charges WHERE n = 1 AND seller % 50 = 3`,
];

const METHOD_OF_ORIGIN = `CASE method WHEN 'CREDIT_CARD' THEN 'CARD' ELSE method END`;

const PAYMENTS = [
  `INSERT INTO transactions (seller_id, id, method, status, version, amount, fee_amount, refunded_amount,
      metadata, external_ref, expires_at, paid_at, created_at, updated_at)
    SELECT seller_id, id, method, status, 1, 1000, 10, 0, json_build_object('order', 'A' || n),
      CASE WHEN n % 5 = 0 THEN 'order' END, at + interval '1 hour',
      CASE WHEN ${PAID} THEN at END, at, at FROM charges`,
  `INSERT INTO risk_signals (seller_id, transaction_id, number, request_id, amount, declined,
      counted_by_seller, created_at, document, email)
    SELECT seller_id, id, n, id, 1000, n % 7 = 0, true, at, 'D' || n,
      CASE WHEN n % 50 = 0 THEN 'common' ELSE 'E' || n END FROM charges`,
  `INSERT INTO transaction_counts SELECT seller_id, method, status, 100 + (n % 3)::integer, count(*)
    FROM charges GROUP BY 1, 2, 3, 4`,
  `INSERT INTO unpaid_totals SELECT seller_id, at::date, method, count(*) FROM charges WHERE status = 'FAILED'
    GROUP BY 1, 2, 3`,
  `INSERT INTO transaction_customers (seller_id, transaction_id, id, name, email, phone, document_type,
      document, created_at)
    SELECT seller_id, id, id, 'Ana ' || n, n || '@example.com', '11987654321', 'CPF', '52998224725', at
    FROM charges`,
  `INSERT INTO transaction_items (seller_id, transaction_id, position, id, title, amount, quantity, tangible,
      created_at)
    SELECT seller_id, id, 0, id, 'Caneca', 1000, 1, true, at FROM charges`,
  `INSERT INTO pix_payments SELECT seller_id, id, id, replace(id::text, '-', ''), 'location', 'code', at, at
    FROM charges WHERE method = 'PIX'`,
  `INSERT INTO boleto_payments
    SELECT seller_id, id, id, n::text, 'barcode', 'line', at::date, 'location', '', at, at
    FROM charges WHERE method = 'BOLETO'`,
  `INSERT INTO card_payments SELECT seller_id, id, id, 'visa', '1111', NULL, NULL, at FROM charges
    WHERE method = 'CREDIT_CARD'`,
  `INSERT INTO customers
    SELECT seller_id, id, 'Ana ' || n, n || '@example.com', '11987654321', 'CPF', 'D' || n, 'client', NULL,
      NULL, NULL, at, at ${every(20)}`,
  `INSERT INTO card_tokens
    SELECT seller_id, id, id, false, 'number', 'visa', '1111', 1 + n % 12, 2020 + (n % 30), at ${every(20)}`,
  `INSERT INTO transaction_history (seller_id, transaction_id, position, to_status, actor, at)
    SELECT seller_id, id, 1, 'PENDING', 'SELLER', at FROM charges`,
  `INSERT INTO idempotency_keys (seller_id, operation, key, body_hash, record_id, created_at)
    SELECT seller_id, 'transactions.create', id, '', id, at FROM charges`,
  `INSERT INTO provider_events (seller_id, provider, provider_event_id, kind, record_id, amount, occurred_at,
      received_at, outcome, id)
    SELECT seller_id, 'sandbox', 'E' || seller || '-' || n, 'PAYMENT', id, 1000, at, at,
      CASE WHEN n <= 20 THEN 'LATE' ELSE 'APPLIED' END, id FROM charges WHERE ${PAID}`,
  `INSERT INTO unmatched_provider_events
    SELECT 'sandbox', 'U' || seller || '-' || n, 'PAYMENT', '', '', id, 1, at, at, ''
    ${every(100)}`,
  `INSERT INTO unverified_payments
    SELECT 'bacen', 'V' || seller || '-' || n, id, '', 1, at, at, 0, at, NULL, NULL, at
    ${every(100)}`,
  `INSERT INTO provider_operations (seller_id, id, transaction_id, kind, provider, amount, state, due_at,
      created_at, updated_at)
    SELECT seller_id, id, id, 'CREATE', 'bacen', 1000, CASE WHEN n % 100 = 0 THEN 'OPEN' ELSE 'DONE' END, at,
      at, at ${every(5)}`,
  `INSERT INTO releases
    SELECT seller_id, id, 1, 900, CASE WHEN n % 3 = 0 THEN 'PENDING' ELSE 'RELEASED' END,
      at + interval '30 days', at FROM charges WHERE method <> 'PIX'`,
  `INSERT INTO release_totals SELECT seller_id, due_at::date, 'BOLETO', sum(amount), count(*) FROM releases
    WHERE status = 'PENDING' GROUP BY 1, 2 ON CONFLICT DO NOTHING`,
  `INSERT INTO refunds (seller_id, id, transaction_id, amount, created_by, booked_at, created_at)
    SELECT seller_id, ${id('refund')}, id, 10, '{}', at, at ${every(50)}`,
  `INSERT INTO disputes (seller_id, id, transaction_id, status, amount, reason, created_by, appeal_until,
      next_reminder_at, provider, provider_reference, created_at, updated_at)
    SELECT seller_id, ${id('dispute')}, id, CASE WHEN n % 100 = 0 THEN 'OPEN' ELSE 'RESOLVED' END, 10, '',
      'PROVIDER', at, CASE WHEN n % 100 = 0 THEN at END, 'adyen', 'D' || n, at, at ${every(20)}`,
  `INSERT INTO dispute_attachments
    SELECT seller_id, id, ${id('dispute')}, 'a.pdf', 'application/pdf', 1, '', '', '{}', at ${every(20)}`,
  `INSERT INTO dispute_messages SELECT seller_id, id, ${id('dispute')}, 'text', '{}', at ${every(20)}`,
  `INSERT INTO waiting_disputes SELECT seller_id, 'adyen', 'W' || n, id, 10, '', at, NULL, at ${every(200)}`,
  `INSERT INTO med_events
    SELECT seller_id, 'bacen', 'NOTICE', 'M' || n, id, NULL, 10, NULL, at, at ${every(50)}`,
  `INSERT INTO sandbox_scheduled_events SELECT seller_id, id, 'CHARGEBACK', at ${every(50)}`,
  `INSERT INTO boleto_registrations SELECT seller_id, id, '341', seller || '-' || n, 'PENDING',
      CASE n % 20 WHEN 0 THEN 'TO_SHIP' WHEN 1 THEN 'AT_BANK' ELSE 'ENDED' END, NULL, NULL, NULL, at, at
    FROM charges WHERE method = 'BOLETO'`,
];

/** Every tenth subscription is due, every hundredth waits for a call. */
const SUBSCRIPTIONS = [
  `INSERT INTO subscriptions (seller_id, id, method, status, version, amount, amount_type, charge_interval,
      start_date, retry_policy, on_unpaid, customer_id, payer_secret, next_cycle, charged_cycles, invoices,
      due_at, card_check_at, card_checked_cycle, created_at, updated_at)
    SELECT seller_id, id, 'BOLETO', CASE WHEN n <= 40 THEN 'PAUSED' ELSE 'ACTIVE' END, 1, 1000, 'FIXED',
      'MONTHLY', at::date, 'NONE', 'CONTINUE', CASE WHEN n % 8 = 0 THEN id END, id, 1, 1, 1,
      CASE WHEN n % 40 = 0 THEN at WHEN n > 40 THEN at + interval '1 year' END,
      CASE WHEN n % 40 = 0 THEN at END, 0, at, at
    ${every(4)}`,
  `INSERT INTO subscription_invoices (seller_id, subscription_id, number, id, due_date, amount, status,
      attempts, retries_left, retry_at, created_at, updated_at)
    SELECT seller_id, id, number, id, at::date, 1000, CASE WHEN number = 3 THEN 'PENDING' ELSE 'PAID' END, 1,
      0, CASE WHEN number = 3 AND n % 400 = 0 THEN at END, at, at
    FROM charges CROSS JOIN generate_series(1, 3) AS number WHERE n % 4 = 0`,
  `INSERT INTO subscription_attempts (seller_id, id, subscription_id, invoice_number, number, kind,
      transaction_id, charge_date, state, attempts, due_at, read_at, created_at, updated_at)
    SELECT seller_id, id, id, 1, 1, 'CHARGE', id, at::date, CASE WHEN n % 400 = 0 THEN 'DUE' ELSE 'PAID' END,
      0, at, CASE WHEN n % 400 = 4 THEN at END, at, at ${every(4)}`,
  `INSERT INTO pix_authorizations (seller_id, subscription_id, provider, journey, id_rec, status, action,
      attempts, due_at, created_at, updated_at)
    SELECT seller_id, id, 'bacen', 2, 'R' || seller || '-' || n, 'APROVADA',
      CASE WHEN n % 400 = 0 THEN 'READ' END, 0, at, at, at
    ${every(4)}`,
  `INSERT INTO subscription_months SELECT seller_id, date_trunc('month', at)::date, count(*), 1, 0, 0, 0
    FROM charges GROUP BY 1, 2`,
  `INSERT INTO subscription_outcomes SELECT seller_id, id, at ${every(40)}`,
];

const PAYOUTS = [
  `INSERT INTO withdrawals (seller_id, id, method, status, version, origin, withdrawal_type, amount,
      fee_amount, rolling_amount, pix_key_type, masked_destination, encrypted_payee, metadata, created_by,
      provider, approved_at, created_at, updated_at)
    SELECT seller_id, ${id('withdrawal')}, 'PIX',
      CASE WHEN n <= 20 THEN 'REJECTED' WHEN n % 1000 = 0 THEN 'PENDING'
        WHEN n % 500 = 0 THEN 'APPROVED' WHEN n % 200 = 0 THEN 'PROCESSING' ELSE 'PAID' END, 1, 'PIX',
      'MANUAL', 100, 1, 100, 'EMAIL', 'a***' || n % 30, '', json_build_object('order', 'A' || n), '{}',
      'sandbox', at, at, at ${every(10)}`,
  `INSERT INTO withdrawal_history (seller_id, withdrawal_id, position, to_status, actor, at)
    SELECT seller_id, ${id('withdrawal')}, 1, 'PENDING', 'SELLER', at ${every(10)}`,
  `INSERT INTO payouts (seller_id, withdrawal_id, provider, attempts, due_at, submitted_at, created_at,
      updated_at)
    SELECT seller_id, ${id('withdrawal')}, 'sandbox', 0, at, CASE WHEN n % 100 <> 0 THEN at END, at, at
    ${every(10)}`,
  `INSERT INTO withdrawal_approvals SELECT seller_id, ${id('withdrawal')}, seller_id, at ${every(10)}`,
  `INSERT INTO payment_reversals (seller_id, id, transaction_id, method, provider, provider_event_id, amount,
      reason, status, attempts, due_at, created_at, updated_at)
    SELECT seller_id, ${id('reversal')}, id, 'PIX', 'sandbox', 'E' || n, 10, 'LATE',
      CASE WHEN n % 400 = 0 THEN 'PENDING' WHEN n <= 20 THEN 'MANUAL' ELSE 'SENT' END, 0, at, at, at
    ${every(20)}`,
  `INSERT INTO cnab_payments (seller_id, withdrawal_id, service, amount, encrypted_instruction, stage,
      created_at, updated_at)
    SELECT seller_id, ${id('withdrawal')}, 'PIX', 10, '',
      CASE WHEN n % 100 = 0 THEN 'TO_SHIP' ELSE 'ENDED' END, at, at ${every(20)}`,
  `INSERT INTO cnab_shipments
    SELECT ${id('file')}, '341', 'BOLETOS', seller * 1000 + n, 'BOLETOS', 1, 0, 0, 10, '', '', NULL, at
    FROM charges WHERE n <= 5`,
  `INSERT INTO cnab_returns
    SELECT ${id('file')}, '341', sha256((seller || '-' || n)::bytea), 10, 1, NULL, at,
      CASE WHEN n > 1 OR seller % 50 > 1 THEN at END
    FROM charges WHERE n <= 2`,
  `INSERT INTO cnab_return_lines (return_id, number, kind, code, record, amount, tariff, identity, outcome,
      counted)
    SELECT r.id, line, 'PAYOUT_PAID', '00', r.id || '-' || line, 10, 0, r.id || '-' || line,
      CASE WHEN line > 5 THEN 'APPLIED' END, line > 5
    FROM cnab_returns r, generate_series(1, 20) AS line ON CONFLICT DO NOTHING`,
  `INSERT INTO settlement_files
    SELECT ${id('file')}, 'sandbox', at::date, sha256((seller || '-' || n)::bytea), 10, 1, 0, 10, 0, 0,
      seller_id, at FROM charges WHERE n <= 5`,
  `INSERT INTO settlement_lines
    SELECT 'sandbox', (SELECT f.id FROM settlement_files f LIMIT 1), seller * 1000000 + n, 'PAYMENT',
      'E' || seller || '-' || n, id, 1000, 10, at::date, false FROM charges WHERE ${PAID}`,
];

const LEDGER = [
  `CREATE TEMP TABLE entries ON COMMIT DROP AS
    SELECT c.*, ${METHOD_OF_ORIGIN} AS origin,
      row_number() OVER (PARTITION BY seller, ${METHOD_OF_ORIGIN} ORDER BY n) AS position
    FROM charges c WHERE ${PAID}`,
  `INSERT INTO ledger_entries (seller_id, id, origin, debit, credit, amount, cause, record_id, position,
      available_after, blocked_after, created_at, proof)
    SELECT seller_id, ${id('entry')}, origin, 'provider', 'available', 1000,
      CASE WHEN n <= 20 THEN 'ADJUSTMENT' ELSE 'PAYMENT' END, id, position, 1000 * position, 0, at,
      'proof ' || n FROM entries`,
  `INSERT INTO wallets
    SELECT c.seller_id, o.origin, c.seller_id, coalesce(e.entries, 0) * 1000, 0, 0, 0, coalesce(e.entries, 0),
      0, c.at
    FROM charges c CROSS JOIN unnest(ARRAY['PIX', 'BOLETO', 'CARD']) AS o (origin)
    LEFT JOIN (SELECT seller_id, origin, count(*) AS entries FROM entries GROUP BY 1, 2) e
    USING (seller_id, origin) WHERE c.n = 1`,
  `INSERT INTO ledger_chain (seller_id, number, last_pix_entry_id, entries, balances, content_hash, mac,
      created_at)
    SELECT seller_id, position / 10, ${id('entry')}, position, '{}', '', 'key:' || n, at FROM entries
    WHERE origin = 'PIX' AND position % 10 = 0`,
  `INSERT INTO ledger_daily_totals SELECT seller_id, origin, at::date, 'PAYMENT', count(*), count(*) * 1000, 0
    FROM entries GROUP BY 1, 2, 3`,
  `INSERT INTO ledger_hourly_totals
    SELECT seller_id, origin, date_trunc('hour', at), 'PAYMENT', count(*), count(*) * 1000, 0 FROM entries
    GROUP BY 1, 2, 3`,
  `INSERT INTO ledger_payment_totals SELECT seller_id, origin, at::date, count(*) FROM entries
    GROUP BY 1, 2, 3`,
  `INSERT INTO ledger_daily_total_cursors
    SELECT DISTINCT ON (seller_id, origin) seller_id, origin, position, ${id('entry')}
    FROM entries ORDER BY seller_id, origin, position DESC`,
  `INSERT INTO provider_movement_totals
    SELECT at::date, 0, 'sandbox', origin, count(*), count(*) * 1000, 0, count(*), min(at), max(at)
    FROM entries GROUP BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING`,
  `INSERT INTO revenue_totals SELECT at::date, origin, count(*), count(*) * 1000, 0, 0, 0, 0 FROM entries
    GROUP BY 1, 2 ON CONFLICT DO NOTHING`,
  `INSERT INTO seller_revenue_totals SELECT at::date, seller_id, origin, count(*), count(*) * 1000, 0, 0, 0, 0
    FROM entries GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING`,
  `INSERT INTO ledger_check_marks SELECT seller_id, 0, '{}' ${ONE_EACH}`,
  `INSERT INTO ledger_checks (id, kind, holder, started_at, seen_at, finished_at, total_rows)
    SELECT id, 'NEW', id, at, at, at, 0 ${every(50)}`,
];

const EVENT = `CASE WHEN n <= 20 THEN 'TRANSACTION_CREATED' ELSE 'TRANSACTION_UPDATED' END`;

const WEBHOOKS = [
  `INSERT INTO webhooks (seller_id, id, url, event_type, encrypted_secret, disabled_at, disabled_reason,
      created_at)
    SELECT seller_id, ${id('webhook')}, 'https://example.com/' || seller, 'ALL', '',
      CASE WHEN n = 2 THEN at END, CASE WHEN n = 2 THEN 'failing' END, at
    FROM charges WHERE n <= 2`,
  `INSERT INTO postback_secrets (seller_id, encrypted_secret, created_at)
    SELECT seller_id, '', at ${ONE_EACH}`,
  `INSERT INTO events SELECT seller_id, ${id('event')}, ${EVENT}, id, '{}', at FROM charges`,
  `INSERT INTO deliveries (seller_id, id, event_id, webhook_id, endpoint, url, status, attempts, due_at,
      record_id, event, ready, created_at, updated_at)
    SELECT c.seller_id, ${id('event')}, ${id('event')}, w.id, w.id::text, 'https://example.com',
      CASE WHEN n <= 20 OR n % 100 = 5 THEN 'FAILED'
        WHEN n % 100 IN (8, 9, 11) THEN 'PENDING' WHEN n % 100 = 10 THEN 'HELD' ELSE 'DELIVERED' END, 1, at,
      c.id, ${EVENT}, n % 100 <> 9, at, at
    FROM charges c JOIN webhooks w ON w.seller_id = c.seller_id
      AND (w.disabled_at IS NOT NULL) = (n % 4 = 3)`,
  `INSERT INTO delivery_counts SELECT seller_id, webhook_id, created_at::date, status, count(*)
    FROM deliveries
    WHERE status IN ('DELIVERED', 'FAILED') GROUP BY 1, 2, 3, 4 ON CONFLICT DO NOTHING`,
  `INSERT INTO delivery_attempts (seller_id, delivery_id, number, at, latency_ms, status_code)
    SELECT seller_id, ${id('event')}, 1, at, 10, 200 FROM charges`,
];

/**
 * Segments of three quarters of the large seller's charges. Every filter passes, so that all values
 * are read.
 */
const SEARCH = [
  `CREATE TEMP TABLE segments ON COMMIT DROP AS
    SELECT seller_id, lag(max(id::text), 1, '${MIN_ID}') OVER (ORDER BY (n - 1) / 500)::uuid AS after_id,
      max(id::text)::uuid AS last_id, count(*) AS records, array_agg(id ORDER BY n) AS ids,
      string_agg('A' || n, chr(30) ORDER BY n) AS terms
    FROM charges WHERE seller = 1 AND n <= 15000 GROUP BY seller_id, (n - 1) / 500`,
  `INSERT INTO search_segments SELECT seller_id, 'TRANSACTION', after_id, last_id, records, false
    FROM segments`,
  `INSERT INTO search_terms
    SELECT seller_id, 'TRANSACTION', 'metadata:order', after_id, records, decode(repeat('ff', 4096), 'hex'),
      ids, chr(30) || terms || chr(30) FROM segments`,
];

/** Rare statuses have the oldest charges; the others recur every hundred charges. */
const CHARGES = `
  CREATE TEMP TABLE charges ON COMMIT DROP AS
  SELECT seller, seller_id, n, at, ${id('transaction')} AS id, method, status
  FROM (
    SELECT seller, n, ('00000000-0000-4000-8000-' || lpad(to_hex(seller), 12, '0'))::uuid AS seller_id,
      to_timestamp($4::float8 / 1000) + n * interval '2 minutes' AS at, n % 100 AS part
    FROM generate_series($1::integer, $2::integer) AS seller, generate_series(1, $3::integer) AS n
  ) numbers CROSS JOIN LATERAL (
    SELECT * FROM (VALUES (0, 'PIX', 'CHARGEDBACK'), (60, 'PIX', 'PAID'), (70, 'PIX', 'FAILED'),
      (80, 'PIX', 'PENDING'), (84, 'BOLETO', 'WAITING_PAYMENT'), (90, 'BOLETO', 'PAID'),
      (93, 'CREDIT_CARD', 'AUTHORIZED'), (99, 'CREDIT_CARD', 'PAID'),
      (100, 'PIX', 'REFUNDED')) AS kinds (below, method, status)
    WHERE CASE WHEN n <= 3 THEN below = 0 ELSE part < below END ORDER BY below LIMIT 1
  ) kind`;

interface Sellers {
  readonly first: number;
  readonly last: number;
  readonly charges: number;
  readonly start: number;
}

async function fill(database: TestDatabase, { first, last, charges, start }: Sellers): Promise<void> {
  await database.query('BEGIN');
  await database.query(CHARGES, [first, last, charges, start]);
  for (const statement of [
    ...SELLERS,
    ...PAYMENTS,
    ...SUBSCRIPTIONS,
    ...PAYOUTS,
    ...LEDGER,
    ...WEBHOOKS,
    ...SEARCH,
  ]) {
    await database.query(statement);
  }
  await database.query('COMMIT');
  // As autovacuum does.
  await database.query(`SELECT brin_summarize_new_values('ledger_entries_by_time')`);
}

export const fillSmallSellers = (database: TestDatabase): Promise<void> =>
  fill(database, { first: 2, last: SMALL_SELLERS + 1, charges: SMALL_CHARGES, start: START });

export const fillLargeSeller = (database: TestDatabase): Promise<void> =>
  fill(database, { first: 1, last: 1, charges: LARGE_CHARGES, start: LARGE_START });
