import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { newId } from '#platform/kit/ids.ts';
import type { Logger } from '#platform/kit/log.ts';
import { withDeadline } from '#platform/jobs/provider-calls.ts';
import type { Terms } from '#payments/transactions/decisions.ts';
import type {
  CardAuthorizationResponse,
  CardAuthorizationRequest,
  CardProvider,
  PixRequest,
  PixProvider,
  CreatedPix,
  ProviderRefusal,
} from './payment-provider.ts';
import { NotExecutedError } from './payment-provider.ts';
import type { CreateResult, TransactionsService } from '#payments/transactions/service.ts';
import { saveSnapshot } from '#payments/transactions/snapshots.ts';
import { creationKey } from '#payments/transactions/store-create.ts';
import {
  closeOperation,
  findOperation,
  findOperationsByTransaction,
  insertOperation,
  insertPixCharge,
  reassignOperation,
  postponeOperation,
  type ProviderOperation,
} from './store.ts';
import type { ProviderEventRecord } from '#payments/transactions/store-change.ts';
import type { TransactionKey } from '#payments/transactions/store.ts';
import {
  toInitialTransaction,
  type NewTransaction,
  type Transaction,
} from '#payments/transactions/transaction.ts';

/** How long a payer at the checkout waits for a provider; all providers of a method together. */
const PIX_DEADLINE_MS = 8_000;
const CARD_DEADLINE_MS = 25_000;
/** Beyond the deadline: when another process asks what became of an order whose process died. */
const LEASE_MARGIN_MS = 5_000;
/** A card provider tells by itself what came of an authorization; after this long it is asked to give it back. */
const CARD_OUTCOME_TIMEOUT_MS = 120_000;
/** One that says that it is still thinking gets longer. */
const PENDING_OUTCOME_TIMEOUT_MS = 3_600_000;
const POLL_INTERVAL_MS = 100;

export const NO_PROVIDER_AVAILABLE = 'no provider took the charge';
const PROVIDER_TIMED_OUT = 'the card provider did not answer in time';

export interface ProviderSubmissionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly transactions: TransactionsService;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

export type ProviderSubmission = ReturnType<typeof createProviderSubmission>;

/**
 * Makes charges whose rail is a provider of others. Charge, key and order are committed first, then the provider is called
 * with our own id, then the outcome is committed. A crash between leaves an order that is open, and the sweep asks the
 * provider what became of it: the charge stays PENDING until then, and nothing is charged twice.
 */
