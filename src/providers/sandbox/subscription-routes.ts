import { Type } from 'typebox';

import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { generateEndToEndId } from '#formats/pix/end-to-end-id.ts';
import type { ProviderEventHandler } from '#payments/provider-events/handler.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import type { Db } from '#platform/database/connect.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { invalidTransition } from '#subscriptions/errors.ts';
import { FOUND } from '#subscriptions/examples.ts';
import { NextOutcomeBody, SubscriptionSchema } from '#subscriptions/schema.ts';
import type { SubscriptionsService } from '#subscriptions/service.ts';
import type {
  AuthorizationStatus,
  SubscriptionRecord,
  SubscriptionStatus,
} from '#subscriptions/subscription.ts';
import { viewSubscription } from '#subscriptions/views.ts';
import { planDebit } from './store-scheduled-events.ts';

const SANDBOX_ISPB = '99999999';

interface Simulation {
  readonly summary: string;
  readonly description: string;
  readonly from: readonly SubscriptionStatus[];
  readonly to: SubscriptionStatus;
  readonly bankStatus: AuthorizationStatus;
}

const SIMULATIONS: Readonly<Record<'authorize' | 'reject' | 'expire' | 'revoke', Simulation>> = {
  authorize: {
    summary: 'Simulate an authorization',
    description:
      'Authorizes a Pix Automático subscription as its payer would at the bank. Afterward, ' +
      'the sandbox bank pays each cycle on its day. In journey 3, it also pays one cycle ' +
      'immediately. Returns the subscription, which becomes ACTIVE.',
    from: ['PENDING'],
    to: 'ACTIVE',
    bankStatus: 'APROVADA',
  },
  reject: {
    summary: 'Simulate a rejection',
    description:
      'Rejects a Pix Automático authorization as its payer would at the bank. Returns the ' +
      'subscription, which becomes REJECTED.',
    from: ['PENDING'],
    to: 'REJECTED',
    bankStatus: 'REJEITADA',
  },
  expire: {
    summary: 'Simulate an expiration',
    description:
      'Expires a Pix Automático authorization that its payer has not answered at the bank. Returns the ' +
      'subscription, which becomes EXPIRED.',
    from: ['PENDING'],
    to: 'EXPIRED',
    bankStatus: 'EXPIRADA',
  },
  revoke: {
    summary: 'Simulate a revocation',
    description:
      'Revokes a Pix Automático authorization as its payer would at the bank. Returns the ' +
      'subscription, which becomes CANCELLED.',
    from: ['ACTIVE', 'PAST_DUE', 'PAUSED'],
    to: 'CANCELLED',
    bankStatus: 'CANCELADA',
  },
};

export interface SandboxSubscriptionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly subscriptions: SubscriptionsService;
  readonly transactions: TransactionsService;
  readonly handleEvent: ProviderEventHandler;
  readonly publicUrl: string;
}

const Params = Type.Object({ id: Type.String() });

/** Simulates the payer of a subscription, and the payer's bank. Registered in the sandbox only. */
export function sandboxSubscriptionRoutes(app: App, deps: SandboxSubscriptionDeps): void {
  for (const name of ['authorize', 'reject', 'expire', 'revoke'] as const)
    registerSimulation(app, deps, name);
  registerNextOutcome(app, deps);
}

function registerSimulation(app: App, deps: SandboxSubscriptionDeps, name: keyof typeof SIMULATIONS): void {
  const { summary, description, from, to, bankStatus } = SIMULATIONS[name];
  app.post(
    `/sandbox/subscriptions/:id/${name}`,
    {
      config: { access: 'sandbox:simulate' },
      schema: {
        operationId: `sandbox${name.charAt(0).toUpperCase()}${name.slice(1)}Subscription`,
        summary,
        description,
        errors: ['subscription_not_found', invalidTransition('COMPLETED', to)],
        examples: { response: FOUND },
        tags: ['Sandbox'],
        params: Params,
        response: { 200: envelope(SubscriptionSchema) },
      },
    },
    async (request) => {
      const { subscriptions } = deps;
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const before = await subscriptions.find(key);
      if (before === undefined) throw new HttpError('subscription_not_found');
      if (before.authorization === null || !from.includes(before.status))
        throw invalidTransition(before.status, to);
      if (name === 'authorize') await payFirst(deps, before);
      const after = await subscriptions.applyAuthorization(key, { status: bankStatus });
      if (after === undefined) throw new HttpError('subscription_not_found');
      if (after.status !== to) throw invalidTransition(after.status, to);
      return ok(viewSubscription(after, { now: deps.clock.now(), publicUrl: deps.publicUrl }));
    },
  );
}

/**
 * Pays what the payer's scan of a composite code pays: now in journey 3, on its day in journey 4.
 */
async function payFirst(
  { db, clock, subscriptions, transactions, handleEvent }: SandboxSubscriptionDeps,
  { sellerId, id, authorization, startDate }: SubscriptionRecord,
): Promise<void> {
  if (authorization?.journey !== 3 && authorization?.journey !== 4) return;
  const transactionId = await subscriptions.findFirstTransaction({ sellerId, id });
  if (transactionId === null) return;
  const transaction = await untilCreated(() => transactions.find({ sellerId, id: transactionId }));
  if (transaction === undefined) throw invalidTransition('PENDING', 'ACTIVE');
  if (authorization.journey === 4) {
    await planDebit(db, { sellerId, transactionId: transaction.id, dueAt: startOfSaoPauloDay(startDate) });
    return;
  }
  const now = clock.now();
  await handleEvent({
    provider: 'sandbox',
    eventId: generateEndToEndId(SANDBOX_ISPB, now),
    sellerId,
    transactionId: transaction.id,
    occurredAt: now,
    event: {
      kind: 'PAYMENT',
      amount: transaction.amount,
      paidAt: now,
    },
  });
}

const WAIT_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/** The worker creates the first payment soon after the subscription. */
async function untilCreated<T>(find: () => Promise<T | undefined>): Promise<T | undefined> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

function registerNextOutcome(app: App, { subscriptions, clock, publicUrl }: SandboxSubscriptionDeps): void {
  app.post(
    '/sandbox/subscriptions/:id/next-outcome',
    {
      config: { access: 'sandbox:simulate' },
      schema: {
        operationId: 'sandboxSetNextOutcome',
        summary: 'Simulate the next outcome',
        description:
          'Sets the outcome of the next attempt of a PIX_AUTOMATICO or CREDIT_CARD subscription. ' +
          'Later attempts succeed again. CARD_EXPIRED is not retried. Returns the subscription.',
        errors: ['subscription_not_found', 'outcome_not_simulated'],
        examples: { body: { 'No money': { outcome: 'INSUFFICIENT_FUNDS' } }, response: FOUND },
        tags: ['Sandbox'],
        params: Params,
        body: NextOutcomeBody,
        response: { 200: envelope(SubscriptionSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const subscription = await subscriptions.find(key);
      if (subscription === undefined) throw new HttpError('subscription_not_found');
      if (!(await subscriptions.simulateOutcome(subscription, request.body.outcome)))
        throw new HttpError('outcome_not_simulated');
      return ok(viewSubscription(subscription, { now: clock.now(), publicUrl }));
    },
  );
}
