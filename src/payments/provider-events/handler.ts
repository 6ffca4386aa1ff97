import type { EventDetail } from './details.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { ApplyResult, TransactionsService } from '#payments/transactions/service.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';
import type { ProviderEventRecord } from './provider-event.ts';
import type { CreateReversal } from './reversal-port.ts';
import { findProviderEvent, insertUnmatchedEvent, type KnownEvent } from './store.ts';
import { saveUnappliedEvent, TO_BE_REVERSED, type UnappliedOutcome } from './unapplied-events.ts';

/** An event that a provider reports about a transaction. */
export interface ProviderEvent extends Pick<
  ProviderEventRecord,
  'provider' | 'eventId' | 'occurredAt' | 'payer'
> {
  readonly sellerId: string;
  readonly transactionId: string;
  readonly event: TransactionEvent;
  /**
   * The transaction, if the caller has just read it. The first decision uses it instead of a second
   * read.
   */
  readonly transaction?: Transaction;
}

export type ProviderEventResult =
  | ApplyResult
  /** The event was applied before. */
  | { readonly kind: 'repeated'; readonly transaction: Transaction };

export type ProviderEventHandler = (event: ProviderEvent) => Promise<ProviderEventResult>;

export interface ProviderEventDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly transactions: Pick<TransactionsService, 'find' | 'applyEvent'>;
  readonly createReversal: CreateReversal;
}

/**
 * Handles an event of any provider. Each provider event id changes its transaction at most once. An
 * event that cannot be applied is stored, and a payment that does not belong to the seller is
 * reversed in the same transaction.
 */
export async function handleProviderEvent(
  deps: ProviderEventDeps,
  providerEvent: ProviderEvent,
): Promise<ProviderEventResult> {
  const key = { sellerId: providerEvent.sellerId, id: providerEvent.transactionId };
  const event = toRecord(providerEvent);
  const result = await deps.transactions.applyEvent(key, providerEvent.event, {
    actor: 'PROVIDER',
    providerEvent: event,
    transaction: providerEvent.transaction,
  });
  if (result.kind === 'applied') return result;
  const transaction = result.kind === 'unknown' ? undefined : await deps.transactions.find(key);
  if (result.kind === 'unknown' || transaction === undefined) {
    const receivedAt = deps.clock.now();
    await insertUnmatchedEvent(deps.db, { claimed: key, event, detail: 'no such record', receivedAt });
    return { kind: 'unknown' };
  }
  const unapplied = { transaction, event, result };
  const known = await findProviderEvent(deps.db, key.sellerId, event);
  if (known !== undefined) return resolveRepeated(deps, unapplied, known);
  return recordUnapplied(deps, unapplied);
}

function toRecord({ provider, eventId, event, occurredAt, payer }: ProviderEvent): ProviderEventRecord {
  const amount = event.kind === 'PAYMENT' ? event.amount : null;
  return { provider, eventId, kind: event.kind, amount, occurredAt, payer };
}

interface UnappliedEvent {
  readonly transaction: Transaction;
  readonly event: ProviderEventRecord;
  readonly result: Exclude<ApplyResult, { readonly kind: 'applied' | 'unknown' }>;
}

async function recordUnapplied(
  deps: ProviderEventDeps,
  unapplied: UnappliedEvent,
): Promise<ProviderEventResult> {
  const { transaction, event, result } = unapplied;
  const outcome = outcomeOf(unapplied);
  const processed = { outcome, detail: describe(unapplied), receivedAt: deps.clock.now() };
  const saved = await deps.db
    .transaction()
    .execute((trx) => saveUnappliedEvent(trx, deps.createReversal, { transaction, event, processed }));
  if (saved) {
    failPoint('provider-events.saved');
    return result;
  }
  const known = await findProviderEvent(deps.db, transaction.sellerId, event);
  if (known === undefined) throw new Error('a stored provider event was not found');
  return resolveRepeated(deps, unapplied, known);
}

/**
 * The stored outcome stays. An event that reuses the id of a different event is stored as
 * unmatched.
 */
async function resolveRepeated(
  deps: ProviderEventDeps,
  { transaction, event, result }: UnappliedEvent,
  known: KnownEvent,
): Promise<ProviderEventResult> {
  const isSameEvent =
    known.recordId === transaction.id && known.kind === event.kind && known.amount === event.amount;
  if (!isSameEvent) {
    await insertUnmatchedEvent(deps.db, {
      claimed: transaction,
      event,
      detail: `already reported as ${known.kind} of ${known.recordId}`,
      receivedAt: deps.clock.now(),
    });
    return result;
  }
  if (known.outcome === 'APPLIED') return { kind: 'repeated', transaction };
  return known.outcome === 'LATE' ? { kind: 'late', transaction } : result;
}

function outcomeOf({ event, result }: UnappliedEvent): UnappliedOutcome {
  if (result.kind === 'late') return 'LATE';
  const isMoney = event.kind === 'PAYMENT' && event.amount !== null && event.amount > 0;
  if (!isMoney) return 'REJECTED';
  if (result.kind === 'wrong-amount') return 'WRONG_AMOUNT';
  // A transaction that has not ended rejects the right amount only if it is already paid.
  return result.kind === 'impossible' ? 'DUPLICATE' : 'REJECTED';
}

function describe({ result }: UnappliedEvent): EventDetail {
  if (result.kind === 'late') return TO_BE_REVERSED;
  return result.kind === 'impossible' ? `${result.from} to ${result.to}` : result.kind;
}
