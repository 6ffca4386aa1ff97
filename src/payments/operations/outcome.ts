import type { Reason } from '#payments/transactions/reasons.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import type { IdempotencyKey } from '#payments/idempotency/store.ts';
import type { Terms } from '#payments/transactions/decisions.ts';
import type { TransactionKey } from '#payments/transactions/service.ts';
import { saveSnapshot } from '#payments/transactions/snapshots.ts';
import type { ProviderEventRecord } from '#payments/provider-events/provider-event.ts';
import type { NewTransaction, Transaction } from '#payments/transactions/transaction.ts';
import type { ProviderOperationDeps } from './deps.ts';
import type { CardAuthorizationResponse, CreatedPix, ProviderRefusal } from './payment-provider.ts';
import { toPixRequest } from './pix-request.ts';
import { nextOperation, type ProviderOperation } from './provider-operation.ts';
import {
  findOperation,
  findOperationsByTransaction,
  insertOperation,
  insertPixPayment,
  postponeOperation,
  recordOperationResult,
  updateCardCodes,
} from './store.ts';

/** A card provider that responds "pending" gets one hour. */
const PENDING_OUTCOME_TIMEOUT_MS = 3_600_000;

export const NO_PROVIDER_AVAILABLE = {
  kind: 'refused',
  reason: 'no provider accepted the transaction',
} as const;
const PROVIDER_TIMED_OUT = 'the card provider did not respond in time';

/** The statuses that a transaction can have before its provider has decided. */
export const UNDECIDED_STATUSES: ReadonlySet<string> = new Set(['PENDING', 'WAITING_PAYMENT', 'PROCESSING']);

/**
 * Records a Pix provider's response to a CREATE operation. `replayKey` is the idempotency key of a
 * request that is still waiting for its response, which is stored with the key.
 */
export async function recordPix(
  deps: ProviderOperationDeps,
  transaction: NewTransaction,
  response: CreatedPix | ProviderRefusal,
  replayKey?: IdempotencyKey,
): Promise<void> {
  if (response.kind === 'created') await savePixCode(deps, transaction, response);
  else await failSubmission(deps, transaction, response.reason, replayKey);
}

/** Stores the code of a transaction. If the transaction has failed meanwhile, cancels the code. */
async function savePixCode(
  { db, clock, transactions, publicUrl }: ProviderOperationDeps,
  transaction: NewTransaction,
  { code, reference }: CreatedPix,
): Promise<void> {
  const at = clock.now();
  await db.transaction().execute(async (trx) => {
    await transactions.lock(trx, transaction);
    const result = { state: 'ACCEPTED', reference, detail: null, at } as const;
    if (!(await recordOperationResult(trx, transaction, result))) return;
    const { txid, expiresAt } = toPixRequest(transaction);
    const location = `${publicUrl}/pix/${txid}`;
    const pix = { id: newId(at.getTime()), txid, location, code, expiresAt };
    await insertPixPayment(trx, transaction, pix, at);
    const current = await transactions.findInTransaction(trx, transaction);
    const operation = await findOperation(trx, transaction);
    if (current?.status !== 'FAILED' || operation === undefined) return;
    const cancellation = { kind: 'CANCEL', paymentReference: null, createdAt: at } as const;
    await insertOperation(trx, nextOperation(operation, cancellation));
  });
}

/** Fails a transaction that no provider has executed, unless it can be paid in another way. */
export async function failSubmission(
  { db, clock, transactions }: ProviderOperationDeps,
  { sellerId, id, method }: Pick<Transaction, 'sellerId' | 'id' | 'method'>,
  reason: Reason,
  replayKey?: IdempotencyKey,
): Promise<void> {
  const key = { sellerId, id };
  const terms = await transactions.termsOf(sellerId);
  const at = clock.now();
  await db.transaction().execute(async (trx) => {
    await transactions.lock(trx, key);
    const result = { state: 'REFUSED', reference: null, detail: reason, at } as const;
    if (!(await recordOperationResult(trx, key, result))) return;
    // A boleto can be paid without its Pix code.
    if (method === 'BOLETO') return;
    const current = await transactions.findInTransaction(trx, key);
    if (current === undefined || !UNDECIDED_STATUSES.has(current.status)) return;
    const event = { kind: 'FAILURE', reason } as const;
    const failed = await transactions.applyEventInTransaction(trx, key, { event, terms, actor: 'PROVIDER' });
    if (failed.kind === 'applied' && replayKey !== undefined)
      await saveSnapshot(trx, replayKey, failed.transaction);
  });
  transactions.notifyWorker();
}

/**
 * Fails a card transaction whose provider has reported no outcome in time, and voids the
 * authorization. The transaction fails first, so that money the provider reports later finds it
 * closed and is reversed.
 */
export async function abandon(
  { db, clock, transactions }: ProviderOperationDeps,
  { sellerId, transactionId: id }: ProviderOperation,
): Promise<void> {
  const key = { sellerId, id };
  const terms = await transactions.termsOf(sellerId);
  const at = clock.now();
  await db.transaction().execute(async (trx) => {
    await transactions.lock(trx, key);
    const operation = await findOperation(trx, key);
    const current = await transactions.findInTransaction(trx, key);
    if (operation?.state !== 'OPEN' || current === undefined) return;
    const result = { state: 'REFUSED', reference: null, detail: PROVIDER_TIMED_OUT, at } as const;
    await recordOperationResult(trx, key, result);
    await voidAuthorization(trx, operation, operation.reference, at);
    if (!UNDECIDED_STATUSES.has(current.status)) return;
    const event = { kind: 'FAILURE', reason: PROVIDER_TIMED_OUT } as const;
    await transactions.applyEventInTransaction(trx, key, { event, terms, actor: 'PROVIDER' });
  });
  transactions.notifyWorker();
}

