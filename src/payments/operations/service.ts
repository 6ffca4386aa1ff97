import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import {
  rollback,
  transactionWithRollback,
  type RolledBack,
} from '#platform/database/transaction-with-rollback.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { setRefundBookedAt, closeRefund } from '#payments/refunds/completion.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import { newCancellation, txidOf } from './submission.ts';
import type { CardProvider, OperationRequest, OperationResponse, PixProvider } from './payment-provider.ts';
import type { ApplyResult, TransactionKey, TransactionsService } from '#payments/transactions/service.ts';
import {
  closeOperation,
  findCardAuthorization,
  findOperationById,
  findOperationsByTransaction,
  findPaymentEvent,
  insertOperation,
  type ProviderOperation,
} from './store.ts';
import type { ProviderEventRecord } from '#payments/transactions/store-change.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';

export type { ProviderOperation, OperationKind } from './store.ts';

export interface ProviderOperationsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly pix: readonly PixProvider[];
  readonly card: readonly CardProvider[];
}

export type ProviderOperations = ReturnType<typeof createProviderOperations>;

export type CaptureResult =
  | ApplyResult
  /** A provider is asked to capture it, and tells what comes of it. */
  | { readonly kind: 'ordered'; readonly transaction: Transaction };

/** Who returns a refund: the provider that has the money, and its own id of the payment. */
export interface RefundSource {
  readonly provider: string;
  readonly paymentReference: string;
}

/** The last word of a provider on an order. */
export type OperationOutcome =
  | { readonly kind: 'done'; readonly reference: string | null }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * What is done later about charges that a provider of others has: cancel, void, capture, refund. Each is ordered in the
 * transaction that decides it; the sweep calls, and the provider's word ends it here, whether it comes as an answer or as a report.
 */
