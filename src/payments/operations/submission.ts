import { failPoint } from '#platform/kit/fail-points.ts';
import { NotExecutedError, withDeadline } from '#platform/jobs/provider-calls.ts';
import type { CreateResult, TransactionKey } from '#payments/transactions/service.ts';
import { creationKey } from '#payments/transactions/store-create.ts';
import {
  toInitialTransaction,
  type NewTransaction,
  type Transaction,
} from '#payments/transactions/transaction.ts';
import type { ProviderOperationDeps } from './deps.ts';
import { failSubmission, NO_PROVIDER_AVAILABLE, recordCard, recordPix } from './outcome.ts';
import type { CardAuthorizationRequest } from './payment-provider.ts';
import { toPixRequest } from './pix-request.ts';
import type { RoutedMethod } from './routing.ts';
import { findOperation, postponeOperation, reassignOperation, type LeasedOperation } from './store.ts';

/** Time that the creating process has to record the outcome after the deadline. */
const LEASE_MARGIN_MS = 5_000;
/** Card providers report late decisions by themselves. After this long the card is voided. */
const CARD_OUTCOME_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 100;

/** How long the payer waits at the checkout, for all providers of the method together. */
const PIX_DEADLINE_MS = 8_000;
const CARD_DEADLINE_MS = 25_000;

export interface SubmissionRequest {
  readonly transaction: NewTransaction;
  readonly idempotencyKey: string;
  readonly bodyHash: Buffer;
}

export interface CardSubmissionRequest extends SubmissionRequest {
  /** The card data is passed on to the provider and not stored. */
  readonly authorization: Omit<CardAuthorizationRequest, 'transactionId'>;
}

/**
 * Creates a Pix transaction at the first provider that accepts it. The result carries the code if
 * the provider responds within 8 seconds; otherwise the sweep adds it later.
 */
export async function submitPix(
  deps: ProviderOperationDeps,
  request: SubmissionRequest,
): Promise<CreateResult> {
  const { db, clock } = deps;
  const { transaction } = request;
  const pix = await selectProviders(deps, 'PIX', deps.pix);
  const result = await createPending(deps, request, {
    provider: pix[0]?.name ?? '',
    capture: true,
    deadlineMs: PIX_DEADLINE_MS,
    outcomeTimeoutMs: PIX_DEADLINE_MS + LEASE_MARGIN_MS,
  });
  if (result.kind !== 'created') return result;
  const pixRequest = toPixRequest(transaction);
  const outcome = await callProviders(deps, transaction, {
    providers: pix,
    deadlineMs: PIX_DEADLINE_MS,
    call: (provider, deadline) => provider.create(pixRequest, deadline),
  });
  const replayKey = creationKey(transaction.sellerId, request.idempotencyKey);
  if (outcome.kind === 'unknown') {
    const now = clock.now();
    await postponeOperation(db, leasedByRequest(transaction), { dueAt: now, now });
  } else {
    const response = outcome.kind === 'responded' ? outcome.response : NO_PROVIDER_AVAILABLE;
    await recordPix(deps, transaction, response, replayKey);
  }
  failPoint('provider-operations.recorded');
  return { kind: 'created', transaction: await reload(deps, transaction) };
}

/**
 * Creates a card transaction and has the card authorized by the first provider that accepts the
 * request. Without a response within 25 seconds the transaction stays PENDING until the provider
 * reports its decision.
 */
export async function submitCard(
  deps: ProviderOperationDeps,
  request: CardSubmissionRequest,
): Promise<CreateResult> {
  const { db, clock } = deps;
  const { transaction } = request;
  const card = await selectProviders(deps, 'CREDIT_CARD', deps.card);
  const result = await createPending(deps, request, {
    provider: card[0]?.name ?? '',
    capture: request.authorization.capture,
    deadlineMs: CARD_DEADLINE_MS,
    outcomeTimeoutMs: CARD_DEADLINE_MS + CARD_OUTCOME_TIMEOUT_MS,
  });
  if (result.kind !== 'created') return result;
  const authorization = { ...request.authorization, transactionId: transaction.id };
  const outcome = await callProviders(deps, transaction, {
    providers: card,
    deadlineMs: CARD_DEADLINE_MS,
    call: (provider, deadline) => provider.authorize(authorization, deadline),
  });
  const replayKey = creationKey(transaction.sellerId, request.idempotencyKey);
  switch (outcome.kind) {
    case 'responded': {
      const { provider, response } = outcome;
      const decided = await recordCard(deps, { key: transaction, provider, response, replayKey });
      failPoint('provider-operations.recorded');
      return { kind: 'created', transaction: decided };
    }
    case 'unavailable':
      await failSubmission(deps, transaction, NO_PROVIDER_AVAILABLE.reason, replayKey);
      return { kind: 'created', transaction: await reload(deps, transaction) };
    case 'unknown': {
      const now = clock.now();
      const dueAt = new Date(now.getTime() + CARD_OUTCOME_TIMEOUT_MS);
      await postponeOperation(db, leasedByRequest(transaction), { dueAt, now });
      return { kind: 'created', transaction: toInitialTransaction(transaction) };
    }
  }
}

