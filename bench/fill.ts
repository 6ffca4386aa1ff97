import { query } from './charges.ts';
import type { Seller } from './server.ts';

const PORTION = 100_000;

/**
 * Puts paid charges into the tables, dealt out to the sellers, without the API: a way to get millions of rows in
 * minutes. They look as the API's own charges do, ids ordered by time among them.
 */
export async function fillCharges(url: string, sellers: readonly Seller[], count: number): Promise<void> {
  const ids = sellers.map((seller) => seller.id);
  for (let made = 0; made < count; made += PORTION) {
    await query(url, FILL, [ids, Math.min(PORTION, count - made)]);
  }
  await query(url, 'VACUUM (ANALYZE) transactions, customers, items, pix_charges, transaction_history');
}

const FILL = `
  WITH charges AS MATERIALIZED (
    SELECT ($1::uuid[])[1 + n % cardinality($1::uuid[])] AS seller_id, made_at,
      overlay(gen_random_uuid()::text PLACING
        overlay(lpad(to_hex((extract(epoch FROM made_at) * 1000)::bigint), 12, '0') PLACING '-' FROM 9 FOR 0)
        FROM 1 FOR 13)::uuid AS id
    FROM (
      SELECT n, clock_timestamp() - interval '30 days' + n * interval '1 millisecond' AS made_at
      FROM generate_series(0, $2::integer - 1) AS n
    ) AS moments
  ), created AS (
    INSERT INTO transactions (seller_id, id, method, status, version, amount, fee_amount, refunded_amount, expires_at,
      paid_at, created_at, updated_at)
    SELECT seller_id, id, 'PIX', 'PAID', 2, 150000, 1485, 0, made_at + interval '1 hour', made_at, made_at, made_at FROM charges
  ), payers AS (
    INSERT INTO customers (seller_id, transaction_id, id, name, email, phone, document_type, document, created_at)
    SELECT seller_id, id, gen_random_uuid(), 'Ana Souza', 'ana@example.com', '11987654321', 'CPF', '52998224725', made_at
    FROM charges
  ), sold AS (
    INSERT INTO items (seller_id, transaction_id, position, id, title, amount, quantity, tangible, created_at)
    SELECT seller_id, id, 0, gen_random_uuid(), 'Caneca', 150000, 1, true, made_at FROM charges
  ), pix AS (
    INSERT INTO pix_charges (seller_id, transaction_id, id, txid, location, code, expires_at, created_at)
    SELECT seller_id, id, gen_random_uuid(), replace(id::text, '-', ''), 'http://127.0.0.1/pix/' || id,
      repeat('00020126580014br.gov.bcb.pix', 6), made_at + interval '1 hour', made_at
    FROM charges
  ), counted AS (
    INSERT INTO transaction_counts AS kept (seller_id, method, status, writer, count)
    SELECT seller_id, 'PIX', 'PAID', pg_backend_pid(), count(*) FROM charges GROUP BY seller_id
    ON CONFLICT (seller_id, method, status, writer) DO UPDATE SET count = kept.count + excluded.count
  )
  INSERT INTO transaction_history (seller_id, transaction_id, position, to_status, actor, at)
  SELECT seller_id, id, position, CASE position WHEN 1 THEN 'PENDING' ELSE 'PAID' END, 'SELLER', made_at
  FROM charges CROSS JOIN generate_series(1, 2) AS position`;
