import { Type } from 'typebox';

import type { Clock } from '#clock.ts';
import { commonErrors, envelope, ok, Timestamp } from '#http/envelope.ts';
import { ErrorBody, HttpError } from '#http/errors.ts';
import { callingSeller } from '#http/guard.ts';
import type { App } from '#http/server.ts';
import { makeEndToEndId } from '#pix/end-to-end-id.ts';
import type { ReportDoor } from '#providers/reports.ts';
import { TransactionMissing } from '#transactions/errors.ts';
import { TransactionSchema } from '#transactions/schema.ts';
import type { TransactionsService } from '#transactions/service.ts';
import type { Happening } from '#transactions/states.ts';
import type { Transaction } from '#transactions/transaction.ts';
import { viewTransaction } from '#transactions/views.ts';

/** The bank that the sandbox plays; the Central Bank gave this number to nobody. */
const SANDBOX_ISPB = '99999999';

const YEAR_SECONDS = 366 * 24 * 3600;

export interface SandboxDeps {
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly report: ReportDoor;
  /** Moves the domain's clock on every process. */
  readonly advanceClock: (seconds: number) => Promise<void>;
}

/** Plays the provider and the passing of time. Registered in the sandbox only: elsewhere these addresses do not exist. */
export function sandboxRoutes(app: App, { clock, transactions, report, advanceClock }: SandboxDeps): void {
  const plays: Readonly<Record<string, (transaction: Transaction) => Happening>> = {
    pay: ({ amount }) => ({ kind: 'PAYMENT', amount, paidAt: clock.now() }),
    fail: () => ({ kind: 'FAILURE', reason: 'failed at the provider' }),
    refuse: () => ({ kind: 'REFUSAL', reason: 'refused by the provider' }),
    processing: () => ({ kind: 'PROCESSING' }),
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
        switch (result.kind) {
          case 'applied':
          case 'repeated':
          case 'late':
            return ok(viewTransaction(result.transaction));
          case 'impossible':
            throw new HttpError(422, `Transaction cannot go from ${result.from} to ${result.to}`);
          case 'wrong-amount':
            throw new HttpError(422, 'Amount differs from the transaction');
          case 'unknown':
            throw new TransactionMissing();
        }
      },
    );
  }

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
      await advanceClock(request.body.advanceSeconds);
      return ok({ now: clock.now().toISOString(), offsetSeconds: Math.floor(clock.offsetMs / 1000) });
    },
  );
}