export function createProviderSubmission({
  db,
  clock,
  log,
  transactions,
  publicUrl,
}: ProviderSubmissionDeps) {
  /** Makes the charge with its order; where its key is known, waits for whoever is calling for it. */
  async function createPending(
    newTransaction: NewTransaction,
    provider: string,
    outcomeTimeoutMs: number,
    deadlineMs: number,
    capture: boolean,
    idempotencyKey: string,
    bodyHash: Buffer,
  ): Promise<CreateResult> {
    const leaseUntil = new Date(newTransaction.createdAt.getTime() + deadlineMs + LEASE_MARGIN_MS);
    const dueAt = new Date(newTransaction.createdAt.getTime() + outcomeTimeoutMs);
    const submission = { provider, dueAt, leaseUntil, capture };
    const result = await transactions.create(newTransaction, idempotencyKey, bodyHash, submission);
    if (result.kind === 'created') failPoint('provider-operations.committed');
    if (result.kind !== 'replayed') return result;
    await waitForOutcome(result.transaction, deadlineMs);
    return (await transactions.findReplay(newTransaction.sellerId, idempotencyKey, bodyHash)) ?? result;
  }

  /** Waits until nobody calls for the charge any more: its outcome is known then, or its process died. */
  async function waitForOutcome({ sellerId, id }: Transaction, deadlineMs: number): Promise<void> {
    const end = performance.now() + deadlineMs + LEASE_MARGIN_MS;
    while (performance.now() < end) {
      const operation = await findOperation(db, { sellerId, id });
      if (operation?.state !== 'OPEN' || operation.leaseUntil === null || operation.leaseUntil <= clock.now())
        return;
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }

  /** Asks one provider after the other until one takes it; undefined where what came of the call is not known. */
  async function tryProviders<Provider extends { readonly name: string }, Response>(
    key: { readonly sellerId: string; readonly id: string },
    providers: readonly Provider[],
    deadlineMs: number,
    call: (provider: Provider, deadline: AbortSignal) => Promise<Response>,
  ): Promise<Response | 'nobody' | undefined> {
    const deadline = AbortSignal.timeout(deadlineMs);
    for (const [index, provider] of providers.entries()) {
      const previous = providers[index - 1];
      if (previous !== undefined) {
        const move = { from: previous.name, to: provider.name, now: clock.now() };
        if (!(await reassignOperation(db, key, move))) return undefined;
      }
      try {
        const response = await withDeadline(deadline, (signal) => call(provider, signal));
        failPoint('provider-operations.called');
        return response;
      } catch (error) {
        const isUncertain = !(error instanceof NotExecutedError);
        const about = { err: error, provider: provider.name, transactionId: key.id };
        log.warn(about, isUncertain ? 'an order has no outcome yet' : 'a provider did not take an order');
        if (isUncertain) return undefined;
      }
    }
    return 'nobody';
  }

  async function reload(key: NewTransaction): Promise<Transaction> {
    const transaction = await transactions.find(key);
    if (transaction === undefined) throw new Error('a charge that was made is gone');
    return transaction;
  }

  /** Writes a provider's code to its charge. One that has ended meanwhile gets it too, and is removed at the provider. */
  async function saveCode(
    request: PixRequest & { readonly sellerId: string },
    created: CreatedPix,
  ): Promise<void> {
    const key = { sellerId: request.sellerId, id: request.transactionId };
    const at = clock.now();
    await db.transaction().execute(async (trx) => {
      await transactions.lock(trx, key);
      const closed = { state: 'ACCEPTED', reference: created.reference, detail: null, at } as const;
      if (!(await closeOperation(trx, key, closed))) return;
      const { txid, expiresAt } = request;
      const location = `${publicUrl}/pix/${txid}`;
      const pix = { id: newId(at.getTime()), txid, location, code: created.code, expiresAt };
      await insertPixCharge(trx, key, pix, at);
      const [current, operation] = await Promise.all([
        transactions.findInTransaction(trx, key),
        findOperation(trx, key),
      ]);
      if (current?.status !== 'FAILED' || operation === undefined) return;
      await insertOperation(trx, newCancellation(operation, at));
    });
  }

  /** No provider has the charge, nor ever will: it fails, unless it can be paid otherwise. */
  async function fail(
    { sellerId, id, method }: Pick<Transaction, 'sellerId' | 'id' | 'method'>,
    reason: string,
    save?: (trx: Db, failed: Transaction) => Promise<void>,
  ): Promise<void> {
    const key = { sellerId, id };
    const terms = await transactions.termsOf(sellerId);
    const at = clock.now();
    await db.transaction().execute(async (trx) => {
      await transactions.lock(trx, key);
      if (!(await closeOperation(trx, key, { state: 'REFUSED', reference: null, detail: reason, at })))
        return;
      // A boleto is paid by its line as well.
      if (method === 'BOLETO') return;
      const current = await transactions.findInTransaction(trx, key);
      if (current === undefined || !UNDECIDED_STATUSES.has(current.status)) return;
      const failure = () => ({ kind: 'FAILURE', reason }) as const;
      const failed = await transactions.applyEventInTransaction(trx, terms, key, failure, 'PROVIDER');
      if (failed.kind === 'applied') await save?.(trx, failed.transaction);
    });
    transactions.notifyWorker();
  }

  async function recordPix(
    transaction: Pick<Transaction, 'sellerId' | 'id' | 'method'>,
    request: PixRequest,
    response: CreatedPix | ProviderRefusal,
    save?: (trx: Db, failed: Transaction) => Promise<void>,
  ): Promise<void> {
    if (response.kind === 'placed') await saveCode({ ...request, sellerId: transaction.sellerId }, response);
    else await fail(transaction, response.reason, save);
  }

  /**
   * What a card's provider decided, as an answer or as a report, with the order's end in one transaction; the charge as it is
   * then. What was taken for a charge that has ended, or a second time, is given back.
   */
  async function recordCard(
    { sellerId, id }: TransactionKey,
    provider: string,
    response: CardAuthorizationResponse,
    save?: (trx: Db, decided: Transaction) => Promise<void>,
  ): Promise<Transaction> {
    const key = { sellerId, id };
    const terms = await transactions.termsOf(sellerId);
    const at = clock.now();
    const decided = await db.transaction().execute(async (trx): Promise<Transaction> => {
      await transactions.lock(trx, key);
      const [operation, current] = [
        await findOperation(trx, key),
        await transactions.findInTransaction(trx, key),
      ];
      if (operation === undefined || current === undefined) throw new Error('a card charge has no order');
      const after = await recordDecision(trx, operation, current, provider, response, terms, at);
      await save?.(trx, after);
      return after;
    });
    transactions.notifyWorker();
    return decided;
  }

  async function recordDecision(
    trx: Db,
    operation: ProviderOperation,
    current: Transaction,
    provider: string,
    response: CardAuthorizationResponse,
    terms: Terms,
    at: Date,
  ): Promise<Transaction> {
    const { reference } = response;
    const isCurrentProvider = operation.provider === provider;
    if (response.kind === 'pending') {
      // It stays open: a provider that thinks for ever is asked to give back what it has.
      if (isCurrentProvider)
        await postponeOperation(
          trx,
          current,
          new Date(at.getTime() + PENDING_OUTCOME_TIMEOUT_MS),
          at,
          reference,
        );
      return current;
    }
    const { event } = response;
    const paymentEvent = toPaymentEvent(provider, response, at);
    if (isCurrentProvider && operation.state === 'OPEN') {
      const state = event.kind === 'FAILURE' ? 'REFUSED' : 'ACCEPTED';
      await closeOperation(trx, current, { state, reference, detail: null, at });
      const applied = await transactions.applyEventInTransaction(
        trx,
        terms,
        current,
        () => event,
        'PROVIDER',
        paymentEvent ?? null,
      );
      if (applied.kind === 'applied') return applied.transaction;
      // The charge has ended meanwhile; anything else would be a provider that decides what it was not asked.
      if (applied.kind !== 'late' && applied.kind !== 'impossible') {
        throw new Error(`a card provider's decision does not fit its charge: ${applied.kind}`);
      }
    } else if (isCurrentProvider && operation.state === 'ACCEPTED' && operation.reference === reference) {
      // It told the same before.
      return current;
    }
    if (event.kind === 'FAILURE') return current;
    if (paymentEvent !== undefined) await transactions.reverseInTransaction(trx, current, paymentEvent);
    else if (reference !== null) await voidAuthorization(trx, { ...operation, provider }, reference, at);
    return current;
  }

  return {
    recordPix,
    recordCard,
    fail,

    /**
     * A card's provider has not told in time what came of an order. The charge ends first and the provider is told then, so
     * that whatever it says later of money it took finds a charge that does not want it.
     */
    async abandon({ sellerId, transactionId: id }: ProviderOperation): Promise<void> {
      const key = { sellerId, id };
      const terms = await transactions.termsOf(sellerId);
      const at = clock.now();
      await db.transaction().execute(async (trx) => {
        await transactions.lock(trx, key);
        const [operation, current] = [
          await findOperation(trx, key),
          await transactions.findInTransaction(trx, key),
        ];
        if (operation?.state !== 'OPEN' || current === undefined) return;
        await closeOperation(trx, key, { state: 'REFUSED', reference: null, detail: PROVIDER_TIMED_OUT, at });
        await voidAuthorization(trx, operation, operation.reference, at);
        if (!UNDECIDED_STATUSES.has(current.status)) return;
        const failure = () => ({ kind: 'FAILURE', reason: PROVIDER_TIMED_OUT }) as const;
        await transactions.applyEventInTransaction(trx, terms, key, failure, 'PROVIDER');
      });
      transactions.notifyWorker();
    },

    /** Places a charge with the first provider that takes it, and answers it with its code where that is known in time. */
    async submitPix(
      newTransaction: NewTransaction,
      codeUntil: Date,
      providers: readonly PixProvider[],
      idempotencyKey: string,
      bodyHash: Buffer,
    ): Promise<CreateResult> {
      const first = providers[0]?.name ?? '';
      const outcomeTimeoutMs = PIX_DEADLINE_MS + LEASE_MARGIN_MS;
      const result = await createPending(
        newTransaction,
        first,
        outcomeTimeoutMs,
        PIX_DEADLINE_MS,
        true,
        idempotencyKey,
        bodyHash,
      );
      if (result.kind !== 'created') return result;
      const request = toPixRequest(newTransaction, codeUntil);
      const response = await tryProviders(newTransaction, providers, PIX_DEADLINE_MS, (provider, deadline) =>
        provider.create(request, deadline),
      );
      const save = (trx: Db, failed: Transaction) =>
        saveSnapshot(trx, creationKey(newTransaction.sellerId, idempotencyKey), failed);
      if (response === 'nobody') await fail(newTransaction, NO_PROVIDER_AVAILABLE, save);
      else if (response === undefined) await postponeOperation(db, newTransaction, clock.now(), clock.now());
      else await recordPix(newTransaction, request, response, save);
      failPoint('provider-operations.recorded');
      return { kind: 'created', transaction: await reload(newTransaction) };
    },

    /** Has a card authorized by the first provider that takes the order. The card is kept nowhere. */
    async submitCard(
      newTransaction: NewTransaction,
      authorization: Omit<CardAuthorizationRequest, 'transactionId'>,
      providers: readonly CardProvider[],
      idempotencyKey: string,
      bodyHash: Buffer,
    ): Promise<CreateResult> {
      const first = providers[0]?.name ?? '';
      const outcomeTimeoutMs = CARD_DEADLINE_MS + CARD_OUTCOME_TIMEOUT_MS;
      const result = await createPending(
        newTransaction,
        first,
        outcomeTimeoutMs,
        CARD_DEADLINE_MS,
        authorization.capture,
        idempotencyKey,
        bodyHash,
      );
      if (result.kind !== 'created') return result;
      const request = { ...authorization, transactionId: newTransaction.id };
      const response = await tryProviders(
        newTransaction,
        providers,
        CARD_DEADLINE_MS,
        async (provider, deadline) => ({
          provider: provider.name,
          result: await provider.authorize(request, deadline),
        }),
      );
      const save = (trx: Db, decided: Transaction) =>
        saveSnapshot(trx, creationKey(newTransaction.sellerId, idempotencyKey), decided);
      if (response === undefined) {
        const now = clock.now();
        await postponeOperation(db, newTransaction, new Date(now.getTime() + CARD_OUTCOME_TIMEOUT_MS), now);
        return { kind: 'created', transaction: toInitialTransaction(newTransaction) };
      }
      if (response !== 'nobody') {
        const transaction = await recordCard(newTransaction, response.provider, response.result, save);
        failPoint('provider-operations.recorded');
        return { kind: 'created', transaction };
      }
      await fail(newTransaction, NO_PROVIDER_AVAILABLE, save);
      return { kind: 'created', transaction: await reload(newTransaction) };
    },
  };
}

/** The report of a payment that a card's provider has decided. */
function toPaymentEvent(
  provider: string,
  { event, reference }: Extract<CardAuthorizationResponse, { kind: 'decided' }>,
  occurredAt: Date,
): ProviderEventRecord | undefined {
  if (event.kind !== 'PAYMENT' || reference === null) return undefined;
  return { provider, eventId: reference, kind: 'PAYMENT', amount: event.amount, occurredAt };
}

/** Has an authorization given back that nobody wants, once. */
async function voidAuthorization(
  trx: Db,
  operation: ProviderOperation,
  reference: string | null,
  at: Date,
): Promise<void> {
  const { sellerId, transactionId: id } = operation;
  const alreadyRequested = (await findOperationsByTransaction(trx, { sellerId, id })).some(
    ({ kind, paymentReference }) => (kind === 'VOID' || kind === 'CANCEL') && paymentReference === reference,
  );
  if (alreadyRequested) return;
  await insertOperation(trx, {
    ...newCancellation(operation, at),
    kind: 'VOID',
    paymentReference: reference,
  });
}

/** While a provider has not decided, a charge may be in these. */
export const UNDECIDED_STATUSES: ReadonlySet<string> = new Set(['PENDING', 'WAITING_PAYMENT', 'PROCESSING']);

export const txidOf = (transactionId: string): string => transactionId.replaceAll('-', '');

export function toPixRequest(transaction: NewTransaction, codeUntil: Date): PixRequest {
  const { name, document, documentType } = transaction.customer;
  return {
    transactionId: transaction.id,
    txid: txidOf(transaction.id),
    amountCents: transaction.amount,
    payer: { name, document, documentType },
    createdAt: transaction.createdAt,
    expiresAt: codeUntil,
  };
}

/** Makes what a provider has unpayable. */
export function newCancellation({ sellerId, transactionId, provider, amount }: ProviderOperation, at: Date) {
  return {
    sellerId,
    id: newId(at.getTime()),
    transactionId,
    kind: 'CANCEL',
    provider,
    amount,
    paymentReference: null,
    createdAt: at,
  } as const;
}
