import { Type } from 'typebox';

import type { Author } from '#author.ts';
import type { Clock } from '#clock.ts';
import { commonErrors, envelope, ok, Timestamp } from '#http/envelope.ts';
import { ErrorBody } from '#http/errors.ts';
import { authorOf, callingSeller } from '#http/guard.ts';
import type { App } from '#http/server.ts';
import { makeEndToEndId } from '#pix/end-to-end-id.ts';
import type { DisputesService } from '#disputes/service.ts';
import type { ReportDoor } from '../reports.ts';
import { changedOr, TransactionMissing } from '#transactions/errors.ts';
import { TransactionSchema } from '#transactions/schema.ts';
import type { TransactionsService } from '#transactions/service.ts';
import type { Happening } from '#transactions/decisions.ts';
import type { Transaction } from '#transactions/transaction.ts';
import { viewTransaction } from '#transactions/views.ts';

/** The bank that the sandbox plays; the Central Bank gave this number to nobody. */
const SANDBOX_ISPB = '99999999';

const YEAR_SECONDS = 366 * 24 * 3600;

export interface SandboxDeps {
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly disputes: DisputesService;
  readonly report: ReportDoor;
  /** Moves the domain's clock on every process. */
  readonly advanceClock: (seconds: number, author: Author) => Promise<void>;
}

/** Plays the provider and the passing of time. Registered in the sandbox only: elsewhere these addresses do not exist. */
export function sandboxRoutes(
  app: App,
  { clock, transactions, disputes, report, advanceClock }: SandboxDeps,
): void {
  const plays: Readonly<Record<string, (transaction: Transaction) => Happening>> = {
    pay: ({ amount }) => ({ kind: 'PAYMENT', amount, paidAt: clock.now() }),
    fail: () => ({ kind: 'FAILURE', reason: 'failed at the provider' }),
    refuse: () => ({ kind: 'REFUSAL', reason: 'refused by the provider' }),
    processing: () => ({ kind: 'PROCESSING' }),
    chargeback: () => ({ kind: 'CHARGEBACK' }),
  };

  for (const [name, happeningOf] of Object.entries(plays)) {
    app.post(
      `/sandbox/transactions/:id/${name}`,
      {
        config: { access: 'sandbox:play' },
        schema: {
          summary: `Report, as the provider would: ${name}`,
          tags: ['Sandbox'],
          params: Type.Object({ id: Type.String() }),
          response: { 200: envelope(TransactionSchema), 404: ErrorBody, 422: ErrorBody, ...commonErrors },
        },
      },
      async (request) => {
        const sellerId = callingSeller(request).id;
        const transaction = await transactions.find({ sellerId, id: request.params.id });
        if (transaction === undefined) throw new TransactionMissing();
        const occurredAt = clock.now();
        const result = await report({
          provider: 'sandbox',
          reportId: makeEndToEndId(SANDBOX_ISPB, occurredAt),
          sellerId,
          transactionId: transaction.id,
          happening: happeningOf(transaction),
          occurredAt,
        });
        if (result.kind === 'repeated') return ok(viewTransaction(result.transaction));
        return ok(viewTransaction(changedOr(result, 'Amount differs from the transaction')));
      },
    );
  }

  app.post(
    '/sandbox/transactions/:id/dispute',
    {
      config: { access: 'sandbox:play' },
      schema: {
        summary: 'Open a dispute, as the payer would at their bank',
        tags: ['Sandbox'],
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(TransactionSchema), 404: ErrorBody, 422: ErrorBody, ...commonErrors },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const wanted = { reason: 'opened by the payer', amount: null, by: 'PAYER' as const };
      const opened = await disputes.open(key, wanted);
      if (opened.kind === 'refused') changedOr(opened.result, 'Amount differs from the transaction');
      const transaction = await transactions.find(key);
      if (transaction === undefined) throw new TransactionMissing();
      return ok(viewTransaction(transaction));
    },
  );

  app.post(
    '/sandbox/clock',
    {
      config: { access: 'operator:write' },
      schema: {
        summary: "Move the domain's clock forward",
        tags: ['Sandbox'],
        body: Type.Object({ advanceSeconds: Type.Integer({ minimum: 1, maximum: 10 * YEAR_SECONDS }) }),
        response: {
          200: envelope(Type.Object({ now: Timestamp, offsetSeconds: Type.Integer() })),
          ...commonErrors,
        },
      },
    },
    async (request) => {
      await advanceClock(request.body.advanceSeconds, authorOf(request));
      return ok({ now: clock.now().toISOString(), offsetSeconds: Math.floor(clock.offsetMs / 1000) });
    },
  );
}
