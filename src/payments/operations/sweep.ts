import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createProviderCaller } from '#platform/jobs/provider-calls.ts';
import type { ProviderOperations } from './service.ts';
import {
  NO_PROVIDER_AVAILABLE,
  toPixRequest,
  UNDECIDED_STATUSES,
  type ProviderSubmission,
} from './submission.ts';
import {
  NotExecutedError,
  type OperationResponse,
  type PixProvider,
  type CreatedPix,
  type ProviderRefusal,
} from './payment-provider.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import { claimOperations, reassignOperation, postponeOperation, type ProviderOperation } from './store.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';

const DEADLINE_MS = 15_000;
/** How long after a provider said that it works on an order it is asked again. */
const WORKING_RETRY_MS = 30_000;
/** How long an order rests after every provider has been asked to take it. */
const ALL_PROVIDERS_RETRY_MS = 10_000;

export interface OperationSweepDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly transactions: TransactionsService;
  readonly submission: ProviderSubmission;
  readonly operations: ProviderOperations;
  readonly pix: readonly PixProvider[];
}

type CallResponse =
  | { readonly kind: 'pix'; readonly response: CreatedPix | ProviderRefusal }
  | { readonly kind: 'follow-up'; readonly response: OperationResponse }
  /** The provider certainly has not taken it: another one may. */
  | { readonly kind: 'elsewhere' };

/**
 * Calls for follow-ups, and asks what became of charges whose provider's answer was lost. It never guesses: an order stays open
 * until its provider, or another that certainly is the first to take it, has said what became of it.
 */
export function createOperationSweep(deps: OperationSweepDeps): () => Promise<boolean> {
  const { db, clock, log, transactions, submission, operations, pix } = deps;

  async function prepareSubmission(
    operation: ProviderOperation,
  ): Promise<((deadline: AbortSignal) => Promise<CallResponse>) | undefined> {
    const transaction = await transactions.find({
      sellerId: operation.sellerId,
      id: operation.transactionId,
    });
    if (transaction === undefined) throw new Error('an order names a charge that does not exist');
    if (transaction.method === 'CREDIT_CARD') {
      await submission.abandon(operation);
      return undefined;
    }
    const provider = pix.find(({ name }) => name === operation.provider);
    if (provider === undefined) return async () => ({ kind: 'elsewhere' });
    return async (deadline) => recoverPix(provider, transaction, deadline);
  }

  async function recoverPix(
    provider: PixProvider,
    transaction: Transaction,
    deadline: AbortSignal,
  ): Promise<CallResponse> {
    const request = toPixRequest(transaction, transaction.expiresAt ?? transaction.createdAt);
    const existing = await provider.find(request, deadline);
    if (existing.kind !== 'absent') return { kind: 'pix', response: existing };
    // The charge ended while nobody knew: nothing of it is at the provider, and nothing shall be.
    if (!UNDECIDED_STATUSES.has(transaction.status) || request.expiresAt <= clock.now())
      return { kind: 'pix', response: { kind: 'refused', reason: NO_PROVIDER_AVAILABLE } };
    try {
      return { kind: 'pix', response: await provider.create(request, deadline) };
    } catch (error) {
      if (error instanceof NotExecutedError && pix.length > 1) return { kind: 'elsewhere' };
      throw error;
    }
  }

  async function recordSubmission(
    operation: ProviderOperation,
    response: Exclude<CallResponse, { kind: 'follow-up' }>,
  ): Promise<void> {
    const key = { sellerId: operation.sellerId, id: operation.transactionId };
    const transaction = await transactions.find(key);
    if (transaction === undefined) throw new Error('an order names a charge that does not exist');
    if (response.kind === 'pix') {
      await submission.recordPix(
        transaction,
        toPixRequest(transaction, transaction.expiresAt ?? transaction.createdAt),
        response.response,
      );
    } else {
      const index = pix.findIndex(({ name }) => name === operation.provider);
      const next = pix[(index + 1) % pix.length];
      const now = clock.now();
      if (next === undefined) return submission.fail(transaction, NO_PROVIDER_AVAILABLE);
      await reassignOperation(db, operation, { from: operation.provider, to: next.name, now });
      // Where none of them takes it, they are not asked in a circle without end.
      const restMs = operation.attempts < pix.length ? 0 : ALL_PROVIDERS_RETRY_MS;
      await postponeOperation(db, operation, new Date(now.getTime() + restMs), now);
    }
  }

  async function recordOperation(operation: ProviderOperation, response: OperationResponse): Promise<void> {
    switch (response.kind) {
      case 'done':
      case 'refused':
        await operations.complete(operation, response);
        return;
      case 'accepted':
        await operations.markAccepted(operation, response.reference);
        return;
      case 'working': {
        const now = clock.now();
        await postponeOperation(db, operation, new Date(now.getTime() + WORKING_RETRY_MS), now);
      }
    }
  }

  return createProviderCaller<ProviderOperation, CallResponse>(
    { clock, log },
    {
      name: 'charge order',
      failPointPrefix: 'operation-sweep',
      deadlineMs: DEADLINE_MS,
      lease: (lease) => claimOperations(db, lease),
      async prepare(operation) {
        const isSubmission = operation.kind === 'CREATE';
        const call = isSubmission
          ? await prepareSubmission(operation)
          : operationCall(operations.prepareCall(operation));
        if (call !== undefined || isSubmission) return call;
        log.error(
          { provider: operation.provider, orderId: operation.id },
          'an order has no provider that is set up',
        );
        const now = clock.now();
        await postponeOperation(db, operation, new Date(now.getTime() + 600_000), now);
        return undefined;
      },
      async record(operation, response) {
        if (response.kind === 'follow-up') await recordOperation(operation, response.response);
        else await recordSubmission(operation, response);
      },
      postpone: (operation, dueAt, now) => postponeOperation(db, operation, dueAt, now),
    },
  );
}

function operationCall(
  call: ((deadline: AbortSignal) => Promise<OperationResponse>) | undefined,
): ((deadline: AbortSignal) => Promise<CallResponse>) | undefined {
  return call === undefined
    ? undefined
    : async (deadline) => ({ kind: 'follow-up', response: await call(deadline) });
}
