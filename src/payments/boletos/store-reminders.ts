import { sql } from 'kysely';

import type { DatabaseTransaction } from '#platform/database/connect.ts';

export interface DueBoleto {
  readonly transactionId: string;
  readonly email: string;
  readonly amount: number;
  readonly digitableLine: string;
  /** Its public address. */
  readonly location: string;
}

/**
 * The unpaid boletos of a seller that are due on a day and were created before `createdBefore`, in
 * the order of their transactions. Those of payers who have unsubscribed, and of erased payers,
 * have an empty email. Every table is restricted to the seller by its id, so that a distributed
 * database finds their node.
 */
export async function findDueBoletos(
  trx: DatabaseTransaction,
  { sellerId, after }: { readonly sellerId: string; readonly after: string | null },
  { day, createdBefore }: { readonly day: string; readonly createdBefore: Date },
  limit: number,
): Promise<readonly DueBoleto[]> {
  const { rows } = await sql<DueBoleto>`
    SELECT b.transaction_id AS "transactionId", b.digitable_line AS "digitableLine", b.location, t.amount,
      CASE WHEN t.status IN ('PENDING', 'WAITING_PAYMENT') AND b.created_at < ${createdBefore}
        AND c.erased_at IS NULL AND NOT EXISTS (
          SELECT FROM mail_opt_outs o WHERE o.seller_id = ${sellerId}
            AND o.email_hash = sha256(convert_to(lower(c.email), 'UTF8')))
        THEN c.email ELSE '' END AS email
    FROM (
      SELECT * FROM boleto_payments WHERE seller_id = ${sellerId} AND due_date = ${day}::date
        AND (${after}::uuid IS NULL OR transaction_id > ${after}::uuid)
      ORDER BY transaction_id LIMIT ${limit}
    ) b
    CROSS JOIN LATERAL (
      SELECT status, amount FROM transactions
      WHERE seller_id = ${sellerId} AND id = b.transaction_id OFFSET 0) t
    CROSS JOIN LATERAL (
      SELECT email, erased_at FROM transaction_customers
      WHERE seller_id = ${sellerId} AND transaction_id = b.transaction_id OFFSET 0) c
    ORDER BY b.transaction_id`.execute(trx);
  return rows;
}
