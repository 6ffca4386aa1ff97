import { addDays } from '#formats/calendar/local-date.ts';
import { deleteTokenOfPayer } from '#payments/card-tokens/service.ts';
import { findReplay, runIdempotent, type IdempotentResult } from '#payments/idempotency/service.ts';
import { idOfPaymentToken, opensPayment } from '#payments/transactions/payment-token.ts';
import type { Action } from '#audit/actions.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { onShardOf } from '#platform/database/shards/each-shard.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import { applyAuthorization, handleAuthorizationHint } from './authorizations.ts';
import { buildSubscription } from './creation.ts';
import { today } from './decisions.ts';
import type { SubscriptionDeps } from './deps.ts';
import { subscriptionUpdated } from './events.ts';
import { moveTo, recordMovement } from './lifecycle.ts';
import { findDebit, recordFailedDebit } from './outcomes.ts';
import { beginByPayment, discard, writeCreationMail } from './paid-start.ts';
import { recordSubscriptionAudit } from './audit.ts';
import { revenueMonths, type RevenueMonth } from './revenue.ts';
import { canTransition, hasEnded } from './states.ts';
import { findMonths } from './store-months.ts';
import { takeDebitsToRead } from './store-attempts.ts';
import { findAuthorization, insertAuthorization } from './store-authorizations.ts';
import {
  countInvoices,
  findInvoice,
  findInvoices,
  findAttempts,
  insertInvoice,
  updateInvoice,
  type InvoiceKey,
  type InvoiceWithAttempts,
} from './store-invoices.ts';
import {
  countSubscriptions,
  findSubscription,
  findSubscriptionById,
  findSubscriptions,
  insertSubscription,
  lockSubscription,
  setNextOutcome,
  updateSubscription,
  type SubscriptionFilter,
} from './store.ts';
import type {
  Invoice,
  Journey,
  SimulatedOutcome,
  Subscription,
  SubscriptionChanges,
  SubscriptionInput,
  SubscriptionKey,
  SubscriptionRecord,
  SubscriptionStatus,
} from './subscription.ts';
import { viewSubscription, type SubscriptionView } from './views.ts';

export type SubscriptionsService = ReturnType<typeof createSubscriptionsService>;

export const createSubscriptionsService = (deps: SubscriptionDeps) => ({
  ...bindDeps(deps, {
    create,
    beginByPayment,
    discard,
    /** The result of an earlier creation with the key. Looked up before the dates are checked. */
    findReplay: ({ db, clock }, request: Omit<CreateSubscriptionRequest, 'input'>) =>
      findReplay<SubscriptionView>(db, keyed(request, clock.now())),
    find,
    findByPayerToken,
    list,
    update,
    changeCardOfPayer,
    cancel: (context, key: SubscriptionKey, actor: AuditActor) =>
      change(context, key, { to: 'CANCELLED', action: 'subscription.canceled' }, actor),
    pause: (context, key: SubscriptionKey, actor: AuditActor) =>
      change(context, key, { to: 'PAUSED', action: 'subscription.paused' }, actor),
    resume: (context, key: SubscriptionKey, actor: AuditActor) =>
      change(context, key, { to: 'ACTIVE', action: 'subscription.resumed' }, actor),
    listInvoices,
    summarize,
    retry,
    applyAuthorization,
    handleAuthorizationHint,
    recordFailedDebit,
    findDebit,
    /** Any bank takes those of a bank that is not configured, which wait until it is. */
    takeDebitsToRead: ({ db, clock, pixAutomaticoBanks }, bank: string, limit: number) => {
      const now = clock.now();
      const nextAt = new Date(now.getTime() + READ_INTERVAL_MS);
      const otherBanks = pixAutomaticoBanks.map(({ name }) => name).filter((name) => name !== bank);
      return takeDebitsToRead(db, { now, nextAt, limit, otherBanks });
    },
    simulateOutcome,
    findFirstTransaction: async ({ db }, key: SubscriptionKey) =>
      (await findAuthorization(db, key))?.firstTransactionId ?? null,
  }),
  isPixAutomaticoAvailable: deps.pixAutomatico !== undefined,
  /** Only the sandbox knows the payer's account, which a request in journey 1 names. */
  needsPayerAccount: (journey: Journey): boolean => journey === 1 && deps.pixAutomatico?.issue === undefined,
});

/** A bank that has no outcome yet is queried again. */
const READ_INTERVAL_MS = 3_600_000;

export const CREATE_SUBSCRIPTION_OPERATION = 'subscriptions.create';

export interface CreateSubscriptionRequest {
  readonly sellerId: string;
  readonly input: SubscriptionInput;
  readonly idempotencyKey: string;
  readonly bodyHash: Buffer;
  readonly actor: AuditActor;
}

