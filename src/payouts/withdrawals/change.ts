import type { Members } from '#audit/members.ts';
import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { newId } from '#platform/kit/ids.ts';
import { bookEntries } from '#accounting/ledger/service.ts';
import type { ProviderEventRecord } from '#payments/provider-events/provider-event.ts';
import { findProviderEvent, insertProviderEvent } from '#payments/provider-events/service.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import type { WithdrawalDeps } from './deps.ts';
import { withdrawalUpdated } from './events.ts';
import { decide, type WithdrawalEvent } from './states.ts';
import { insertPayout } from './store-payouts.ts';
import { findWithdrawal, insertHistory, updateWithdrawal, type Actor } from './store.ts';
import type { Withdrawal, WithdrawalKey, WithdrawalStatus } from './withdrawal.ts';

/** Each conflict means that another change was committed. */
const MAX_ATTEMPTS = 20;

export type ChangeResult =
  | { readonly kind: 'applied' | 'repeated'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'impossible'; readonly from: WithdrawalStatus; readonly to: WithdrawalStatus };

export interface ChangeSource {
  readonly actor: Actor;
  /** Stored together with the change. */
  readonly providerEvent?: ProviderEventRecord;
  /** The user who made the decision, for the audit log. */
  readonly author?: AuditActor;
}

/**
 * Applies an event to a withdrawal: reads it, decides, and writes if the withdrawal has not changed
 * meanwhile. Otherwise it starts again.
 */
export async function applyEvent(
  deps: WithdrawalDeps,
  key: WithdrawalKey,
  event: WithdrawalEvent,
  source: ChangeSource,
): Promise<ChangeResult> {
  const { db, notifyWorker } = deps;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = await findWithdrawal(db, key);
    if (before === undefined) return { kind: 'unknown' };
    const change = { ...source, event };
    const result = await db.transaction().execute((trx) => applyChange(deps, trx, before, change));
    switch (result.kind) {
      case 'conflict':
        continue;
      case 'applied':
        failPoint('withdrawals.changed');
        if (result.deliveries > 0) notifyWorker();
        return { kind: 'applied', withdrawal: result.withdrawal };
      case 'impossible':
        return source.providerEvent === undefined
          ? result
          : rejectProviderEvent(deps, before, source.providerEvent, result);
    }
  }
  throw new Error(`withdrawal ${key.id} changed during each of ${MAX_ATTEMPTS} attempts to apply an event`);
}

/** Applies a provider event at most once. One that cannot be applied is stored for the operator. */
export function applyProviderEvent(
  deps: WithdrawalDeps,
  key: WithdrawalKey,
  event: WithdrawalEvent,
  providerEvent: ProviderEventRecord,
): Promise<ChangeResult> {
  return applyEvent(deps, key, event, { actor: 'PROVIDER', providerEvent });
}

type Impossible = Extract<ChangeResult, { readonly kind: 'impossible' }>;

async function rejectProviderEvent(
  { db, clock }: WithdrawalDeps,
  withdrawal: Withdrawal,
  event: ProviderEventRecord,
  result: Impossible,
): Promise<ChangeResult> {
  const known = await findProviderEvent(db, withdrawal.sellerId, event);
  if (known?.recordId === withdrawal.id && known.outcome === 'APPLIED')
    return { kind: 'repeated', withdrawal };
  const detail = `${result.from} to ${result.to}` as const;
  const processed = { outcome: 'REJECTED', detail, receivedAt: clock.now() } as const;
  await insertProviderEvent(db, withdrawal, event, processed);
  return result;
}

export type ChangeOutcome =
  | { readonly kind: 'applied'; readonly withdrawal: Withdrawal; readonly deliveries: number }
  | Impossible
  /** The withdrawal has changed since it was read. */
  | { readonly kind: 'conflict' };

/**
 * Decides on an event and writes the change with its history, webhook event and ledger entries. The
 * wallet is locked last.
 */
export async function applyChange(
  deps: WithdrawalDeps,
  trx: DatabaseTransaction,
  before: Withdrawal,
  { event, actor, providerEvent, author }: ChangeSource & { readonly event: WithdrawalEvent },
): Promise<ChangeOutcome> {
  const { clock, secrets } = deps;
  const at = clock.now();
  const decision = decide(before, event, at);
  if (decision.kind === 'impossible') return decision;
  const { after, entries } = decision;
  if (!(await updateWithdrawal(trx, before, after))) return { kind: 'conflict' };
  const userId = 'userId' in event ? event.userId : null;
  const reason = 'reason' in event ? event.reason : null;
  await insertHistory(trx, after, { from: before.status, actor, userId, reason });
  if (providerEvent !== undefined) {
    const processed = { outcome: 'APPLIED', detail: null, receivedAt: at } as const;
    await insertProviderEvent(trx, after, providerEvent, processed);
  }
  if (author !== undefined) {
    await recordAudit(trx, author, {
      recordType: 'withdrawal',
      recordId: after.id,
      sellerId: after.sellerId,
      action: after.status === 'REJECTED' ? 'withdrawal.rejected' : 'withdrawal.approved',
      before: auditedMembers(before),
      after: auditedMembers(after),
      at,
    });
  }
  if (event.kind === 'SUBMISSION') await insertPayout(trx, after, event.provider);
  const { sellerId, id: recordId, origin } = after;
  const deliveries = await publishEvent(trx, {
    sellerId,
    recordId,
    at,
    ...withdrawalUpdated(after),
    id: newId(at.getTime()),
    eventType: 'WITHDRAWAL',
  });
  await notifyOfEnd(deps, trx, after, at);
  await bookEntries(trx, secrets, { sellerId, recordId, origin, entries, at });
  return { kind: 'applied', withdrawal: after, deliveries };
}

/** Notifies the seller's team of a withdrawal that was paid, or will not be. */
async function notifyOfEnd(
  { notifier }: WithdrawalDeps,
  trx: DatabaseTransaction,
  { sellerId, status, amount, maskedDestination: destination, rejectionReason }: Withdrawal,
  at: Date,
): Promise<void> {
  const team = { sellerId, permission: 'withdrawals:create' } as const;
  if (status === 'PAID') {
    await notifier.notifySeller(trx, team, { kind: 'withdrawal-paid', params: { amount, destination }, at });
  } else if (status === 'REJECTED' || status === 'FAILED') {
    const params = { amount, destination, reason: rejectionReason ?? '' };
    await notifier.notifySeller(trx, team, { kind: 'withdrawal-rejected', params, at });
  }
}

const auditedMembers = ({ status, rejectionReason }: Withdrawal): Members => ({ status, rejectionReason });
