import { createProviderCaller } from '#platform/jobs/provider-calls.ts';
import { cycleDate } from './calendar.ts';
import type { SubscriptionDeps } from './deps.ts';
import { moveTo } from './lifecycle.ts';
import { toCustomerInput, type CustomerInput } from './payer.ts';
import type { AuthorizationRequest, BankAuthorization } from './pix-automatico.ts';
import { canTransition } from './states.ts';
import {
  findAuthorizationByRec,
  leaseAuthorizations,
  postponeAuthorization,
  recordAuthorization,
  requestRead,
  type DueAuthorization,
} from './store-authorizations.ts';
import { findSubscription, lockSubscription } from './store.ts';
import type {
  AuthorizationStatus,
  Journey,
  PayerAccount,
  Subscription,
  SubscriptionKey,
  SubscriptionRecord,
  SubscriptionStatus,
} from './subscription.ts';

const DEADLINE_MS = 15_000;
const FIRST_PAYMENT_DELAY_MS = 2_000;
/** While the bank is not configured. */
const UNCONFIGURED_DELAY_MS = 600_000;
/** How often an authorization that waits for its payer is read, in case a callback is lost. */
const READ_INTERVAL_MS = 15 * 60_000;

type BankState = Partial<BankAuthorization> & Pick<BankAuthorization, 'status'>;

/**
 * Creates the job that creates, reads and ends authorizations at the bank. A repeated creation
 * finds the first one by its contract. The job returns true if more may be due.
 */
export function createAuthorizationJob(deps: SubscriptionDeps): () => Promise<boolean> {
  const { db, pixAutomaticoBanks } = deps;
  if (pixAutomaticoBanks.length === 0) return async () => false;
  return createProviderCaller<DueAuthorization, BankState>(deps, {
    name: 'pix authorization',
    failPointPrefix: 'pix-authorizations',
    deadlineMs: DEADLINE_MS,
    lease: (lease) => leaseAuthorizations(db, lease),
    prepare: (due) => prepareCall(deps, due),
    async record(due, response) {
      await applyAuthorization(deps, keyOf(due), response, due);
    },
    postpone: (due, dueAt, now) => postponeAuthorization(db, due, dueAt, now),
  });
}

const keyOf = ({ sellerId, subscriptionId: id }: DueAuthorization): SubscriptionKey => ({ sellerId, id });

async function prepareCall(
  deps: SubscriptionDeps,
  due: DueAuthorization,
): Promise<((deadline: AbortSignal) => Promise<BankState>) | undefined> {
  const { idRec, action } = due;
  const provider = deps.pixAutomaticoBanks.find(({ name }) => name === due.provider);
  if (provider === undefined) {
    deps.log.error({ provider: due.provider, id: due.id }, 'bank of an authorization is not configured');
    return postpone(deps, due, UNCONFIGURED_DELAY_MS);
  }
  if (action === 'CANCEL' && idRec !== null)
    return async (deadline) => ({ status: await provider.cancelAuthorization(idRec, deadline) });
  const request = await requestOf(deps, due);
  // It ended before the bank knew of it.
  if (request === undefined || action === 'CANCEL') return async () => ({ status: 'CANCELADA' });
  if (request === 'waiting') return postpone(deps, due, FIRST_PAYMENT_DELAY_MS);
  return (deadline) =>
    idRec === null
      ? provider.authorize(request, deadline)
      : provider.readAuthorization(request, idRec, deadline);
}

async function postpone(
  { db, clock }: SubscriptionDeps,
  due: DueAuthorization,
  delayMs: number,
): Promise<undefined> {
  const now = clock.now();
  await postponeAuthorization(db, due, new Date(now.getTime() + delayMs), now);
}

/** Undefined if the subscription has ended; 'waiting' until the first payment exists. */
async function requestOf(
  { db, clock, customers, transactions }: SubscriptionDeps,
  { sellerId, subscriptionId: id, journey, firstTransactionId, payerAccount }: DueAuthorization,
): Promise<AuthorizationRequest | 'waiting' | undefined> {
  const subscription = await findSubscription(db, { sellerId, id });
  if (subscription === undefined) return undefined;
  if (firstTransactionId !== null) {
    const first = await transactions.find({ sellerId, id: firstTransactionId });
    if (first === undefined || (journey === 3 && first.pix === null && first.status === 'PENDING'))
      return 'waiting';
  }
  const { customerId, customer } = subscription;
  const record = customerId === null ? undefined : await customers.find({ sellerId, id: customerId });
  const payer = customer ?? (record && toCustomerInput(record));
  if (payer === undefined) return undefined;
  const options = { journey, firstTransactionId, payerAccount, payer, now: clock.now() };
  return toAuthorizationRequest(subscription, options);
}