function create(
  deps: SubscriptionDeps,
  { input, actor, ...request }: CreateSubscriptionRequest,
): Promise<IdempotentResult<SubscriptionView, never>> {
  const { db, clock, transactions, publicUrl } = deps;
  const now = clock.now();
  const built = buildSubscription(deps, request.sellerId, input, now);
  const { subscription, first, authorization } = built;
  return runIdempotent<SubscriptionView, never>(
    db,
    { ...keyed(request, now), recordId: subscription.id },
    async (trx) => {
      await insertSubscription(trx, subscription);
      if (first !== null) await insertInvoice(trx, first.invoice, first.attempt);
      if (authorization !== null) await insertAuthorization(trx, authorization, now);
      const { amount, status } = subscription;
      const after = { amount, status };
      await recordSubscriptionAudit(trx, actor, {
        subscription,
        action: 'subscription.created',
        before: null,
        after,
      });
      await writeCreationMail(trx, subscription, now);
      await recordMovement(trx, null, subscription);
      transactions.notifyWorker();
      // The first invoice of journeys 3 and 4 is PENDING.
      const record = { ...subscription, scheduledDates: [], authorization };
      return { kind: 'done', response: viewSubscription(record, { now, publicUrl }) };
    },
  );
}

const keyed = (
  {
    sellerId,
    idempotencyKey: key,
    bodyHash,
  }: Pick<CreateSubscriptionRequest, 'sellerId' | 'idempotencyKey' | 'bodyHash'>,
  now: Date,
) => ({
  sellerId,
  operation: CREATE_SUBSCRIPTION_OPERATION,
  key,
  bodyHash,
  now,
  isResponse: isSubscriptionView,
});

const isSubscriptionView = (stored: unknown): stored is SubscriptionView =>
  typeof stored === 'object' && stored !== null && 'interval' in stored;

async function find({ db }: SubscriptionDeps, key: SubscriptionKey): Promise<SubscriptionRecord | undefined> {
  return isUuid(key.id) ? findSubscription(db, key) : undefined;
}

/** Finds the subscription whose payer's page a token opens. */
async function findByPayerToken(
  { db }: SubscriptionDeps,
  token: string,
): Promise<SubscriptionRecord | undefined> {
  const id = idOfPaymentToken(token);
  const found = id === undefined ? undefined : await findSubscriptionById(db, id);
  if (found === undefined) return undefined;
  return opensPayment(token, { id: found.id, paymentSecret: found.payerSecret }) ? found : undefined;
}

const list = ({ db }: SubscriptionDeps, sellerId: string, filter: SubscriptionFilter, page: Page) =>
  onShardOf(db, sellerId, (shard) =>
    countedPage(
      findSubscriptions(shard, sellerId, filter, page),
      countSubscriptions(shard, sellerId, filter),
    ),
  );

export type ChangeResult =
  | { readonly kind: 'changed'; readonly subscription: SubscriptionRecord }
  /** The payer has authorized this amount. */
  | { readonly kind: 'amount-fixed' }
  | { readonly kind: 'impossible'; readonly from: SubscriptionStatus; readonly to: SubscriptionStatus }
  | { readonly kind: 'unknown' };

/** Changes the given members, which take effect from the next cycle. */
async function update(
  { db, clock, transactions }: SubscriptionDeps,
  key: SubscriptionKey,
  changes: SubscriptionChanges,
  actor: AuditActor,
): Promise<ChangeResult> {
  if (!isUuid(key.id)) return { kind: 'unknown' };
  const now = clock.now();
  const result = await db.transaction().execute(async (trx): Promise<ChangeResult> => {
    const before = await lockSubscription(trx, key);
    if (before === undefined) return { kind: 'unknown' };
    const isFixed = before.method === 'PIX_AUTOMATICO' && before.amountType === 'FIXED';
    if (isFixed && changes.amount !== undefined && changes.amount !== before.amount)
      return { kind: 'amount-fixed' };
    // Another card is checked anew, and has another first payment.
    const ofCard = changes.cardTokenId === undefined ? {} : { cardCheckedCycle: -1, networkReference: null };
    const after = { ...before, ...changes, ...ofCard, version: before.version + 1, updatedAt: now };
    await updateSubscription(trx, after);
    // A card that the payer has saved for it, and that is charged no more.
    if (before.cardTokenId !== null && before.cardTokenId !== after.cardTokenId)
      await deleteTokenOfPayer(trx, { sellerId: key.sellerId, id: before.cardTokenId });
    const changed = { before: { changed: [] }, after: { changed: Object.keys(changes) } };
    await recordSubscriptionAudit(trx, actor, {
      subscription: after,
      action: 'subscription.updated',
      ...changed,
    });
    const subscription = await findRecord(trx, key);
    await publishEvent(trx, subscriptionUpdated(subscription));
    await recordMovement(trx, before, after);
    return { kind: 'changed', subscription };
  });
  transactions.notifyWorker();
  return result;
}

/** The payer gives another card. It is charged what is unpaid at once. */
async function changeCardOfPayer(
  deps: SubscriptionDeps,
  key: SubscriptionKey,
  cardTokenId: string,
  actor: AuditActor,
): Promise<ChangeResult> {
  const result = await update(deps, key, { cardTokenId }, actor);
  if (result.kind === 'changed' && result.subscription.invoices > 0)
    await retry(deps, key, result.subscription.invoices, actor);
  return result;
}

