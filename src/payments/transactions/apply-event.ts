import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { rollback, transactionWithRollback } from '#platform/database/transaction-with-rollback.ts';
import { runStatementIn, type RunStatement } from '#platform/database/statements.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { activeTraceParent } from '#platform/telemetry/trace-parent.ts';
import { proveEntries } from '#accounting/ledger/service.ts';
import { countPayment } from '#payments/payment-links/store.ts';
import type { ProviderEventRecord } from '#payments/provider-events/provider-event.ts';
import {
  decide,
  isCardDecline,
  type Change,
  type Decision,
  type Terms,
  type TransactionEvent,
} from './decisions.ts';
import type { TransactionDeps } from './deps.ts';
import { transactionUpdated } from './events.ts';
import { find } from './queries.ts';
import { applyChanges, isRejectedChange, type Actor, type ChangeRecord } from './store-change.ts';
import { findTransactions, lockTransaction } from './store.ts';
import type { PixReceipt, Status, Transaction, TransactionKey } from './transaction.ts';

/**
 * Each conflict means that another change was committed, so one of the competing changes succeeds
 * in each attempt.
 */
const MAX_ATTEMPTS = 50;

export type ApplyResult =
  | { readonly kind: 'applied'; readonly transaction: Transaction }
  /** The event changes nothing. */
  | { readonly kind: 'nothing'; readonly transaction: Transaction }
  /** The payment came after the transaction had ended. It goes back to the payer. */
  | { readonly kind: 'late'; readonly transaction: Transaction }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'impossible'; readonly from: Status; readonly to: Status }
  | { readonly kind: 'wrong-amount' }
  /** The available balance would fall below the limit that the operator sets. */
  | { readonly kind: 'insufficient' }
  /** The provider event was applied to another transaction. */
  | { readonly kind: 'used' };

/** Who causes an event. */
interface EventSource {
  readonly actor: Actor;
  /** Stored together with the change. */
  readonly providerEvent?: ProviderEventRecord | undefined;
}

export interface ApplyOptions extends EventSource {
  /**
   * The transaction, if the caller has just read it. Its version guards the write, so that a stale
   * one is read again.
   */
  readonly transaction?: Transaction | undefined;
}

/**
 * Applies an event to a transaction: reads it, decides, and writes if the transaction has not
 * changed meanwhile. Otherwise it starts again.
 */
export async function applyEvent(
  deps: TransactionDeps,
  key: TransactionKey,
  event: TransactionEvent,
  { transaction, ...source }: ApplyOptions,
): Promise<ApplyResult> {
  const { clock, changes, notifyWorker } = deps;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = attempt === 0 && transaction !== undefined ? transaction : await find(deps, key);
    // A provider event may name a seller that does not exist, so the terms are read only for a
    // known transaction.
    if (before === undefined) return { kind: 'unknown' };
    const terms = await deps.termsOf(key.sellerId);
    const at = clock.now();
    const decision = decide(before, event, terms, at);
    if (decision.kind !== 'change') return toRefusal(decision, before);
    if (isLinkPayment(before, decision.change) || isCardDecline(before, event))
      return applyAlone(deps, key, { event, terms, ...source });
    const record = toChangeRecord(deps, { before, change: decision.change, at, ...source });
    const outcome = await changes.add(record).catch(ignoreRejectedChange);
    if (outcome === undefined) return { kind: source.providerEvent === undefined ? 'insufficient' : 'used' };
    if (!outcome.applied) continue;
    failPoint('transaction-events.committed');
    if (outcome.hasDeliveries) notifyWorker();
    return { kind: 'applied', transaction: withChange(before, decision.change, at, source.providerEvent) };
  }
  throw new Error(`transaction ${key.id} changed during each of ${MAX_ATTEMPTS} attempts to apply an event`);
}

export interface TransactionalEvent extends EventSource {
  /** The event, or a function that derives it from the locked transaction. */
  readonly event: TransactionEvent | ((transaction: Transaction) => TransactionEvent);
  /**
   * Read before the database transaction begins: one that waits for a second connection while
   * others of its kind hold all connections of the pool would never continue.
   */
  readonly terms: Terms;
}

/**
 * Applies an event in the caller's database transaction, and locks the transaction. The caller must
 * roll back unless the result is `applied`, and call `notifyWorker` after the commit.
 */
export async function applyEventInTransaction(
  deps: Pick<TransactionDeps, 'clock' | 'secrets' | 'recordDeclines'>,
  trx: DatabaseTransaction,
  key: TransactionKey,
  { event: eventOf, terms, ...source }: TransactionalEvent,
): Promise<ApplyResult> {
  const query = runStatementIn(trx);
  if (!isUuid(key.id) || !(await lockTransaction(trx, key))) return { kind: 'unknown' };
  const [before] = await findTransactions(query, [key]);
  if (before === undefined || before === null) return { kind: 'unknown' };
  const at = deps.clock.now();
  const event = typeof eventOf === 'function' ? eventOf(before) : eventOf;
  const decision = decide(before, event, terms, at);
  if (decision.kind !== 'change') return toRefusal(decision, before);
  const { change } = decision;
  if (!(await countLinkPayment(trx, before, change, at))) return { kind: 'late', transaction: before };
  if (!(await applyLocked(query, toChangeRecord(deps, { before, change, at, ...source }))))
    return { kind: 'insufficient' };
  if (isCardDecline(before, event)) await deps.recordDeclines(query, [before]);
  return { kind: 'applied', transaction: withChange(before, change, at, source.providerEvent) };
}