export function createProviderOperations({ db, clock, transactions, pix, card }: ProviderOperationsDeps) {
  /** Ends or keeps the charge at the provider as the gateway has just decided, in one transaction with it. */
  async function applyEventWithOperation(
    key: TransactionKey,
    event: TransactionEvent,
    actor: 'SELLER' | 'WORKER',
    kind: 'CANCEL' | 'VOID',
  ): Promise<ApplyResult> {
    const terms = await transactions.termsOf(key.sellerId);
    const result = await transactionWithRollback(
      db,
      async (trx): Promise<ApplyResult | RolledBack<ApplyResult>> => {
        const applied = await transactions.applyEventInTransaction(trx, terms, key, () => event, actor);
        if (applied.kind !== 'applied') return rollback(applied);
        const operations = await findOperationsByTransaction(trx, key);
        // What was ordered in time is decided by the provider, whenever it says so.
        if (actor === 'WORKER' && operations.some(isActive('CAPTURE'))) {
          return rollback({ kind: 'nothing', transaction: applied.transaction });
        }
        const creation = operations.find((operation) => operation.kind === 'CREATE');
        if (creation !== undefined && creation.state !== 'REFUSED' && !operations.some(isActive(kind))) {
          const cancellation = newCancellation(creation, clock.now());
          await insertOperation(trx, { ...cancellation, kind, paymentReference: creation.reference });
        }
        return applied;
      },
    );
    if (result.kind === 'applied') {
      failPoint('cancellations.created');
      transactions.notifyWorker();
    }
    return result;
  }

  const hasExternalProviders = pix.length > 0 || card.length > 0;

  async function applyEvent(
    key: TransactionKey,
    event: TransactionEvent,
    actor: 'SELLER' | 'WORKER',
    kind: 'CANCEL' | 'VOID',
  ): Promise<ApplyResult> {
    // Where no provider of others was ever set up there is nothing to tell.
    return hasExternalProviders
      ? applyEventWithOperation(key, event, actor, kind)
      : transactions.applyEvent(key, event, actor);
  }

  return {
    cancel: (key: TransactionKey) => applyEvent(key, { kind: 'CANCELLATION' }, 'SELLER', 'CANCEL'),

    /** The authorization is given up at once; that the provider hears of it later changes nothing for the payer. */
    void: (key: TransactionKey) => applyEvent(key, { kind: 'VOID' }, 'SELLER', 'VOID'),

    /** An authorization that lapses is given back at the provider too. */
    expire: (key: TransactionKey) => applyEvent(key, { kind: 'EXPIRY' }, 'WORKER', 'VOID'),

    /** Captures, or asks the provider to; all of it unless an amount in cents is told. */
    async capture(key: TransactionKey, amount: number | null): Promise<CaptureResult> {
      const transaction = await transactions.find(key);
      if (transaction === undefined) return { kind: 'unknown' };
      const captureAmount = amount ?? transaction.amount;
      const paidAt = clock.now();
      const event = { kind: 'CAPTURE', amount: captureAmount, paidAt } as const;
      const authorization = await findCardAuthorization(db, key);
      if (authorization === undefined) return transactions.applyEvent(key, event, 'SELLER');
      const terms = await transactions.termsOf(key.sellerId);
      const result = await db.transaction().execute(async (trx): Promise<CaptureResult> => {
        await transactions.lock(trx, key);
        const current = await transactions.findInTransaction(trx, key);
        if (current === undefined) return { kind: 'unknown' };
        const decision = transactions.checkTransition(current, event, terms);
        if (decision !== undefined) return decision;
        const operations = await findOperationsByTransaction(trx, key);
        if (!operations.some(isActive('CAPTURE'))) {
          const at = clock.now();
          await insertOperation(trx, {
            ...newCancellation(authorization, at),
            kind: 'CAPTURE',
            amount: captureAmount,
            paymentReference: authorization.reference,
          });
        }
        return { kind: 'ordered', transaction: current };
      });
      if (result.kind === 'ordered') failPoint('captures.created');
      return result;
    },

    /**
     * Who must return this charge's money; undefined where the gateway's own rail does. A provider that has it and is not set
     * up any more is still the one: its order waits until it is. Reads in the caller's transaction.
     */
    async refundSource(trx: Db, key: TransactionKey): Promise<RefundSource | undefined> {
      if (!isUuid(key.id)) return undefined;
      const paymentEvent = await findPaymentEvent(trx, key);
      const operations = paymentEvent === undefined ? [] : await findOperationsByTransaction(trx, key);
      const isExternal = ({ provider }: { readonly provider: string }) =>
        pix.some(({ name }) => name === provider) ||
        operations.some((operation) => operation.kind === 'CREATE' && operation.provider === provider);
      const authorization = await findCardAuthorization(trx, key);
      if (authorization === undefined) {
        if (paymentEvent === undefined || !isExternal(paymentEvent)) return undefined;
        return { provider: paymentEvent.provider, paymentReference: paymentEvent.eventId };
      }
      if (authorization.reference === null) {
        const current = await transactions.findInTransaction(trx, key);
        // Paid by the sandbox's word, which may come before the provider's own; or not at all.
        const isSimulated = paymentEvent !== undefined && paymentEvent.provider !== authorization.provider;
        if (isSimulated || (current?.paidAt ?? null) === null) return undefined;
        throw new Error('a card was paid and its provider gave it no id');
      }
      return { provider: authorization.provider, paymentReference: authorization.reference };
    },

    /** Gives a refund to its provider, in the transaction that decided it. */
    async createRefund(
      trx: Db,
      { sellerId, id: transactionId }: TransactionKey,
      refund: { readonly id: string; readonly amount: number; readonly at: Date },
      source: RefundSource,
    ): Promise<void> {
      const { id, amount, at: createdAt } = refund;
      await insertOperation(trx, {
        sellerId,
        id,
        transactionId,
        kind: 'REFUND',
        amount,
        createdAt,
        ...source,
      });
    },

    /** Calls the provider of an order; undefined where it is not set up any more. */
    prepareCall(
      operation: ProviderOperation,
    ): ((deadline: AbortSignal) => Promise<OperationResponse>) | undefined {
      const { provider, kind, transactionId, amount: amountCents, id } = operation;
      const pixProvider = pix.find(({ name }) => name === provider);
      const cardProvider = card.find(({ name }) => name === provider);
      const { paymentReference } = operation;
      if (pixProvider !== undefined && kind === 'CANCEL') {
        return async (deadline) => pixProvider.cancel(txidOf(transactionId), deadline);
      }
      const isCancellation = kind === 'CANCEL' || kind === 'VOID';
      if (cardProvider !== undefined && isCancellation && paymentReference === null) {
        return async (deadline) => cardProvider.voidByTransactionId(transactionId, deadline);
      }
      if (paymentReference === null) return undefined;
      const request: OperationRequest = { id, transactionId, amountCents, paymentReference };
      switch (kind) {
        case 'REFUND': {
          const refundProvider = pixProvider ?? cardProvider;
          return refundProvider === undefined
            ? undefined
            : async (deadline) => refundProvider.refund(request, deadline);
        }
        case 'CAPTURE':
          return cardProvider === undefined
            ? undefined
            : async (deadline) => cardProvider.capture(request, deadline);
        case 'VOID':
        case 'CANCEL':
          return cardProvider === undefined
            ? undefined
            : async (deadline) => cardProvider.void(request, deadline);
        case 'CREATE':
          return undefined;
      }
    },

    /** The provider has the order and will report; it is not called for any more. */
    markAccepted: (operation: ProviderOperation, reference: string | null) =>
      closeOperation(db, operation, { state: 'ACCEPTED', reference, detail: null, at: clock.now() }),

    /** By our id alone, as providers name it; undefined where there is none. */
    find: (id: string): Promise<ProviderOperation | undefined> => findOperationById(db, id),

    /** What of a charge is with a provider, for callbacks that name the charge. */
    listByTransaction: (key: TransactionKey): Promise<readonly ProviderOperation[]> =>
      findOperationsByTransaction(db, key),

    /**
     * The provider's last word on a follow-up: its order ends and the charge's money moves, once, however often and by
     * however many ways it is told. False where it had been told before.
     */
    async complete(operation: ProviderOperation, outcome: OperationOutcome): Promise<boolean> {
      const key = { sellerId: operation.sellerId, id: operation.transactionId };
      const terms = await transactions.termsOf(operation.sellerId);
      const at = clock.now();
      const alreadyCompleted = await db.transaction().execute(async (trx) => {
        await transactions.lock(trx, key);
        const state = outcome.kind === 'done' ? 'DONE' : 'REFUSED';
        const reference = outcome.kind === 'done' ? outcome.reference : null;
        const detail = outcome.kind === 'done' ? null : outcome.reason;
        if (!(await closeOperation(trx, operation, { state, reference, detail, at }))) return true;
        const event = await eventFor(trx, operation, outcome);
        if (event === undefined) return false;
        const captured = operation.kind === 'CAPTURE' && outcome.kind === 'done';
        const providerEvent = captured ? toCaptureEvent(operation, at) : null;
        const applied = await transactions.applyEventInTransaction(
          trx,
          terms,
          key,
          () => event,
          'PROVIDER',
          providerEvent,
        );
        if (applied.kind === 'applied') await recordOutcome(trx, operation, outcome, applied.transaction);
        else if (operation.kind !== 'CAPTURE')
          throw new Error(`an order of ${operation.kind} does not fit its charge`);
        else if (providerEvent !== null) {
          // The charge had ended: the money goes back as all money does that comes too late.
          const current = await transactions.findInTransaction(trx, key);
          if (current === undefined) throw new Error('an order names a charge that does not exist');
          await transactions.reverseInTransaction(trx, current, { ...providerEvent, kind: 'PAYMENT' });
        }
        return false;
      });
      if (!alreadyCompleted) {
        failPoint('provider-operations.completed');
        transactions.notifyWorker();
      }
      return !alreadyCompleted;
    },

    /** A refund that was done came back, since the payer's bank did not take it; false where it is not done. */
    async reverseRefund(operation: ProviderOperation): Promise<boolean> {
      const key = { sellerId: operation.sellerId, id: operation.transactionId };
      const terms = await transactions.termsOf(operation.sellerId);
      const { amount } = operation;
      const reversed = await db.transaction().execute(async (trx) => {
        await transactions.lock(trx, key);
        const retained = await closeRefund(trx, operation, 'FAILED', 'DONE');
        if (retained === undefined) return false;
        const event = () => ({ kind: 'REFUND_REVERSAL', amount, retained }) as const;
        const applied = await transactions.applyEventInTransaction(trx, terms, key, event, 'PROVIDER');
        if (applied.kind !== 'applied') throw new Error('a refund that was done does not fit its charge');
        return true;
      });
      if (reversed) transactions.notifyWorker();
      return reversed;
    },
  };
}

