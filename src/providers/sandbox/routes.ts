import { Type, type Static } from 'typebox';

import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { envelope, ok, Timestamp } from '#platform/http/envelope.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { generateEndToEndId } from '#formats/pix/end-to-end-id.ts';
import type { DisputesService } from '#payments/disputes/service.ts';
import type { ProviderEventHandler } from '#payments/provider-events/handler.ts';
import { unwrapChange, EVENT_ALREADY_USED, TransactionNotFoundError } from '#payments/transactions/errors.ts';
import { TransactionSchema } from '#payments/transactions/schema.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';
import type { NamedExamples } from '#platform/openapi/route-schema.ts';
import { camelCase } from '#platform/openapi/camel-case.ts';
import * as shown from '#payments/transactions/examples.ts';
import { viewTransaction } from '#payments/transactions/views.ts';

/** The bank that the sandbox plays; the Central Bank gave this number to nobody. */
const SANDBOX_ISPB = '99999999';

const YEAR_SECONDS = 366 * 24 * 3600;

const AMOUNT_DIFFERS = 'Amount differs from the transaction';

/** How a payment differs from the good one that is played otherwise. */
const PayBody = Type.Object({
  amount: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_AMOUNT_CENTS,
      description: "Cents that come; the charge's amount unless told.",
    }),
  ),
  reportId: Type.Optional(
    Type.String({
      format: 'filled',
      maxLength: 100,
      description:
        "The provider's id of the payment. The same id is the same payment; a new one unless told.",
    }),
  ),
});
type PaymentOverrides = Static<typeof PayBody>;

interface Simulation {
  readonly summary: string;
  readonly eventOf: (transaction: Transaction, overrides: PaymentOverrides) => TransactionEvent;
  /** How it is refused where the charge is elsewhere. */
  readonly refusal: string;
  readonly answer: NamedExamples;
  /** What a play that takes a body has beside. */
  readonly options?: {
    readonly description: string;
    readonly body: typeof PayBody;
    readonly refusals: readonly string[];
    readonly shown: NamedExamples;
  };
}

export interface SandboxDeps {
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly disputes: DisputesService;
  readonly handleEvent: ProviderEventHandler;
  /** Moves the domain's clock on every process. */
  readonly advanceClock: (seconds: number, author: AuditActor) => Promise<void>;
}

