import { randomUUID } from 'node:crypto';

import { Type } from 'typebox';

import { DisputeSchema } from '#payments/disputes/schema.ts';
import { MED_STATUSES, MED_TYPES, nextStatus, type MedStatus } from '#payments/disputes/med.ts';
import * as disputeExamples from '#payments/disputes/examples.ts';
import type { DisputesService } from '#payments/disputes/service.ts';
import { viewDispute } from '#payments/disputes/views.ts';
import {
  AMOUNT_RULES,
  amountNotAllowed,
  invalidTransition,
  TransactionNotFoundError,
  unwrapChange,
} from '#payments/transactions/errors.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';

interface MedRouteDeps {
  readonly disputes: DisputesService;
  readonly transactions: TransactionsService;
}

const invalidMedTransition = (from: MedStatus, to: MedStatus): HttpError =>
  new HttpError('invalid_transition', { message: `MED claim cannot go from ${from} to ${to}` });

const notClaimed = new HttpError('invalid_transition', { message: 'Dispute is not a MED claim' });

const tags = ['Sandbox'];
const params = Type.Object({ id: Type.String() });

/** Simulates the payer's bank, which claims a Pix payment back by MED. */
export function sandboxMedRoutes(app: App, deps: MedRouteDeps): void {
  registerClaim(app, deps);
  registerAdvance(app, deps);
}

function registerClaim(app: App, { disputes, transactions }: MedRouteDeps): void {
  app.post(
    '/sandbox/transactions/:id/med',
    {
      config: { access: 'sandbox:simulate' },
      schema: {
        operationId: 'sandboxClaimByMed',
        summary: 'Simulate a MED claim',
        description:
          "Opens a MED claim on a Pix payment, as if the payer's bank had requested a refund. " +
          'The amount is put on hold, and the transaction becomes DISPUTE. Returns the dispute.',
        tags,
        errors: [
          'transaction_not_found',
          invalidTransition('PENDING', 'DISPUTE'),
          amountNotAllowed(AMOUNT_RULES.dispute),
          'med_requires_pix',
        ],
        examples: {
          body: { 'A scam, in part': { type: 'SCAM', amount: 5000 } },
          response: disputeExamples.CLAIMED,
        },
        params,
        body: Type.Object({
          type: Type.Enum([...MED_TYPES], { description: 'What the payer reported.' }),
          amount: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: MAX_AMOUNT_CENTS,
              description: 'In cents; defaults to the remaining amount.',
            }),
          ),
          monitorAccount: Type.Optional(
            Type.Boolean({
              description:
                "Whether the payer's bank asks for the receiver's account to be monitored. Defaults to " +
                'false.',
            }),
          ),
        }),
        response: { 200: envelope(DisputeSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const transaction = await transactions.find(key);
      if (transaction === undefined) throw new TransactionNotFoundError();
      if (transaction.method !== 'PIX') throw new HttpError('med_requires_pix');
      const { type, amount = null, monitorAccount = false } = request.body;
      const recoveryId = randomUUID();
      const opened = await disputes.open(key, {
        reason: `MED: ${type}`,
        amount,
        med: {
          recoveryId,
          type,
          monitorAccount,
        },
        by: {
          provider: 'sandbox',
          reference: recoveryId,
          appealUntil: null,
        },
      });
      if (opened.kind === 'opened') return ok(viewDispute(opened.dispute));
      unwrapChange(opened.result, AMOUNT_RULES.dispute);
      throw new HttpError('invalid_transition', { message: 'Dispute cannot be opened' });
    },
  );
}

const AdvanceBody = Type.Object({
  status: Type.Optional(Type.Enum([...MED_STATUSES], { description: 'Defaults to the next status.' })),
  outcome: Type.Optional(Type.Enum(['ACCEPTED', 'DENIED'], { description: 'Outcome of the analysis.' })),
  amount: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_AMOUNT_CENTS,
      description:
        'Amount that the analysis accepts, in cents. Defaults to the claimed amount. With REFUNDING: at ' +
        'most, and by default, what the analysis accepted.',
    }),
  ),
});

function registerAdvance(app: App, { disputes }: MedRouteDeps): void {
  app.post(
    '/sandbox/disputes/:id/med/advance',
    {
      config: { access: 'sandbox:simulate' },
      schema: {
        operationId: 'sandboxAdvanceMed',
        summary: 'Advance a MED claim',
        description:
          'Moves the MED claim of a dispute to its next status, or to `status`. The analysis accepts ' +
          'a claim that the seller has not appealed, and denies an appealed one, unless `outcome` ' +
          'says otherwise. REFUNDING takes the accepted amount from the seller, and so does the end of the ' +
          'appeal period: nothing of a claim that the analysis denied. Returns the dispute.',
        tags,
        errors: [
          'dispute_not_found',
          invalidMedTransition('COMPLETED', 'REFUNDING'),
          notClaimed,
          amountNotAllowed(AMOUNT_RULES.claim),
        ],
        examples: {
          body: {
            'The next state': {},
            'Accepted in part': { status: 'ANALYSED', outcome: 'ACCEPTED', amount: 2500 },
          },
          response: disputeExamples.CLAIMED,
        },
        params,
        body: AdvanceBody,
        response: { 200: envelope(DisputeSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const { status, outcome, amount } = request.body ?? {};
      const dispute = await disputes.find(key);
      if (dispute === undefined) throw new HttpError('dispute_not_found');
      const { med } = dispute;
      if (med === null) throw notClaimed;
      const to = status ?? nextStatus(med);
      if (to === undefined) throw invalidMedTransition(med.status, med.status);
      const isDenied = (outcome ?? (dispute.status === 'UNDER_REVIEW' ? 'DENIED' : 'ACCEPTED')) === 'DENIED';
      const analyzed = isDenied ? 0 : (amount ?? dispute.amount);
      const acceptedAmount = to === 'ANALYSED' ? analyzed : amount;
      const moved = await disputes.moveRecovery(key, { to, acceptedAmount });
      switch (moved.kind) {
        case 'moved':
          return ok(viewDispute(moved.dispute));
        case 'unknown':
          throw new HttpError('dispute_not_found');
        case 'impossible':
          throw invalidMedTransition(moved.from, moved.to);
        case 'wrong-amount':
          throw amountNotAllowed(AMOUNT_RULES.claim);
      }
    },
  );
}