/** What follows in the same transaction from what a provider said. */
async function recordOutcome(
  trx: Db,
  operation: ProviderOperation,
  outcome: OperationOutcome,
  { updatedAt }: Transaction,
): Promise<void> {
  if (operation.kind === 'REFUND' && outcome.kind === 'done')
    await setRefundBookedAt(trx, operation, updatedAt);
  if (operation.kind !== 'CAPTURE' || outcome.kind === 'done') return;
  // The authorization may stand there still.
  const { paymentReference } = operation;
  await insertOperation(trx, { ...newCancellation(operation, updatedAt), kind: 'VOID', paymentReference });
}

/** The report of a payment that was authorized before, under the provider's id of the payment. */
function toCaptureEvent(
  { provider, paymentReference, id, amount }: ProviderOperation,
  occurredAt: Date,
): ProviderEventRecord {
  return { provider, eventId: paymentReference ?? id, kind: 'CAPTURE', amount, occurredAt };
}

async function eventFor(
  trx: Db,
  operation: ProviderOperation,
  outcome: OperationOutcome,
): Promise<TransactionEvent | undefined> {
  const { amount } = operation;
  switch (operation.kind) {
    case 'CAPTURE':
      // Ordered while the authorization lived: when the provider says so does not make it late.
      if (outcome.kind === 'done') return { kind: 'CAPTURE', amount, paidAt: operation.createdAt };
      return { kind: 'FAILURE', reason: `capture refused: ${outcome.reason}` };
    case 'REFUND': {
      const done = outcome.kind === 'done';
      const retained = await closeRefund(trx, operation, done ? 'DONE' : 'FAILED');
      if (retained === undefined) return undefined;
      return done ? { kind: 'REFUND_DONE', amount } : { kind: 'REFUND_FAILURE', amount, retained };
    }
    case 'CREATE':
    case 'CANCEL':
    case 'VOID':
      return undefined;
  }
}

const isActive = (kind: ProviderOperation['kind']) => (operation: ProviderOperation) =>
  operation.kind === kind && operation.state !== 'REFUSED';