export interface AuthorizationOptions {
  readonly journey: Journey;
  readonly firstTransactionId: string | null;
  readonly payerAccount: PayerAccount | null;
  readonly payer: CustomerInput;
  readonly now: Date;
}

export function toAuthorizationRequest(
  subscription: Subscription,
  { journey, firstTransactionId, payerAccount, payer, now }: AuthorizationOptions,
): AuthorizationRequest {
  const { id, amount, amountType, minimumAmount, cycles, interval, startDate } = subscription;
  const { name, documentType, document } = payer;
  // The first payment of journey 3 is one of the cycles.
  const last = cycles === null ? null : cycles - (journey === 3 ? 2 : 1);
  return {
    subscriptionId: id,
    contract: id.replaceAll('-', ''),
    journey,
    interval,
    startDate,
    now,
    createdAt: subscription.createdAt,
    payer: {
      name,
      documentType,
      document,
    },
    payerAccount,
    description: subscription.description ?? 'Assinatura',
    endDate: last === null || last < 0 ? null : cycleDate(subscription, last),
    fixedAmountCents: amountType === 'FIXED' ? amount : null,
    minimumAmountCents: minimumAmount,
    allowsRetries: subscription.retryPolicy !== 'NONE',
    firstPayment:
      firstTransactionId === null
        ? null
        : {
            txid: firstTransactionId.replaceAll('-', ''),
            amountCents: amount,
            dueDate: startDate,
          },
  };
}

/** The status of a subscription that follows from its authorization. */
const STATUS_OF: Readonly<Record<AuthorizationStatus, SubscriptionStatus | undefined>> = {
  CRIADA: undefined,
  APROVADA: 'ACTIVE',
  REJEITADA: 'REJECTED',
  EXPIRADA: 'EXPIRED',
  CANCELADA: 'CANCELLED',
};

/** Applies the bank's state of an authorization. Returns the subscription after it. */
export async function applyAuthorization(
  deps: Pick<SubscriptionDeps, 'db' | 'clock' | 'transactions'>,
  key: SubscriptionKey,
  response: BankState,
  done: Pick<DueAuthorization, 'action' | 'dueAt'> | null = null,
): Promise<SubscriptionRecord | undefined> {
  const { db, clock, transactions } = deps;
  const now = clock.now();
  const record = await db.transaction().execute(async (trx) => {
    const before = await lockSubscription(trx, key);
    if (before === undefined) return undefined;
    await recordAuthorization(trx, key, response, { done, now });
    const status = STATUS_OF[response.status];
    // A payer cannot resume what the seller has paused.
    const isNews = status !== undefined && status !== before.status && before.status !== 'PAUSED';
    const isRevoked = status === 'CANCELLED' && before.status === 'PAUSED';
    const isFirst = status !== 'ACTIVE' || before.status === 'PENDING';
    if (status !== undefined && (isNews || isRevoked) && isFirst && canTransition(before.status, status))
      await moveTo(trx, before, status, now);
    if (done !== null && response.status === 'CRIADA')
      await requestRead(trx, key, { dueAt: new Date(now.getTime() + READ_INTERVAL_MS), now });
    return findSubscription(trx, key);
  });
  transactions.notifyWorker();
  return record;
}

/** Handles a callback about an authorization, which is then read from the bank. */
export async function handleAuthorizationHint(
  { db, clock }: Pick<SubscriptionDeps, 'db' | 'clock'>,
  idRec: string,
): Promise<boolean> {
  const authorization = await findAuthorizationByRec(db, idRec);
  if (authorization === undefined) return false;
  const { sellerId, subscriptionId: id } = authorization;
  const now = clock.now();
  await requestRead(db, { sellerId, id }, { dueAt: now, now });
  return true;
}
