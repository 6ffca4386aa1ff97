import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import {
  rollback,
  transactionWithRollback,
  type RolledBack,
} from '#platform/database/transaction-with-rollback.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type { ApplyResult, TransactionKey, TransactionsService } from '#payments/transactions/service.ts';
import { remainingAmount } from '#payments/transactions/decisions.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import { DISPUTE_UPDATED } from './events.ts';
import { APPEAL_WINDOW_MS, DISPUTE_STATUSES, canTransition, type DisputeStatus } from './states.ts';
import {
  findDispute,
  findDisputeById,
  findDisputeByProviderReference,
  findDisputes,
  findUnappealed,
  findUnresolved,
  insertDispute,
  lockDispute,
  updateDispute,
  type Dispute,
  type DisputeFilter,
  type DisputeKey,
} from './store.ts';
import { findDisputeForOperator, findDisputesForOperator, type OperatorDispute } from './store-operator.ts';

export type { OperatorDispute } from './store-operator.ts';
export type { Dispute, DisputeFilter } from './store.ts';
export { DISPUTE_STATUSES } from './states.ts';

export type OpenResult =
  | { readonly kind: 'opened'; readonly dispute: Dispute }
  | { readonly kind: 'refused'; readonly result: Exclude<ApplyResult, { readonly kind: 'applied' }> };

/** A dispute as a provider tells of it. */
export interface ProviderDispute {
  readonly provider: string;
  /** The provider's own id of it; told again it is the same. */
  readonly reference: string;
  /** Until when it can be contested; null where the provider has not said. */
  readonly appealUntil: Date | null;
}

export type ResolveResult =
  | { readonly kind: 'resolved'; readonly dispute: Dispute }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'impossible'; readonly from: DisputeStatus; readonly to: DisputeStatus };

/** What is written in the transaction that opens or ends a dispute; it undoes it by throwing. */
export type InTransactionHook = (trx: Db, dispute: Dispute) => Promise<void>;

export type DisputesService = ReturnType<typeof createDisputesService>;