export interface CardOutcome {
  readonly key: TransactionKey;
  readonly provider: string;
  readonly response: CardAuthorizationResponse;
  /** The idempotency key of a request that is still waiting for its response. */
  readonly replayKey?: IdempotencyKey;
}

/**
 * Records a card provider's decision, received as a response or as a notification, and returns the
 * transaction after it. An authorization of a transaction that has ended, or a second one, is
 * reversed or voided.
 */
export async function recordCard(
  deps: ProviderOperationDeps,
  { key, provider, response, replayKey }: CardOutcome,
): Promise<Transaction> {
  const { db, clock, transactions } = deps;
  const { sellerId, id } = key;
  const terms = await transactions.termsOf(sellerId);
  const at = clock.now();
  const decided = await db.transaction().execute(async (trx): Promise<Transaction> => {
    await transactions.lock(trx, { sellerId, id });
    const operation = await findOperation(trx, { sellerId, id });
    const current = await transactions.findInTransaction(trx, { sellerId, id });
    if (operation === undefined || current === undefined)
      throw new Error(`card transaction ${id} has no CREATE operation`);
    const context = { operation, current, provider, terms, at };
    const after =
      response.kind === 'pending'
        ? await recordPending(trx, context, response.reference)
        : await recordDecision(deps, trx, context, response);
    if (replayKey !== undefined) await saveSnapshot(trx, replayKey, after);
    return after;
  });
  transactions.notifyWorker();
  return decided;
}

interface DecisionContext {
  /** The CREATE operation. */
  readonly operation: ProviderOperation;
  readonly current: Transaction;
  /** The provider that responded; not always the one that the operation is assigned to. */
  readonly provider: string;
  readonly terms: Terms;
  readonly at: Date;
}

/** Keeps the operation open, so that it is abandoned if the provider never decides. */
async function recordPending(
  trx: DatabaseTransaction,
  { operation, current, provider, at }: DecisionContext,
  reference: string | null,
): Promise<Transaction> {
  if (operation.provider === provider) {
    const dueAt = new Date(at.getTime() + PENDING_OUTCOME_TIMEOUT_MS);
    await postponeOperation(trx, current, { dueAt, now: at, reference });
  }
  return current;
}

type CardDecision = Extract<CardAuthorizationResponse, { kind: 'decided' }>;

async function recordDecision(
  { transactions, providerEvents }: ProviderOperationDeps,
  trx: DatabaseTransaction,
  { operation, current, provider, terms, at }: DecisionContext,
  decision: CardDecision,
): Promise<Transaction> {
  const { event, reference } = decision;
  const isAssigned = operation.provider === provider;
  const paymentEvent = toPaymentEvent(provider, decision, at);
  if (isAssigned && operation.state === 'OPEN') {
    const state = event.kind === 'FAILURE' ? 'REFUSED' : 'ACCEPTED';
    await recordOperationResult(trx, current, { state, reference, detail: null, at });
    const applied = await transactions.applyEventInTransaction(trx, current, {
      event,
      terms,
      actor: 'PROVIDER',
      providerEvent: paymentEvent,
    });
    if (applied.kind === 'applied') return saveCodes(trx, applied.transaction, decision);
    // 'late' and 'impossible': the transaction has ended meanwhile.
    if (applied.kind !== 'late' && applied.kind !== 'impossible')
      throw new Error(`a card provider's decision does not fit its transaction: ${applied.kind}`);
  } else if (isAssigned && operation.state === 'ACCEPTED' && operation.reference === reference) {
    // A repeated notification.
    return current;
  }
  if (event.kind === 'FAILURE') return current;
  if (paymentEvent !== undefined) await providerEvents.reversePayment(trx, current, paymentEvent);
  else if (reference !== null) await voidAuthorization(trx, { ...operation, provider }, reference, at);
  return current;
}

/** Stores the codes of an authorized payment. Returns the transaction with them. */
async function saveCodes(
  trx: DatabaseTransaction,
  transaction: Transaction,
  { codes }: CardDecision,
): Promise<Transaction> {
  if (codes === undefined || transaction.card === null) return transaction;
  await updateCardCodes(trx, transaction, codes);
  return { ...transaction, card: { ...transaction.card, ...codes } };
}

/** The provider event of a payment that a card provider decided. */
function toPaymentEvent(
  provider: string,
  { event, reference }: CardDecision,
  occurredAt: Date,
): ProviderEventRecord | undefined {
  if (event.kind !== 'PAYMENT' || reference === null) return undefined;
  return { provider, eventId: reference, kind: 'PAYMENT', amount: event.amount, occurredAt };
}

/** Requests the void of an authorization, once. */
async function voidAuthorization(
  trx: DatabaseTransaction,
  operation: ProviderOperation,
  paymentReference: string | null,
  createdAt: Date,
): Promise<void> {
  const { sellerId, transactionId: id } = operation;
  const operations = await findOperationsByTransaction(trx, { sellerId, id });
  const isRequested = operations.some(
    (other) =>
      (other.kind === 'VOID' || other.kind === 'CANCEL') && other.paymentReference === paymentReference,
  );
  if (isRequested) return;
  await insertOperation(trx, nextOperation(operation, { kind: 'VOID', paymentReference, createdAt }));
}
