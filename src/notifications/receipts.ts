/**
 * SQL: inserts a receipt for each row of `changes` whose transaction became PAID, if its seller
 * wants mails to payers and the payer has not unsubscribed. `changes` is a FROM item with the
 * columns `seller_id`, `transaction_id`, `change_id`, `from_status`, `to_status`, `method`,
 * `total_amount` (cents) and `at`. OFFSET 0 keeps PostgreSQL from reading payers of sellers that
 * want no mails.
 */
export const insertReceiptsSql = (changes: string): string => `
      INSERT INTO mails (seller_id, id, template, locale, recipient, params, record_id, status, attempts,
        due_at, created_at, updated_at)
      SELECT t.seller_id, (left(t.change_id::text, 13) || substr(gen_random_uuid()::text, 14))::uuid,
        'receipt', t.payer_language, lower(c.email),
        json_build_object('seller', coalesce(t.display_name, s.name),
          'amount', t.total_amount, 'method', t.method, 'at', t.at), t.transaction_id,
        'PENDING', 0, t.at, t.at, t.at
      FROM (
        SELECT t.*, p.display_name, p.payer_language FROM ${changes} t
        JOIN seller_settings p ON p.seller_id = t.seller_id AND p.payer_emails
        WHERE t.to_status = 'PAID' AND t.from_status <> 'DISPUTE' OFFSET 0
      ) t
      JOIN sellers s ON s.id = t.seller_id
      JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.transaction_id
        AND c.erased_at IS NULL
      LEFT JOIN mail_opt_outs o ON o.seller_id = c.seller_id
        AND o.email_hash = sha256(convert_to(lower(c.email), 'UTF8'))
      WHERE o.seller_id IS NULL`;