export function createDisputesService(db: Db, clock: Clock, transactions: TransactionsService) {
  /** Ends a dispute that stands in one of these statuses: dispute, charge, ledger and events stand or fall together. */
  async function resolve(
    dispute: Dispute,
    outcome: 'RESOLVED' | 'REJECTED',
    by: AuditActor | 'deadline' | 'PROVIDER',
    from: readonly DisputeStatus[] = DISPUTE_STATUSES,
    hook?: InTransactionHook,
  ): Promise<ResolveResult> {
    const now = clock.now();
    const terms = await transactions.termsOf(dispute.sellerId);
    const result = await transactionWithRollback(
      db,
      async (trx): Promise<ResolveResult | RolledBack<ResolveResult>> => {
        // The charge is locked first, as everything that changes its money does, so that two who resolve wait in line.
        // Whether the dispute is still to be resolved is known before its money moves: its charge may be disputed anew by now.
        const key = { sellerId: dispute.sellerId, id: dispute.transactionId };
        await transactions.lock(trx, key);
        const current = await lockDispute(trx, dispute);
        if (current === undefined) return rollback({ kind: 'unknown' });
        if (!from.includes(current.status) || !canTransition(current.status, outcome)) {
          return rollback({ kind: 'impossible', from: current.status, to: outcome });
        }
        const applied = await transactions.applyEventInTransaction(trx, key, {
          terms,
          actor: by === 'PROVIDER' ? by : 'OPERATOR',
          event: { kind: outcome === 'RESOLVED' ? 'DISPUTE_WON' : 'DISPUTE_LOST', amount: dispute.amount },
        });
        if (applied.kind !== 'applied')
          throw new Error('a dispute that is not resolved has no disputed charge');
        const resolved: Dispute = {
          ...current,
          status: outcome,
          resolvedAt: now,
          resolvedBy: authorName(by),
        };
        if (!(await updateDispute(trx, current.status, resolved, now))) throw new Error('a dispute moved on');
        await publishDisputeUpdated(trx, resolved, now);
        await hook?.(trx, resolved);
        if (typeof by !== 'string')
          await recordDisputeAudit(trx, by, 'dispute.resolved', current, resolved, now);
        return { kind: 'resolved', dispute: resolved };
      },
    );
    if (result.kind === 'resolved') transactions.notifyWorker();
    return result;
  }

  return {
    /** Opens a dispute over a paid charge. Its money is held: what has not been refunded, unless told. */
    async open(
      key: TransactionKey,
      request: {
        readonly reason: string;
        readonly amount: number | null;
        /** A user of the operator; or the payer, at their bank; or the provider that tells of it. */
        readonly by: AuditActor | 'PAYER' | ProviderDispute;
        readonly hook?: InTransactionHook;
      },
    ): Promise<OpenResult> {
      const now = clock.now();
      const id = newId(now.getTime());
      const { by } = request;
      const source = isProviderDispute(by) ? by : null;
      const terms = await transactions.termsOf(key.sellerId);
      const result = await transactionWithRollback(
        db,
        async (trx): Promise<OpenResult | RolledBack<OpenResult>> => {
          let amount = 0;
          let tooMuch = false;
          const applied = await transactions.applyEventInTransaction(trx, key, {
            terms,
            actor: source === null ? 'OPERATOR' : 'PROVIDER',
            event: (transaction) => {
              const remaining = remainingAmount(transaction);
              amount = request.amount ?? remaining;
              // All of it may be on its way back to the payer already.
              tooMuch = amount > remaining || remaining === 0;
              return { kind: 'DISPUTE', amount };
            },
          });
          if (applied.kind !== 'applied') return rollback({ kind: 'refused', result: applied });
          if (tooMuch) return rollback({ kind: 'refused', result: { kind: 'wrong-amount' } });
          const dispute: Dispute = {
            sellerId: key.sellerId,
            id,
            transactionId: applied.transaction.id,
            status: 'OPEN',
            amount,
            reason: request.reason,
            createdBy: isProviderDispute(by) ? by.provider : authorName(by),
            provider: source?.provider ?? null,
            providerReference: source?.reference ?? null,
            appealReason: null,
            appealUntil: source?.appealUntil ?? new Date(now.getTime() + APPEAL_WINDOW_MS),
            resolvedAt: null,
            resolvedBy: null,
            createdAt: now,
          };
          await request.hook?.(trx, dispute);
          await insertDispute(trx, dispute);
          await publishDisputeUpdated(trx, dispute, now);
          if (by !== 'PAYER' && !isProviderDispute(by))
            await recordDisputeAudit(trx, by, 'dispute.opened', null, dispute, now);
          return { kind: 'opened', dispute };
        },
      );
      if (result.kind === 'opened') transactions.notifyWorker();
      return result;
    },

    /** The seller's word against an OPEN dispute; undefined where it cannot be appealed (any more). */
    async appeal(key: DisputeKey, appealReason: string): Promise<Dispute | 'unknown' | undefined> {
      const dispute = isUuid(key.id) ? await findDispute(db, key) : undefined;
      if (dispute === undefined) return 'unknown';
      const now = clock.now();
      if (dispute.status !== 'OPEN' || dispute.appealUntil <= now) return undefined;
      const appealed: Dispute = { ...dispute, status: 'UNDER_REVIEW', appealReason };
      const changed = await db.transaction().execute(async (trx) => {
        if (!(await updateDispute(trx, 'OPEN', appealed, now))) return false;
        await publishDisputeUpdated(trx, appealed, now);
        return true;
      });
      if (changed) transactions.notifyWorker();
      return changed ? appealed : undefined;
    },

    async resolveById(id: string, outcome: 'RESOLVED' | 'REJECTED', by: AuditActor): Promise<ResolveResult> {
      const dispute = isUuid(id) ? await findDisputeById(db, id) : undefined;
      return dispute === undefined ? { kind: 'unknown' } : resolve(dispute, outcome, by);
    },

    /** Ends one as its provider tells; only where it stands in one of these statuses. */
    resolveByProvider: (
      dispute: Dispute,
      outcome: 'RESOLVED' | 'REJECTED',
      from: readonly DisputeStatus[] = DISPUTE_STATUSES,
      hook?: InTransactionHook,
    ): Promise<ResolveResult> => resolve(dispute, outcome, 'PROVIDER', from, hook),

    /** The dispute that a provider has told of under this id of its own. */
    findByProviderReference: (
      sellerId: string,
      provider: string,
      reference: string,
    ): Promise<Dispute | undefined> => findDisputeByProviderReference(db, sellerId, provider, reference),

    /** Loses disputes that nobody appealed in time; answers how many were looked at. */
    async closeUnappealed(limit: number): Promise<number> {
      const due = await findUnappealed(db, clock.now(), limit);
      // An appeal that was in time may commit after the dispute was found, and the deadline does not end what is appealed.
      for (const dispute of due) await resolve(dispute, 'REJECTED', 'deadline', ['OPEN']);
      return due.length;
    },

    find: async (key: DisputeKey): Promise<Dispute | undefined> =>
      isUuid(key.id) ? findDispute(db, key) : undefined,

    list: (filter: DisputeFilter, page: { readonly take: number; readonly skip: number }) =>
      findDisputes(db, filter, page),

    /** Of all sellers or one, with its name, for the operator. */
    listForOperator: (filter: DisputeFilter, page: { readonly take: number; readonly skip: number }) =>
      findDisputesForOperator(db, filter, page),

    /** By its id alone, for the operator. */
    async findForOperator(id: string): Promise<OperatorDispute | undefined> {
      return isUuid(id) ? findDisputeForOperator(db, id) : undefined;
    },

    findUnresolved: (sellerId: string, transactionId: string): Promise<Dispute | undefined> =>
      findUnresolved(db, sellerId, transactionId),
  };
}

const isProviderDispute = (by: AuditActor | 'PAYER' | ProviderDispute): by is ProviderDispute =>
  typeof by === 'object' && 'reference' in by;

/** DISPUTE_UPDATED, written with the change it tells of. */
async function publishDisputeUpdated(trx: DatabaseTransaction, dispute: Dispute, now: Date): Promise<void> {
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

const authorName = (by: AuditActor | 'PAYER' | 'PROVIDER' | 'deadline'): string =>
  typeof by === 'string' ? by : (by.id ?? by.kind);

/** Writes down what an operator's user did to a dispute, in the transaction that did it. */
function recordDisputeAudit(
  trx: Db,
  author: AuditActor,
  action: 'dispute.opened' | 'dispute.resolved',
  before: Dispute | null,
  after: Dispute,
  at: Date,
): Promise<void> {
  const { sellerId, id: recordId } = after;
  const change = { action, recordType: 'dispute', recordId, sellerId, at } as const;
  return recordAudit(trx, author, {
    ...change,
    before: before === null ? null : auditedMembers(before),
    after: auditedMembers(after),
  });
}

const auditedMembers = ({ transactionId, status, amount, reason, resolvedAt, resolvedBy }: Dispute) => ({
  transactionId,
  status,
  amount,
  reason,
  resolvedAt,
  resolvedBy,
});
