import type { Action } from '#audit/actions.ts';
import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';

/** Records who captured, voided or canceled a transaction. */
export function recordAction(
  trx: DatabaseTransaction,
  { author, action }: { readonly author: AuditActor; readonly action: Action },
  done: { readonly transaction: Transaction; readonly amount?: number; readonly at: Date },
): Promise<void> {
  const { transaction, amount = transaction.amount, at } = done;
  const { id: recordId, sellerId } = transaction;
  const target = { recordType: 'transaction', recordId, sellerId } as const;
  return recordAudit(trx, author, { action, ...target, before: null, after: { amount }, at });
}
