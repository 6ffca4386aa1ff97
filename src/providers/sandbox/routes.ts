import { Type, type Static } from 'typebox';

import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { envelope, ok, timestamp } from '#platform/http/envelope.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import type { HttpError } from '#platform/http/errors.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { generateEndToEndId } from '#formats/pix/end-to-end-id.ts';
import type { DisputesService } from '#payments/disputes/service.ts';
import type { ProviderEventHandler } from '#payments/provider-events/handler.ts';
import {
  AMOUNT_RULES,
  amountNotAllowed,
  invalidTransition,
  TransactionNotFoundError,
  unwrapChange,
} from '#payments/transactions/errors.ts';
import { TransactionSchema } from '#payments/transactions/schema.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { PixPayer, Transaction } from '#payments/transactions/transaction.ts';
import type { DocumentedErrors, NamedExamples } from '#platform/openapi/route-schema.ts';
import { camelCase } from '#platform/openapi/camel-case.ts';
import * as examples from '#payments/transactions/examples.ts';
import { viewTransaction } from '#payments/transactions/views.ts';

/** ISPB of the fictitious bank, unassigned by the Central Bank. */
const SANDBOX_ISPB = '99999999';

const YEAR_SECONDS = 366 * 24 * 3600;

/** Overrides of the simulated payment. */
const PayBody = Type.Object({
  amount: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_AMOUNT_CENTS,
      description: "Amount paid, in cents. Defaults to the transaction's amount.",
    }),
  ),
  reportId: Type.Optional(
    Type.String({
      format: 'filled',
      maxLength: 100,
      description: "The provider's id of the payment. The same id is the same payment. Defaults to a new id.",
    }),
  ),
});
type PaymentOverrides = Static<typeof PayBody>;

/** A provider event that a seller can simulate. */
interface Simulation {
  readonly summary: string;
  readonly description: string;
  readonly eventOf: (transaction: Transaction, now: Date, overrides: PaymentOverrides) => TransactionEvent;
  /** Error if the transaction's status does not allow the event. */
  readonly error: HttpError;
  readonly response: NamedExamples;
  /** Of a simulation that accepts a body. */
  readonly options?: {
    readonly body: typeof PayBody;
    readonly errors: DocumentedErrors;
    readonly examples: NamedExamples;
  };
}

const SIMULATIONS: Readonly<Record<string, Simulation>> = {
  pay: {
    summary: 'Simulate a payment',
    description:
      'Pays a transaction as its payer would, in full unless `amount` says otherwise. Returns the ' +
      'transaction, which becomes PAID. A second payment or a different amount leaves the transaction ' +
      'unchanged and is recorded and returned to the payer; the response is 422. A payment of a FAILED or ' +
      'REFUSED transaction is also returned to the payer, but the response is 200 with the unchanged ' +
      'transaction.',
    eventOf: ({ amount }, now, overrides) => ({
      kind: 'PAYMENT',
      amount: overrides.amount ?? amount,
      paidAt: now,
    }),
    error: invalidTransition('REFUNDED', 'PAID'),
    options: {
      body: PayBody,
      errors: [amountNotAllowed(AMOUNT_RULES.payment), 'event_already_used'],
      examples: { 'Another amount and your own id': { amount: 14969, reportId: 'payment 1' } },
    },
    response: examples.FOUND,
  },
  fail: {
    summary: 'Simulate a failure',
    description:
      'Ends a transaction as if the provider had failed to process it. Returns the ' +
      'transaction, which becomes FAILED.',
    eventOf: () => ({ kind: 'FAILURE', reason: 'failed at the provider' }),
    error: invalidTransition('PAID', 'FAILED'),
    response: examples.FAILED,
  },
  refuse: {
    summary: 'Simulate a refusal',
    description:
      'Ends a PENDING or PROCESSING transaction as if the provider had refused it. Returns the ' +
      'transaction, which becomes REFUSED.',
    eventOf: () => ({ kind: 'REFUSAL', reason: 'refused by the provider' }),
    error: invalidTransition('PAID', 'REFUSED'),
    response: examples.REFUSED,
  },
  processing: {
    summary: 'Mark a payment as processing',
    description:
      'Reports that the provider has begun to process the payment. Returns the ' +
      'transaction, which becomes PROCESSING.',
    eventOf: () => ({ kind: 'PROCESSING' }),
    error: invalidTransition('PAID', 'PROCESSING'),
    response: examples.PROCESSING,
  },
  chargeback: {
    summary: 'Simulate a chargeback',
    description:
      'Simulates a chargeback of a PAID transaction, as if the cardholder had won a dispute with the ' +
      'issuer. Returns the transaction, which becomes CHARGEDBACK.',
    eventOf: () => ({ kind: 'CHARGEBACK' }),
    error: invalidTransition('PENDING', 'CHARGEDBACK'),
    response: examples.CHARGED_BACK,
  },
};

