import type { Members } from '#audit/members.ts';
import { recordAudit } from '#audit/service.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { newId } from '#platform/kit/ids.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import type { Dispute } from './dispute.ts';
import { DISPUTE_UPDATED } from './events.ts';

/** Writes the event of a dispute's change, in its transaction. */
export async function publishDisputeUpdated(
  trx: DatabaseTransaction,
  dispute: Dispute,
  now: Date,
): Promise<void> {
  const { id, transactionId, status, amount, reason, createdAt, resolvedAt } = dispute;
  const data = { id, transactionId, status, amount, reason, createdAt, resolvedAt };
  await publishEvent(trx, {
    sellerId: dispute.sellerId,
    id: newId(now.getTime()),
    type: DISPUTE_UPDATED,
    recordId: id,
    payload: JSON.stringify({ event: DISPUTE_UPDATED, data }),
    eventType: 'DISPUTE',
    at: now,
  });
}

export const actorName = (by: AuditActor | 'PAYER' | 'PROVIDER' | 'deadline'): string =>
  typeof by === 'string' ? by : (by.id ?? by.kind);

interface DisputeChange {
  readonly action: 'dispute.opened' | 'dispute.appealed' | 'dispute.resolved';
  readonly before: Dispute | null;
  readonly after: Dispute;
  readonly at: Date;
}

export function recordDisputeAudit(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { action, before, after, at }: DisputeChange,
): Promise<void> {
  return recordAudit(trx, actor, {
    action,
    recordType: 'dispute',
    recordId: after.id,
    sellerId: after.sellerId,
    before: before && auditedMembers(before),
    after: auditedMembers(after),
    at,
  });
}

const auditedMembers = ({
  transactionId,
  status,
  amount,
  reason,
  resolvedAt,
  resolvedBy,
}: Dispute): Members => ({
  transactionId,
  status,
  amount,
  reason,
  resolvedAt,
  resolvedBy,
});