/** If all were paused a moment ago, the configured ones: the charge was accepted before. */
async function selectProviders<Provider extends { readonly name: string }>(
  { routing }: ProviderOperationDeps,
  method: RoutedMethod,
  configured: readonly Provider[],
): Promise<readonly Provider[]> {
  const selected = await routing.select(method, configured);
  return selected.length === 0 ? configured : selected;
}

interface PendingOptions {
  /** The provider that is called first. */
  readonly provider: string;
  readonly capture: boolean;
  readonly deadlineMs: number;
  /** After this long the sweep takes over an operation without an outcome. */
  readonly outcomeTimeoutMs: number;
}

/**
 * Commits the transaction, its idempotency key and the pending operation in one statement. For a
 * key that is in use it waits until the first request has an outcome, which it returns.
 */
async function createPending(
  deps: ProviderOperationDeps,
  { transaction, idempotencyKey, bodyHash }: SubmissionRequest,
  { provider, capture, deadlineMs, outcomeTimeoutMs }: PendingOptions,
): Promise<CreateResult> {
  const createdAtMs = transaction.createdAt.getTime();
  const result = await deps.transactions.create({
    transaction,
    idempotencyKey,
    bodyHash,
    operation: {
      provider,
      capture,
      leaseUntil: new Date(createdAtMs + deadlineMs + LEASE_MARGIN_MS),
      dueAt: new Date(createdAtMs + outcomeTimeoutMs),
    },
  });
  if (result.kind === 'created') failPoint('provider-operations.committed');
  if (result.kind !== 'replayed') return result;
  await waitForOutcome(deps, result.transaction, deadlineMs);
  return (await deps.transactions.findReplay(transaction.sellerId, idempotencyKey, bodyHash)) ?? result;
}

/** Waits while another request may still be calling the provider. */
async function waitForOutcome(
  { db, clock }: ProviderOperationDeps,
  key: TransactionKey,
  deadlineMs: number,
): Promise<void> {
  const end = performance.now() + deadlineMs + LEASE_MARGIN_MS;
  while (performance.now() < end) {
    const operation = await findOperation(db, key);
    if (operation?.state !== 'OPEN') return;
    if (operation.leaseUntil === null || operation.leaseUntil <= clock.now()) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

type CallOutcome<Response> =
  | { readonly kind: 'responded'; readonly provider: string; readonly response: Response }
  /** No provider executed the request. */
  | { readonly kind: 'unavailable' }
  /** A provider may have executed the request. */
  | { readonly kind: 'unknown' };

interface ProviderRequest<Provider, Response> {
  readonly providers: readonly Provider[];
  readonly deadlineMs: number;
  readonly call: (provider: Provider, deadline: AbortSignal) => Promise<Response>;
}

/** Calls one provider after another until one responds. Stops as soon as an outcome is unknown. */
async function callProviders<Provider extends { readonly name: string }, Response>(
  { db, clock, log }: ProviderOperationDeps,
  key: TransactionKey,
  { providers, deadlineMs, call }: ProviderRequest<Provider, Response>,
): Promise<CallOutcome<Response>> {
  const deadline = AbortSignal.timeout(deadlineMs);
  for (const [index, provider] of providers.entries()) {
    const previous = providers[index - 1];
    if (previous !== undefined) {
      const reassignment = { from: previous.name, to: provider.name, now: clock.now() };
      if (!(await reassignOperation(db, leasedByRequest(key), reassignment))) return { kind: 'unknown' };
    }
    try {
      const response = await withDeadline(deadline, (signal) => call(provider, signal));
      failPoint('provider-operations.called');
      return { kind: 'responded', provider: provider.name, response };
    } catch (error) {
      const context = { err: error, provider: provider.name, transactionId: key.id };
      if (!(error instanceof NotExecutedError)) {
        log.warn(context, 'provider call has an unknown outcome');
        return { kind: 'unknown' };
      }
      log.warn(context, 'provider did not execute a request');
    }
  }
  return { kind: 'unavailable' };
}

/** Guards writes against a worker that has taken over. */
const leasedByRequest = ({ sellerId, id }: TransactionKey): LeasedOperation => ({
  sellerId,
  id,
  leasedBy: null,
});

async function reload({ transactions }: ProviderOperationDeps, key: TransactionKey): Promise<Transaction> {
  const transaction = await transactions.find(key);
  if (transaction === undefined) throw new Error(`transaction ${key.id} is missing after its creation`);
  return transaction;
}