export interface SandboxDeps {
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly disputes: DisputesService;
  readonly handleEvent: ProviderEventHandler;
  readonly publicUrl: string;
  /** Advances the domain clock of all processes. */
  readonly advanceClock: (seconds: number, author: AuditActor) => Promise<void>;
}

/** Simulates the provider and the passing of time. Registered in the sandbox only. */
export function sandboxRoutes(app: App, deps: SandboxDeps): void {
  for (const [name, simulation] of Object.entries(SIMULATIONS)) {
    registerSimulation(app, deps, name, simulation);
  }
  registerOpenDispute(app, deps);
  registerAdvanceClock(app, deps);
}

function registerSimulation(
  app: App,
  { clock, transactions, handleEvent, publicUrl }: SandboxDeps,
  name: string,
  { eventOf, options, ...simulation }: Simulation,
): void {
  app.post(
    `/sandbox/transactions/:id/${name}`,
    {
      config: { access: 'sandbox:simulate' },
      schema: {
        operationId: camelCase(`sandbox ${name} transaction`),
        summary: simulation.summary,
        description: simulation.description,
        errors: ['transaction_not_found', simulation.error, ...(options?.errors ?? [])],
        examples: {
          response: simulation.response,
          ...(options === undefined ? {} : { body: options.examples }),
        },
        tags: ['Sandbox'],
        params: Type.Object({ id: Type.String() }),
        ...(options === undefined ? {} : { body: options.body }),
        response: { 200: envelope(TransactionSchema) },
      },
    },
    async (request) => {
      const sellerId = callingSeller(request).id;
      const overrides: PaymentOverrides = options === undefined ? {} : (request.body ?? {});
      const transaction = await transactions.find({ sellerId, id: request.params.id });
      if (transaction === undefined) throw new TransactionNotFoundError();
      const now = clock.now();
      const result = await handleEvent({
        provider: 'sandbox',
        eventId: overrides.reportId ?? generateEndToEndId(SANDBOX_ISPB, now),
        sellerId,
        transactionId: transaction.id,
        event: eventOf(transaction, now, overrides),
        occurredAt: now,
        transaction,
        payer: payerOf(transaction),
      });
      const changed =
        result.kind === 'repeated' ? result.transaction : unwrapChange(result, AMOUNT_RULES.payment);
      return ok(viewTransaction(changed, publicUrl));
    },
  );
}

/** The customer pays, from the fictitious bank. */
const payerOf = ({ method, customer: { name, document } }: Transaction): PixPayer | null =>
  method === 'PIX' ? { name, document, ispb: SANDBOX_ISPB } : null;

function registerOpenDispute(app: App, { transactions, disputes, publicUrl }: SandboxDeps): void {
  app.post(
    '/sandbox/transactions/:id/dispute',
    {
      config: { access: 'sandbox:simulate' },
      schema: {
        operationId: 'sandboxOpenDispute',
        summary: 'Simulate a dispute',
        description:
          'Opens a dispute of a PAID transaction, as if the payer had contacted their bank. Returns ' +
          'the transaction, which becomes DISPUTE.',
        tags: ['Sandbox'],
        errors: [
          'transaction_not_found',
          invalidTransition('PENDING', 'DISPUTE'),
          amountNotAllowed(AMOUNT_RULES.dispute),
        ],
        examples: { response: examples.DISPUTED },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(TransactionSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const input = { reason: 'opened by the payer', amount: null, by: 'PAYER' as const };
      const opened = await disputes.open(key, input);
      if (opened.kind === 'refused') unwrapChange(opened.result, AMOUNT_RULES.dispute);
      const transaction = await transactions.find(key);
      if (transaction === undefined) throw new TransactionNotFoundError();
      return ok(viewTransaction(transaction, publicUrl));
    },
  );
}

function registerAdvanceClock(app: App, { clock, advanceClock }: SandboxDeps): void {
  app.post(
    '/sandbox/clock',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'advanceClock',
        summary: 'Advance the clock',
        description:
          'Moves the clock of the gateway forward. Expirations, releases, retries and ' +
          'deadlines take effect as if the time had passed. Use it to test them without ' +
          'waiting. The clock cannot be set back. Returns the new time.',
        tags: ['Sandbox'],
        examples: {
          body: { 'One day': { advanceSeconds: 86_400 } },
          response: { 'The new time': ok({ now: '2026-11-21T12:00:00.000Z', offsetSeconds: 86_400 }) },
        },
        body: Type.Object({
          advanceSeconds: Type.Integer({
            minimum: 1,
            maximum: 10 * YEAR_SECONDS,
            description: 'Seconds to move the clock forward.',
          }),
        }),
        response: {
          200: envelope(
            Type.Object(
              {
                now: timestamp('The time of the clock.'),
                offsetSeconds: Type.Integer({
                  description: 'How many seconds the clock is ahead of real time.',
                }),
              },
              { title: 'Clock', description: 'The clock of the gateway.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      await advanceClock(request.body.advanceSeconds, auditActorOf(request));
      return ok({ now: clock.now().toISOString(), offsetSeconds: Math.floor(clock.offsetMs / 1000) });
    },
  );
}