/** Whether a change is the payment of a charge of a payment link. */
export const isLinkPayment = ({ paymentLinkId }: Transaction, { paidAt }: Change): boolean =>
  paymentLinkId !== null && paidAt !== null;

/**
 * Counts a change that is a payment of a payment link. Returns false if the link has all its
 * payments: the money goes back to the payer.
 */
export async function countLinkPayment(
  trx: DatabaseTransaction,
  transaction: Transaction,
  change: Change,
  at: Date,
): Promise<boolean> {
  const { sellerId, paymentLinkId, amount } = transaction;
  if (paymentLinkId === null || !isLinkPayment(transaction, change)) return true;
  return countPayment(trx, { sellerId, id: paymentLinkId }, { amount: change.amount ?? amount, at });
}

/**
 * Applies an event in a database transaction of its own: the payment of a charge of a payment link,
 * which locks the link after the charge, and the decline of a card, which risk rules count. Other
 * changes share their statements and do not pay for it.
 */
async function applyAlone(
  deps: TransactionDeps,
  key: TransactionKey,
  event: TransactionalEvent,
): Promise<ApplyResult> {
  const result = await transactionWithRollback<ApplyResult>(deps.db, async (trx) => {
    const applied = await applyEventInTransaction(deps, trx, key, event);
    return applied.kind === 'applied' ? applied : rollback(applied);
  });
  if (result.kind === 'insufficient' && event.providerEvent !== undefined) return { kind: 'used' };
  if (result.kind !== 'applied') return result;
  failPoint('transaction-events.committed');
  deps.notifyWorker();
  return result;
}

/** Returns why an event cannot be applied to a transaction now; undefined if it can. */
export function checkTransition(
  { clock }: Pick<TransactionDeps, 'clock'>,
  transaction: Transaction,
  event: TransactionEvent,
  terms: Terms,
): ApplyResult | undefined {
  const decision = decide(transaction, event, terms, clock.now());
  return decision.kind === 'change' ? undefined : toRefusal(decision, transaction);
}

export interface DecidedChange extends EventSource {
  readonly before: Transaction;
  readonly change: Change;
  readonly at: Date;
}

export function toChangeRecord(
  { secrets }: Pick<TransactionDeps, 'secrets'>,
  { before, change, at, actor, providerEvent }: DecidedChange,
): ChangeRecord {
  const { type, payload } = transactionUpdated(withChange(before, change, at));
  return {
    changeId: newId(at.getTime()),
    before,
    change,
    entries: proveEntries(secrets, { sellerId: before.sellerId, recordId: before.id, at }, change.entries),
    at,
    actor,
    providerEvent: providerEvent ?? null,
    type,
    payload,
    traceParent: activeTraceParent(),
  };
}

/** The transaction after the change, which the provider event has caused. */
export function withChange(
  before: Transaction,
  change: Change,
  at: Date,
  providerEvent?: ProviderEventRecord,
): Transaction {
  const changed = new Map((change.releases ?? []).map((release) => [release.number, release]));
  const unchanged = before.releases.filter(({ number }) => !changed.has(number));
  return {
    ...before,
    status: change.to,
    statusReason: change.reason ?? before.statusReason,
    version: before.version + 1,
    amount: change.amount ?? before.amount,
    feeAmount: change.feeAmount ?? before.feeAmount,
    refundedAmount: change.refundedAmount ?? before.refundedAmount,
    refundingAmount: change.refundingAmount ?? before.refundingAmount,
    expiresAt: change.expiresAt ?? before.expiresAt,
    releases: [...unchanged, ...changed.values()],
    pixReceipt: receiptOf(before, providerEvent) ?? before.pixReceipt,
    paidAt: change.paidAt ?? before.paidAt,
    updatedAt: at,
  };
}

function receiptOf(
  { method }: Transaction,
  providerEvent: ProviderEventRecord | undefined,
): PixReceipt | undefined {
  if (method !== 'PIX' || providerEvent?.kind !== 'PAYMENT') return undefined;
  return { endToEndId: providerEvent.eventId, payer: providerEvent.payer ?? null };
}

function toRefusal(
  decision: Exclude<Decision, { readonly kind: 'change' }>,
  transaction: Transaction,
): ApplyResult {
  switch (decision.kind) {
    case 'late':
    case 'nothing':
      return { kind: decision.kind, transaction };
    case 'wrong-amount':
    case 'impossible':
      return decision;
  }
}

/**
 * Returns false if a wallet would fall below its floor. The database transaction is then aborted.
 */
async function applyLocked(query: RunStatement, record: ChangeRecord): Promise<boolean> {
  try {
    const [outcome] = await applyChanges(query, [record]);
    if (outcome?.applied !== true) throw new Error(`transaction ${record.before.id} changed although locked`);
    return true;
  } catch (error) {
    ignoreRejectedChange(error);
    return false;
  }
}

function ignoreRejectedChange(error: unknown): undefined {
  if (!isRejectedChange(error)) throw error;
}
