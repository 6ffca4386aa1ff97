import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { newId } from '#platform/kit/ids.ts';
import { createReversal } from '#payouts/reversals/service.ts';
import type { TransactionEvent } from './decisions.ts';
import type { ApplyResult, ProviderEventResult } from './service.ts';
import type { ProviderEventRecord } from './store-change.ts';
import {
  findProviderEvent,
  insertUnappliedEvent,
  insertUnmatchedEvent,
  type StoredProviderEvent,
  type UnappliedOutcome,
} from './store-provider-events.ts';
import type { TransactionKey } from './store.ts';
import type { Transaction } from './transaction.ts';

interface ProviderEventsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly find: (key: TransactionKey) => Promise<Transaction | undefined>;
  readonly applyEvent: (
    key: TransactionKey,
    event: TransactionEvent,
    actor: 'PROVIDER',
    providerEvent: ProviderEventRecord,
    known?: Transaction,
  ) => Promise<ApplyResult>;
}

type Unapplied = Exclude<ApplyResult, { readonly kind: 'applied' | 'unknown' }>;

/**
 * Takes providers' reports: applied at most once, kept where they could not be applied, and money that is not the
 * seller's ordered back in the transaction that keeps its report. An id that is known decides nothing anew.
 */
export function createProviderEvents({ db, clock, find, applyEvent }: ProviderEventsDeps) {
  async function recordUnapplied(
    transaction: Transaction,
    providerEvent: ProviderEventRecord,
    result: Unapplied,
  ): Promise<ProviderEventResult> {
    const now = clock.now();
    const outcome = outcomeOf(result, providerEvent);
    const detail = outcome === 'LATE' ? TO_BE_REVERSED : describe(result);
    const saved = await db
      .transaction()
      .execute((trx) => saveUnappliedEvent(trx, transaction, providerEvent, { outcome, detail, now }));
    if (saved) {
      failPoint('provider-events.saved');
      return result;
    }
    const known = await findProviderEvent(db, transaction.sellerId, providerEvent);
    if (known === undefined) throw new Error('a report is known and not to be found');
    return resolveRepeated(transaction, providerEvent, result, known);
  }

  /** The report was told before. What it did then stands; told of something else, it is a matter for the operator. */
  async function resolveRepeated(
    transaction: Transaction,
    providerEvent: ProviderEventRecord,
    result: Unapplied,
    known: StoredProviderEvent,
  ): Promise<ProviderEventResult> {
    const same =
      known.recordId === transaction.id &&
      known.kind === providerEvent.kind &&
      known.amount === providerEvent.amount;
    if (!same) {
      const detail = `told before as ${known.kind} of ${known.recordId}`;
      await insertUnmatchedEvent(db, transaction, providerEvent, detail, clock.now());
      return result;
    }
    if (known.outcome === 'APPLIED') return { kind: 'repeated', transaction };
    return known.outcome === 'LATE' ? { kind: 'late', transaction } : result;
  }

  async function applyProviderEvent(
    key: TransactionKey,
    event: TransactionEvent,
    providerEvent: ProviderEventRecord,
    read?: Transaction,
  ): Promise<ProviderEventResult> {
    const result = await applyEvent(key, event, 'PROVIDER', providerEvent, read);
    if (result.kind === 'applied') return result;
    const transaction = result.kind === 'unknown' ? undefined : await find(key);
    if (result.kind === 'unknown' || transaction === undefined) {
      await insertUnmatchedEvent(db, key, providerEvent, 'no such record', clock.now());
      return { kind: 'unknown' };
    }
    const known = await findProviderEvent(db, key.sellerId, providerEvent);
    if (known !== undefined) return resolveRepeated(transaction, providerEvent, result, known);
    return recordUnapplied(transaction, providerEvent, result);
  }

  return {
    applyProviderEvent,

    /**
     * Money that came for a charge which has ended or was paid before: its report is kept and it goes back, in the caller's
     * transaction, which holds the charge.
     */
    async reverseInTransaction(
      trx: Db,
      transaction: Transaction,
      providerEvent: ProviderEventRecord,
    ): Promise<void> {
      const ended = transaction.status === 'FAILED' || transaction.status === 'REFUSED';
      const outcome = ended ? 'LATE' : 'DUPLICATE';
      const detail = ended ? TO_BE_REVERSED : `${transaction.status} to PAID`;
      await saveUnappliedEvent(trx, transaction, providerEvent, { outcome, detail, now: clock.now() });
    },

    /** Keeps for the operator what a provider told that fits nothing we know; false where it was told before. */
    saveUnmatchedEvent: (
      claimed: TransactionKey,
      providerEvent: ProviderEventRecord,
      detail: string,
    ): Promise<boolean> => insertUnmatchedEvent(db, claimed, providerEvent, detail, clock.now()),
  };
}

const TO_BE_REVERSED = 'to be returned to the payer';

/** Keeps a report that changed nothing and orders its money back, in one transaction; false where the report is known. */
async function saveUnappliedEvent(
  trx: Db,
  { sellerId, id: transactionId, method }: Transaction,
  providerEvent: ProviderEventRecord,
  { outcome, detail, now }: { outcome: UnappliedOutcome; detail: string; now: Date },
): Promise<boolean> {
  const key = { sellerId, id: transactionId };
  const isNew = await insertUnappliedEvent(trx, key, providerEvent, outcome, detail, now);
  const { provider, eventId, amount } = providerEvent;
  if (isNew && outcome !== 'REJECTED' && amount !== null && amount > 0) {
    const money = {
      transactionId,
      method,
      provider,
      eventId,
      amount,
      reason: outcome,
      createdAt: now,
    };
    await createReversal(trx, { sellerId, id: newId(now.getTime()), ...money });
  }
  return isNew;
}

/** A payment is money, whatever the charge says to it. */
function outcomeOf(result: Unapplied, providerEvent: ProviderEventRecord): UnappliedOutcome {
  if (result.kind === 'late') return 'LATE';
  const isMoney =
    providerEvent.kind === 'PAYMENT' && providerEvent.amount !== null && providerEvent.amount > 0;
  if (!isMoney) return 'REJECTED';
  if (result.kind === 'wrong-amount') return 'WRONG_AMOUNT';
  // Of a charge that is not ended, nothing but an earlier payment keeps the right amount away.
  return result.kind === 'impossible' ? 'DUPLICATE' : 'REJECTED';
}

function describe(result: Unapplied): string {
  return result.kind === 'impossible' ? `${result.from} to ${result.to}` : result.kind;
}