async function findRecord(trx: DatabaseTransaction, key: SubscriptionKey): Promise<SubscriptionRecord> {
  const record = await findSubscription(trx, key);
  if (record === undefined) throw new Error(`subscription ${key.id} is missing after a change`);
  return record;
}

interface StatusChange {
  readonly to: 'CANCELLED' | 'PAUSED' | 'ACTIVE';
  readonly action: Action;
}

async function change(
  { db, clock, transactions }: SubscriptionDeps,
  key: SubscriptionKey,
  { to, action }: StatusChange,
  actor: AuditActor,
): Promise<ChangeResult> {
  if (!isUuid(key.id)) return { kind: 'unknown' };
  const now = clock.now();
  const result = await db.transaction().execute(async (trx): Promise<ChangeResult> => {
    const before = await lockSubscription(trx, key);
    if (before === undefined) return { kind: 'unknown' };
    const { status: from } = before;
    // Only a payment ends PAST_DUE, and only the payer authorizes.
    const isResumed = to !== 'ACTIVE' || from === 'PAUSED';
    if (!isResumed || !canTransition(from, to)) return { kind: 'impossible', from, to };
    const subscription = await moveTo(trx, before, to, now);
    const { status } = subscription;
    await recordSubscriptionAudit(trx, actor, {
      subscription,
      action,
      before: { status: from },
      after: { status },
    });
    return { kind: 'changed', subscription: await findRecord(trx, key) };
  });
  transactions.notifyWorker();
  return result;
}

async function listInvoices({ db }: SubscriptionDeps, key: SubscriptionKey, page: Page) {
  return countedPage(findInvoices(db, key, page), countInvoices(db, key));
}

/** Recurring revenue, churn and recovered payments of the last months. */
async function summarize(
  { db, clock }: SubscriptionDeps,
  sellerId: string,
  months: number,
): Promise<RevenueMonth[]> {
  return revenueMonths(await findMonths(db, sellerId), today(clock.now()), months);
}

export type RetryResult =
  | { readonly kind: 'retried'; readonly invoice: InvoiceWithAttempts }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'unknown-subscription' }
  | { readonly kind: 'unknown-invoice' };

/** A charge reaches the payer's bank two days before its date. */
const BANK_LEAD_DAYS = 2;
/** Far more than an invoice has. */
const MAX_ATTEMPTS = 1_000;

/** Charges an invoice again now that has failed or waits for its next attempt. */
async function retry(
  { db, clock }: SubscriptionDeps,
  { sellerId, id }: SubscriptionKey,
  number: number,
  actor: AuditActor,
): Promise<RetryResult> {
  if (!isUuid(id)) return { kind: 'unknown-subscription' };
  const now = clock.now();
  const key: InvoiceKey = { sellerId, subscriptionId: id, number };
  return db.transaction().execute(async (trx): Promise<RetryResult> => {
    const subscription = await lockSubscription(trx, { sellerId, id });
    if (subscription === undefined) return { kind: 'unknown-subscription' };
    const before = await findInvoice(trx, key);
    const attempts = await findAttempts(trx, key, MAX_ATTEMPTS);
    if (before === undefined) return { kind: 'unknown-invoice' };
    if (!isRetryable(subscription, before) || attempts.at(-1)?.state !== 'FAILED')
      return { kind: 'impossible' };
    const invoice: Invoice = {
      ...before,
      status: 'PENDING',
      retriesLeft: before.status === 'FAILED' ? 0 : before.retriesLeft,
      retryAt: now,
      retryDate: subscription.method === 'PIX_AUTOMATICO' ? addDays(today(now), BANK_LEAD_DAYS) : today(now),
      updatedAt: now,
    };
    await updateInvoice(trx, invoice);
    const after = { number, status: invoice.status };
    const action = 'subscription.invoice-retried';
    const at = { subscription: { ...subscription, updatedAt: now } };
    await recordSubscriptionAudit(trx, actor, { ...at, action, before: null, after });
    return { kind: 'retried', invoice: { invoice, attempts } };
  });
}

/** While a bank retries a charge by itself, there is no other one. */
const isRetryable = ({ status, method }: Subscription, invoice: Invoice): boolean =>
  (!hasEnded(status) || status === 'COMPLETED') &&
  status !== 'PENDING' &&
  (invoice.status === 'FAILED' || (method !== 'PIX_AUTOMATICO' && invoice.retryAt !== null));

/** Returns false if the method has no simulated outcomes. */
async function simulateOutcome(
  { db }: SubscriptionDeps,
  subscription: Subscription,
  outcome: SimulatedOutcome,
): Promise<boolean> {
  const { method } = subscription;
  if (method !== 'CREDIT_CARD' && method !== 'PIX_AUTOMATICO') return false;
  await setNextOutcome(db, subscription, outcome);
  return true;
}
