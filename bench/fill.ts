import { BOOKING_CTES } from '#accounting/ledger/service.ts';
import { CREATE_OPERATION } from '#payments/transactions/store-create.ts';
import { query } from './database.ts';
import type { Seller } from './server.ts';

const PORTION = 100_000;
const DAYS_AGO_MS = 29 * 24 * 3_600_000;

/**
 * Inserts paid transactions without the API, distributed over the sellers, to get millions of rows
 * in minutes. They match those of the API, including time-ordered ids and every dependent row:
 * keys, history, provider event, event, delivery, attempt and ledger entries. `from` is the number
 * inserted before. The ledger entries have no proof, which SQL cannot compute: the worker does not
 * chain them and holds payouts. No benchmark that uses them measures either.
 */
export async function fillCharges(
  url: string,
  sellers: readonly Seller[],
  count: number,
  from = 0,
): Promise<void> {
  const ids = sellers.map((seller) => seller.id);
  for (let made = 0; made < count; made += PORTION) {
    const firstAt = new Date(Date.now() - DAYS_AGO_MS + from + made);
    await query(url, FILL, [ids, Math.min(PORTION, count - made), firstAt, PAYLOAD]);
  }
  // The rows have ids from before the last count.
  await query(url, 'TRUNCATE daily_counts, daily_count_cursors');
  await query(url, 'VACUUM (ANALYZE)');
  await query(url, 'CHECKPOINT');
}

/** About the length of a Pix event payload. */
const PAYLOAD = JSON.stringify({ type: 'TRANSACTION', data: { padding: 'x'.repeat(900) } });

const FILL = `
  WITH charges AS MATERIALIZED (
    SELECT ($1::uuid[])[1 + n % cardinality($1::uuid[])] AS seller_id, made_at,
      overlay(gen_random_uuid()::text PLACING
        overlay(lpad(to_hex((extract(epoch FROM made_at) * 1000)::bigint), 12, '0') PLACING '-' FROM 9 FOR 0)
        FROM 1 FOR 13)::uuid AS id
    FROM (
      SELECT n, $3::timestamptz + n * interval '1 millisecond' AS made_at
      FROM generate_series(0, $2::integer - 1) AS n
    ) AS moments
  ), keys AS (
    INSERT INTO idempotency_keys (seller_id, operation, key, body_hash, record_id, created_at)
    SELECT seller_id, '${CREATE_OPERATION}', gen_random_uuid(), sha256(id::text::bytea), id, made_at
    FROM charges
  ), created AS (
    INSERT INTO transactions (seller_id, id, method, status, version, amount, fee_amount, fee_type, fee_value,
      refunded_amount, expires_at, paid_at, created_at, updated_at)
    SELECT seller_id, id, 'PIX', 'PAID', 2, 150000, 1485, 'PERCENTAGE', 99, 0,
      made_at + interval '1 hour', made_at, made_at, made_at
    FROM charges
  ), payers AS (
    INSERT INTO transaction_customers (seller_id, transaction_id, id, name, email, phone, document_type,
      document, created_at)
    SELECT seller_id, id, gen_random_uuid(), 'Ana Souza', 'ana@example.com', '11987654321', 'CPF',
      '52998224725', made_at
    FROM charges
  ), sold AS (
    INSERT INTO transaction_items (seller_id, transaction_id, position, id, title, amount, quantity, tangible,
      created_at)
    SELECT seller_id, id, 0, gen_random_uuid(), 'Caneca', 150000, 1, true, made_at FROM charges
  ), pix AS (
    INSERT INTO pix_payments (seller_id, transaction_id, id, txid, location, code, expires_at, created_at)
    SELECT seller_id, id, gen_random_uuid(), replace(id::text, '-', ''), 'http://127.0.0.1/pix/' || id,
      repeat('00020126580014br.gov.bcb.pix', 6), made_at + interval '1 hour', made_at
    FROM charges
  ), history AS (
    INSERT INTO transaction_history (seller_id, transaction_id, position, from_status, to_status, actor, at)
    SELECT seller_id, id, position, from_status, to_status, actor, made_at
    FROM charges CROSS JOIN (VALUES (1, NULL, 'PENDING', 'SELLER'), (2, 'PENDING', 'PAID', 'PROVIDER'))
      AS steps (position, from_status, to_status, actor)
  ), reports AS (
    INSERT INTO provider_events (seller_id, id, provider, provider_event_id, kind, record_id, amount,
      occurred_at, received_at, outcome)
    SELECT seller_id, id, 'sandbox',
      'E99999999' || to_char(made_at, 'YYYYMMDDHH24MI') || left(md5(id::text), 11), 'PAYMENT', id, 150000,
      made_at, made_at, 'APPLIED'
    FROM charges
  ), reported AS (
    INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
    SELECT seller_id, id, 'TRANSACTION_UPDATED', id, $4::text, made_at FROM charges
  ), delivered AS (
    INSERT INTO deliveries (seller_id, id, event_id, event, record_id, endpoint, url, status, attempts,
      due_at, created_at, updated_at)
    SELECT seller_id, id, id, 'TRANSACTION_UPDATED', id, 'https://shop.example',
      'https://shop.example/hook', 'DELIVERED', 1, made_at, made_at, made_at
    FROM charges
  ), ended AS (
    INSERT INTO delivery_counts AS kept (seller_id, webhook_id, day, status, count)
    SELECT seller_id, '00000000-0000-0000-0000-000000000000',
      (made_at AT TIME ZONE 'America/Sao_Paulo')::date, 'DELIVERED', count(*)
    FROM charges GROUP BY 1, 3
    ON CONFLICT (seller_id, webhook_id, day, status) DO UPDATE SET count = kept.count + excluded.count
  ), attempts AS (
    INSERT INTO delivery_attempts (seller_id, delivery_id, number, at, latency_ms, status_code, response_body)
    SELECT seller_id, id, 1, made_at, 40, 200, 'ok' FROM charges
  ), counted AS (
    INSERT INTO transaction_counts AS kept (seller_id, method, status, writer, count)
    SELECT seller_id, 'PIX', 'PAID', pg_backend_pid(), count(*) FROM charges GROUP BY seller_id
    ON CONFLICT (seller_id, method, status, writer) DO UPDATE SET count = kept.count + excluded.count
  ), new_entries AS MATERIALIZED (
    SELECT seller_id, id AS record_id, made_at AS at, id AS batch_key, NULL::text AS proof, e.*
    FROM charges CROSS JOIN (VALUES (0, 'PIX', 'provider', 'available', 150000::bigint, 'PAYMENT'),
      (1, 'PIX', 'available', 'fees', 1485, 'PAYMENT_FEE')) AS e (n, origin, debit, credit, amount, cause)
  ), floors AS (
    SELECT seller_id, 'PIX' AS origin, NULL::bigint AS floor FROM charges WHERE false
  ), ${BOOKING_CTES}
  SELECT count(*) FROM updated_wallets`;