/** Plays the provider and the passing of time. Registered in the sandbox only: elsewhere these addresses do not exist. */
export function sandboxRoutes(
  app: App,
  { clock, transactions, disputes, handleEvent, advanceClock }: SandboxDeps,
): void {
  const simulations: Readonly<Record<string, Simulation>> = {
    pay: {
      summary: 'Pay a charge, as the payer would',
      eventOf: ({ amount }, overrides) => ({
        kind: 'PAYMENT',
        amount: overrides.amount ?? amount,
        paidAt: clock.now(),
      }),
      refusal: 'Transaction cannot go from REFUNDED to PAID',
      options: {
        description:
          'Without a body the whole amount comes. Money that is not the seller’s (a second payment, another amount, a charge that has ended) is returned to the payer.',
        body: PayBody,
        refusals: [AMOUNT_DIFFERS, EVENT_ALREADY_USED],
        shown: { 'Another amount, under an id of yours': { amount: 14969, reportId: 'payment 1' } },
      },
      answer: shown.FOUND,
    },
    fail: {
      summary: 'Fail a charge, as the provider would',
      eventOf: () => ({ kind: 'FAILURE', reason: 'failed at the provider' }),
      refusal: 'Transaction cannot go from PAID to FAILED',
      answer: shown.FAILED,
    },
    refuse: {
      summary: 'Refuse a charge, as anti-fraud review would',
      eventOf: () => ({ kind: 'REFUSAL', reason: 'refused by the provider' }),
      refusal: 'Transaction cannot go from PAID to REFUSED',
      answer: shown.REFUSED,
    },
    processing: {
      summary: 'Say that a payment is under way',
      eventOf: () => ({ kind: 'PROCESSING' }),
      refusal: 'Transaction cannot go from PAID to PROCESSING',
      answer: shown.PROCESSING,
    },
    chargeback: {
      summary: "Charge a payment back, as the card's bank would",
      eventOf: () => ({ kind: 'CHARGEBACK' }),
      refusal: 'Transaction cannot go from PENDING to CHARGEDBACK',
      answer: shown.CHARGED_BACK,
    },
  };

  for (const [name, { eventOf, options, ...simulation }] of Object.entries(simulations)) {
    app.post(
      `/sandbox/transactions/:id/${name}`,
      {
        config: { access: 'sandbox:simulate' },
        schema: {
          operationId: camelCase(`sandbox ${name} transaction`),
          summary: simulation.summary,
          refusals: {
            404: ['Transaction not found'],
            422: [simulation.refusal, ...(options?.refusals ?? [])],
          },
          examples: { answer: simulation.answer, ...(options === undefined ? {} : { body: options.shown }) },
          tags: ['Sandbox'],
          params: Type.Object({ id: Type.String() }),
          ...(options === undefined ? {} : { description: options.description, body: options.body }),
          response: { 200: envelope(TransactionSchema) },
        },
      },
      async (request) => {
        const sellerId = callingSeller(request).id;
        const overrides: PaymentOverrides = options === undefined ? {} : (request.body ?? {});
        const transaction = await transactions.find({ sellerId, id: request.params.id });
        if (transaction === undefined) throw new TransactionNotFoundError();
        const occurredAt = clock.now();
        const result = await handleEvent({
          provider: 'sandbox',
          eventId: overrides.reportId ?? generateEndToEndId(SANDBOX_ISPB, occurredAt),
          sellerId,
          transactionId: transaction.id,
          event: eventOf(transaction, overrides),
          occurredAt,
          transaction,
        });
        if (result.kind === 'repeated') return ok(viewTransaction(result.transaction));
        return ok(viewTransaction(unwrapChange(result, AMOUNT_DIFFERS)));
      },
    );
  }

  app.post(
    '/sandbox/transactions/:id/dispute',
    {
      config: { access: 'sandbox:simulate' },
      schema: {
        operationId: 'sandboxOpenDispute',
        summary: 'Open a dispute, as the payer would at their bank',
        tags: ['Sandbox'],
        refusals: { 404: ['Transaction not found'], 422: ['Transaction cannot go from PENDING to DISPUTE'] },
        examples: { answer: shown.DISPUTED },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(TransactionSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const input = { reason: 'opened by the payer', amount: null, by: 'PAYER' as const };
      const opened = await disputes.open(key, input);
      if (opened.kind === 'refused') unwrapChange(opened.result, AMOUNT_DIFFERS);
      const transaction = await transactions.find(key);
      if (transaction === undefined) throw new TransactionNotFoundError();
      return ok(viewTransaction(transaction));
    },
  );

  app.post(
    '/sandbox/clock',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'advanceClock',
        summary: "Move the domain's clock forward",
        tags: ['Sandbox'],
        description:
          'Expiries, releases, retries and deadlines come as if the time had passed. It never goes back.',
        examples: {
          body: { 'A day': { advanceSeconds: 86_400 } },
          answer: { 'The time now': ok({ now: '2026-11-21T12:00:00.000Z', offsetSeconds: 86_400 }) },
        },
        body: Type.Object({ advanceSeconds: Type.Integer({ minimum: 1, maximum: 10 * YEAR_SECONDS }) }),
        response: {
          200: envelope(Type.Object({ now: Timestamp, offsetSeconds: Type.Integer() })),
        },
      },
    },
    async (request) => {
      await advanceClock(request.body.advanceSeconds, auditActorOf(request));
      return ok({ now: clock.now().toISOString(), offsetSeconds: Math.floor(clock.offsetMs / 1000) });
    },
  );
}
