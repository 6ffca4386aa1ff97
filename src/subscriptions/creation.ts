import { randomUUID } from 'node:crypto';

import { newId } from '#platform/kit/ids.ts';
import { toAuthorizationRequest } from './authorizations.ts';
import { initialStatus, newInvoice, openCycle, today, type Opened } from './decisions.ts';
import type { SubscriptionDeps } from './deps.ts';
import type { CustomerInput } from './payer.ts';
import type { Authorization } from './store-authorizations.ts';
import type { Journey, PayerAccount, Subscription, SubscriptionInput } from './subscription.ts';

export interface BuiltSubscription {
  readonly subscription: Subscription;
  /** The payment that the payer makes while authorizing: journeys 3 and 4. */
  readonly first: Pick<Opened, 'invoice' | 'attempt'> | null;
  readonly authorization: Authorization | null;
}

/** Builds a new subscription, and the authorization that its payer must give. */
export function buildSubscription(
  deps: Pick<SubscriptionDeps, 'pixAutomatico'>,
  sellerId: string,
  { journey, payerAccount, ...input }: SubscriptionInput,
  now: Date,
): BuiltSubscription {
  const base: Subscription = {
    ...input,
    ...initialStatus(input),
    sellerId,
    id: newId(now.getTime()),
    version: 1,
    payerSecret: randomUUID(),
    nextCycle: 0,
    chargedCycles: 0,
    invoices: 0,
    cardCheckedCycle: -1,
    nextOutcome: null,
    networkReference: null,
    createdAt: now,
    updatedAt: now,
  };
  if (journey === null) return { subscription: base, first: null, authorization: null };
  const first = firstPayment(base, journey, now);
  const subscription = first?.subscription ?? base;
  const authorization = buildAuthorization(deps, subscription, {
    journey,
    firstTransactionId: first?.attempt.transactionId ?? null,
    payerAccount,
    now,
  });
  return { subscription, first, authorization };
}

/**
 * Journey 3 begins with a payment now; journey 4 with the first cycle, which has a code of its own.
 */
function firstPayment(before: Subscription, journey: Journey, now: Date): Opened | null {
  if (journey !== 3 && journey !== 4) return null;
  const opened = openCycle(before, now);
  const { dueAt, version } = before;
  const nextCycle = journey === 3 ? 0 : 1;
  const subscription = { ...opened.subscription, dueAt, version, nextCycle };
  const [kind, dueDate] =
    journey === 3 ? (['IMMEDIATE', today(now)] as const) : (['DATED', before.startDate] as const);
  return { subscription, ...newInvoice(subscription, { kind, dueDate, status: 'PENDING' }, now) };
}

interface AuthorizationInput {
  readonly journey: Journey;
  readonly firstTransactionId: string | null;
  readonly payerAccount: PayerAccount | null;
  readonly now: Date;
}

function buildAuthorization(
  { pixAutomatico }: Pick<SubscriptionDeps, 'pixAutomatico'>,
  subscription: Subscription,
  { journey, firstTransactionId, payerAccount, now }: AuthorizationInput,
): Authorization {
  const payer: CustomerInput = subscription.customer ?? NO_PAYER;
  const request = toAuthorizationRequest(subscription, {
    journey,
    firstTransactionId,
    payerAccount,
    payer,
    now,
  });
  const issued = pixAutomatico?.issue?.(request);
  return {
    sellerId: subscription.sellerId,
    subscriptionId: subscription.id,
    journey,
    firstTransactionId,
    payerAccount,
    provider: pixAutomatico?.name ?? '',
    idRec: issued?.idRec ?? null,
    status: issued?.status ?? 'CRIADA',
    code: issued?.code ?? null,
  };
}

/** A local bank asks for no payer. */
const NO_PAYER: CustomerInput = {
  name: '',
  email: '',
  phone: '',
  documentType: 'CPF',
  document: '',
  externalRef: null,
};
