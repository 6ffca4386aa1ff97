import type { Action } from '#audit/actions.ts';
import { recordAudit } from '#audit/service.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Subscription } from './subscription.ts';

export interface SubscriptionAudit {
  readonly subscription: Subscription;
  readonly action: Action;
  readonly before: Parameters<typeof recordAudit>[2]['before'];
  readonly after: Parameters<typeof recordAudit>[2]['after'];
}

/** Records a change of a subscription in the audit log. */
export function recordSubscriptionAudit(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { subscription: { sellerId, id, updatedAt: at }, action, before, after }: SubscriptionAudit,
): Promise<void> {
  return recordAudit(trx, actor, {
    action,
    recordType: 'subscription',
    recordId: id,
    sellerId,
    before,
    after,
    at,
  });
}
