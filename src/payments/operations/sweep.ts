import { createProviderCaller, NotExecutedError } from '#platform/jobs/provider-calls.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';
import { completeOperation } from './completion.ts';
import type { ProviderOperationDeps } from './deps.ts';
import { abandon, failSubmission, NO_PROVIDER_AVAILABLE, recordPix, UNDECIDED_STATUSES } from './outcome.ts';
import type {
  CreatedPix,
  OperationRequest,
  OperationResponse,
  PixProvider,
  ProviderRefusal,
} from './payment-provider.ts';
import { toPixRequest, txidOf } from './pix-request.ts';
import type { ProviderOperation } from './provider-operation.ts';
import {
  claimOperations,
  postponeOperation,
  reassignOperation,
  recordOperationResult,
  type ClaimedOperation,
} from './store.ts';

const DEADLINE_MS = 15_000;
/** Delay before a provider that responded "pending" is polled. */
const POLL_DELAY_MS = 30_000;
/** Delay after every provider has been tried. */
const ALL_TRIED_DELAY_MS = 10_000;
/** Delay while provider of an operation is not configured. */
const UNCONFIGURED_DELAY_MS = 600_000;

type ProviderResponse =
  | { readonly kind: 'pix'; readonly response: CreatedPix | ProviderRefusal }
  | { readonly kind: 'operation'; readonly response: OperationResponse }
  /** The provider did not execute the request; another one may. */
  | { readonly kind: 'not-executed' };

type Call<Response> = (deadline: AbortSignal) => Promise<Response>;

/**
 * Creates the job that executes due operations and recovers CREATE operations whose outcome is
 * unknown. An operation stays open until a provider has reported its outcome: the sweep never
 * assumes one.
 */
export function createOperationSweep(deps: ProviderOperationDeps): () => Promise<boolean> {
  const { db } = deps;
  return createProviderCaller<ClaimedOperation, ProviderResponse>(deps, {
    name: 'provider operation',
    failPointPrefix: 'operation-sweep',
    deadlineMs: DEADLINE_MS,
    lease: (lease) => claimOperations(db, lease),
    prepare: (operation) =>
      operation.kind === 'CREATE' ? prepareRecovery(deps, operation) : prepareOperation(deps, operation),
    async record(operation, result) {
      switch (result.kind) {
        case 'pix':
          return recordPix(deps, await findTransaction(deps, operation), result.response);
        case 'not-executed':
          return tryNextProvider(deps, operation);
        case 'operation':
          return recordResponse(deps, operation, result.response);
      }
    },
    postpone: (operation, dueAt, now) => postponeOperation(db, operation, { dueAt, now }),
  });
}

async function prepareRecovery(
  deps: ProviderOperationDeps,
  operation: ClaimedOperation,
): Promise<Call<ProviderResponse> | undefined> {
  const transaction = await findTransaction(deps, operation);
  if (transaction.method === 'CREDIT_CARD') {
    await abandon(deps, operation);
    return undefined;
  }
  const provider = deps.pix.find(({ name }) => name === operation.provider);
  if (provider === undefined) return async () => ({ kind: 'not-executed' });
  return (deadline) => recoverPix(deps, provider, transaction, deadline);
}

/** Looks the request up at the provider and repeats it if the provider does not know it. */
async function recoverPix(
  { clock, pix, routing }: ProviderOperationDeps,
  provider: PixProvider,
  transaction: Transaction,
  deadline: AbortSignal,
): Promise<ProviderResponse> {
  const request = toPixRequest(transaction);
  const existing = await provider.find(request, deadline);
  if (existing.kind !== 'absent') return { kind: 'pix', response: existing };
  if (!UNDECIDED_STATUSES.has(transaction.status) || request.expiresAt <= clock.now())
    return { kind: 'pix', response: NO_PROVIDER_AVAILABLE };
  const selected = await routing.select('PIX', pix);
  if (!selected.includes(provider)) return { kind: 'not-executed' };
  try {
    return { kind: 'pix', response: await provider.create(request, deadline) };
  } catch (error) {
    if (error instanceof NotExecutedError && pix.length > 1) return { kind: 'not-executed' };
    throw error;
  }
}

