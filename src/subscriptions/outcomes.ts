import type { Reason } from '#payments/transactions/reasons.ts';
import {
  acknowledgeChange,
  findChangedOfSubscriptions,
  postponeChange,
  type ChangedTransaction,
  type Transaction,
} from '#payments/transactions/service.ts';
import type { Db } from '#platform/database/connect.ts';
import { runAll } from '#platform/jobs/provider-calls.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { endCharge } from './charging.ts';
import { isHardDecline, type Outcome } from './decisions.ts';
import type { SubscriptionDeps } from './deps.ts';
import { applyOutcome } from './settlement.ts';
import { countAttemptsOfTransaction, findAttemptOfTransaction, findInvoice } from './store-invoices.ts';
import { findSubscription } from './store.ts';
import type { SimulatedOutcome } from './subscription.ts';

const CHANGES_PER_RUN = 200;
const CONCURRENT = 16;

type OutcomeDeps = Pick<SubscriptionDeps, 'clock' | 'transactions'> & { readonly db: Db };

/**
 * Creates the job that applies the outcomes of transactions to their invoices. It reads them from
 * the rows that the change of a transaction has written. A change that cannot be applied is tried
 * again after all others. The job returns true if more may be waiting.
 */
export function createOutcomeJob(deps: OutcomeDeps): () => Promise<boolean> {
  return async () => {
    const { db, clock } = deps;
    const errors: unknown[] = [];
    const changed = await findChangedOfSubscriptions(db, CHANGES_PER_RUN);
    for (let start = 0; start < changed.length; start += CONCURRENT)
      await runAll(changed.slice(start, start + CONCURRENT), async (change) => {
        try {
          await applyChange(deps, change);
        } catch (error) {
          errors.push(error);
          await postponeChange(db, change, clock.now());
        }
      });
    if (errors.length > 0) throw errors[0];
    return changed.length === CHANGES_PER_RUN;
  };
}

async function applyChange(deps: OutcomeDeps, change: ChangedTransaction): Promise<void> {
  const { db, clock, transactions } = deps;
  await db.transaction().execute(async (trx) => {
    const transaction = await transactions.findInTransaction(trx, change);
    const attempt = await findAttemptOfTransaction(trx, change.sellerId, change.id);
    const outcome = transaction && outcomeOf(transaction);
    if (attempt !== undefined && outcome !== undefined) {
      const consumesOutcome = transaction?.method === 'CREDIT_CARD';
      const networkReference = transaction?.card?.networkReference ?? null;
      await applyOutcome(trx, attempt, outcome, { now: clock.now(), consumesOutcome, networkReference });
    }
    await acknowledgeChange(trx, change);
  });
  failPoint('subscriptions.outcome-applied');
  transactions.notifyWorker();
}

const CANCELED = 'cancelled' satisfies Reason;

/** Undefined while it may still be paid. A refund or a dispute does not change the invoice. */
function outcomeOf({
  method,
  pix,
  expiresAt,
  status,
  statusReason,
  paidAt,
}: Transaction): Outcome | undefined {
  if (paidAt !== null) return { kind: 'PAID' };
  if (status !== 'FAILED' && status !== 'REFUSED') return undefined;
  if (statusReason === CANCELED) return { kind: 'CANCELED' };
  const reason = statusReason ?? 'failed at the provider';
  // A bank retries a charge that it collects, which has ended with its transaction. Any other Pix
  // expires; one without a code was refused before its provider had created it.
  const isCollected = method === 'PIX' && pix === null && expiresAt === null;
  return { kind: 'FAILED', reason, isFinal: isCollected || isHardDecline(reason) };
}

/** How a bank reports that it could not debit the payer. */
export interface FailedDebit {
  readonly sellerId: string;
  readonly transactionId: string;
  /**
   * How many attempts of the charge have failed, with this one. If more were made, it was recorded
   * before. Null: the bank has ended the charge.
   */
  readonly ordinal: number | null;
  readonly reason: Reason;
  /** The bank has ended the whole charge. */
  readonly isFinal: boolean;
  /** It was simulated. */
  readonly consumesOutcome?: boolean;
}

/**
 * Records that a debit by Pix Automático failed. Its transaction waits for the next retry, and
 * fails after the last one.
 */
export async function recordFailedDebit(
  { db, clock, transactions }: SubscriptionDeps,
  { sellerId, transactionId, ordinal, reason, isFinal, consumesOutcome = false }: FailedDebit,
): Promise<void> {
  const now = clock.now();
  const terms = await transactions.termsOf(sellerId);
  await db.transaction().execute(async (trx) => {
    const attempt = await findAttemptOfTransaction(trx, sellerId, transactionId);
    if (attempt === undefined) return;
    const made = await countAttemptsOfTransaction(trx, sellerId, transactionId);
    if (ordinal !== null && ordinal < made) return;
    await applyOutcome(trx, attempt, { kind: 'FAILED', reason, isFinal }, { now, consumesOutcome });
    const invoice = await findInvoice(trx, { ...attempt, number: attempt.invoiceNumber });
    if (invoice?.status === 'FAILED') await endCharge({ transactions }, trx, attempt, { reason, terms });
  });
  transactions.notifyWorker();
}

/** The debit that the sandbox's bank makes. Undefined if the charge waits for none. */
export async function findDebit(
  { db }: SubscriptionDeps,
  sellerId: string,
  transactionId: string,
): Promise<{ readonly ordinal: number; readonly outcome: SimulatedOutcome | null } | undefined> {
  const attempt = await findAttemptOfTransaction(db, sellerId, transactionId);
  if (attempt === undefined) return undefined;
  const { subscriptionId: id, state } = attempt;
  const subscription = await findSubscription(db, { sellerId, id });
  const isWaiting = state === 'DUE' || state === 'SENT';
  if (subscription === undefined || !isWaiting) return undefined;
  const ordinal = await countAttemptsOfTransaction(db, sellerId, transactionId);
  return { ordinal, outcome: subscription.nextOutcome };
}
