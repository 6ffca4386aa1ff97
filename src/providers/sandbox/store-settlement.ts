import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { SettlementType } from '#accounting/reconciliation/settlement-file.ts';

/** A money movement at the sandbox's bank. */
export interface SandboxMovement {
  readonly type: SettlementType;
  readonly id: string;
  readonly reference: string;
  readonly method: string;
  /** Cents. */
  readonly amount: number;
}

/**
 * Finds movements of a period in order of type and id, starting after the given one. They are
 * derived from provider events, payouts and refunds, never from the ledger, which the file is
 * compared with. Reported events count on the day of their receipt. No index serves this query; the
 * sandbox is small.
 */
export async function findSandboxMovements(
  db: Db,
  { from, before }: { readonly from: Date; readonly before: Date },
  after: { readonly type: string; readonly id: string },
  limit: number,
): Promise<readonly SandboxMovement[]> {
  const { rows } = await sql<SandboxMovement>`
    SELECT type, id, reference, method, amount FROM (
      SELECT 'PAYMENT' AS type, coalesce(r.provider_event_id, t.id::text) AS id, t.id AS reference,
        t.method, t.amount
      FROM transactions t LEFT JOIN provider_events r ON r.seller_id = t.seller_id AND r.record_id = t.id
        AND r.provider = 'sandbox' AND r.kind = 'PAYMENT' AND r.outcome = 'APPLIED'
      WHERE t.paid_at IS NOT NULL AND coalesce(r.received_at, t.paid_at) >= ${from}
        AND coalesce(r.received_at, t.paid_at) < ${before}
      UNION ALL
      -- A late payment arrived at the bank, whatever became of its transaction.
      SELECT 'PAYMENT', r.provider_event_id, r.record_id, t.method, r.amount
      FROM provider_events r JOIN transactions t ON t.seller_id = r.seller_id AND t.id = r.record_id
      WHERE r.provider = 'sandbox' AND r.kind = 'PAYMENT' AND r.outcome = 'LATE'
        AND r.received_at >= ${from} AND r.received_at < ${before}
      UNION ALL
      SELECT 'CHARGEBACK', r.provider_event_id, t.id, t.method, t.amount - t.refunded_amount
      FROM provider_events r JOIN transactions t ON t.seller_id = r.seller_id AND t.id = r.record_id
      WHERE r.provider = 'sandbox' AND r.kind = 'CHARGEBACK' AND r.outcome = 'APPLIED'
        AND r.received_at >= ${from} AND r.received_at < ${before}
      UNION ALL
      SELECT 'CHARGEBACK', d.id::text, t.id, t.method, d.amount
      FROM disputes d JOIN transactions t ON t.seller_id = d.seller_id AND t.id = d.transaction_id
      WHERE d.status = 'REJECTED' AND d.resolved_at >= ${from} AND d.resolved_at < ${before}
      UNION ALL
      SELECT 'REFUND', f.id::text, f.id, t.method, f.amount
      FROM refunds f JOIN transactions t ON t.seller_id = f.seller_id AND t.id = f.transaction_id
      WHERE f.status = 'DONE' AND coalesce(f.booked_at, f.created_at) >= ${from}
        AND coalesce(f.booked_at, f.created_at) < ${before}
      UNION ALL
      SELECT 'WITHDRAWAL', coalesce(p.provider_reference, w.id::text), w.id, w.method, w.amount - w.fee_amount
      FROM withdrawals w JOIN payouts p ON p.seller_id = w.seller_id AND p.withdrawal_id = w.id
      WHERE w.provider = 'sandbox' AND w.status = 'PAID' AND w.paid_at >= ${from} AND w.paid_at < ${before}
    ) movements
    WHERE (type COLLATE "C", id COLLATE "C") > (${after.type}::text, ${after.id}::text)
    ORDER BY type COLLATE "C", id COLLATE "C" LIMIT ${limit}`.execute(db);
  return rows;
}