async function tryNextProvider(deps: ProviderOperationDeps, operation: ClaimedOperation): Promise<void> {
  const { db, clock, routing } = deps;
  if (deps.pix.length === 0) {
    const transaction = await findTransaction(deps, operation);
    return failSubmission(deps, transaction, NO_PROVIDER_AVAILABLE.reason);
  }
  const now = clock.now();
  const pix = await routing.select('PIX', deps.pix);
  const index = pix.findIndex(({ name }) => name === operation.provider);
  const next = pix[(index + 1) % pix.length];
  // All are paused.
  if (next === undefined) {
    const dueAt = new Date(now.getTime() + ALL_TRIED_DELAY_MS);
    return postponeOperation(db, operation, { dueAt, now });
  }
  const reassignment = { from: operation.provider, to: next.name, now };
  if (!(await reassignOperation(db, operation, reassignment))) return;
  const delayMs = operation.attempts < pix.length ? 0 : ALL_TRIED_DELAY_MS;
  await postponeOperation(db, operation, { dueAt: new Date(now.getTime() + delayMs), now });
}

async function prepareOperation(
  deps: ProviderOperationDeps,
  operation: ClaimedOperation,
): Promise<Call<ProviderResponse> | undefined> {
  const { db, clock, log } = deps;
  const call = operationCall(deps, operation);
  if (call !== undefined) return async (deadline) => ({ kind: 'operation', response: await call(deadline) });
  const { provider, id: operationId } = operation;
  log.error({ provider, operationId }, 'provider of an operation is not configured');
  const now = clock.now();
  await postponeOperation(db, operation, { dueAt: new Date(now.getTime() + UNCONFIGURED_DELAY_MS), now });
  return undefined;
}

/** The call that executes an operation; undefined if its provider is not configured. */
function operationCall(
  { pix, card }: ProviderOperationDeps,
  { provider, kind, transactionId, amount: amountCents, id, paymentReference }: ProviderOperation,
): Call<OperationResponse> | undefined {
  const pixProvider = pix.find(({ name }) => name === provider);
  const cardProvider = card.find(({ name }) => name === provider);
  if (pixProvider !== undefined && kind === 'CANCEL')
    return (deadline) => pixProvider.cancel(txidOf(transactionId), deadline);
  const isVoid = kind === 'VOID' || kind === 'CANCEL';
  if (cardProvider !== undefined && isVoid && paymentReference === null)
    return (deadline) => cardProvider.voidByTransactionId(transactionId, deadline);
  if (paymentReference === null) return undefined;
  const request: OperationRequest = { id, transactionId, amountCents, paymentReference };
  const refundProvider = pixProvider ?? cardProvider;
  if (refundProvider !== undefined && kind === 'REFUND')
    return (deadline) => refundProvider.refund(request, deadline);
  if (cardProvider !== undefined && kind === 'CAPTURE')
    return (deadline) => cardProvider.capture(request, deadline);
  if (cardProvider !== undefined && isVoid) return (deadline) => cardProvider.void(request, deadline);
  return undefined;
}

async function recordResponse(
  deps: ProviderOperationDeps,
  operation: ClaimedOperation,
  response: OperationResponse,
): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  switch (response.kind) {
    case 'done':
    case 'refused':
      await completeOperation(deps, operation, response);
      return;
    case 'accepted': {
      const { reference } = response;
      await recordOperationResult(db, operation, { state: 'ACCEPTED', reference, detail: null, at: now });
      return;
    }
    case 'pending':
      await postponeOperation(db, operation, { dueAt: new Date(now.getTime() + POLL_DELAY_MS), now });
  }
}

async function findTransaction(
  { transactions }: ProviderOperationDeps,
  { sellerId, transactionId: id }: ProviderOperation,
): Promise<Transaction> {
  const transaction = await transactions.find({ sellerId, id });
  if (transaction === undefined) throw new Error(`a provider operation refers to no transaction: ${id}`);
  return transaction;
}
