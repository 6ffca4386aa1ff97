import { Type } from 'typebox';

import { dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, ok, recordId } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import {
  AMOUNT_RULES,
  amountNotAllowed,
  invalidTransition,
  TransactionNotFoundError,
  unwrapChange,
} from '#payments/transactions/errors.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import * as examples from './examples.ts';
import {
  disputeFilters,
  DisputeSchema,
  disputeStatuses,
  OpenDisputeBody,
  OperatorDisputeSchema,
  OperatorDisputesSchema,
} from './schema.ts';
import type { DisputeStatus } from './states.ts';
import type { DisputesService } from './service.ts';
import { viewDispute, viewOperatorDispute } from './views.ts';

const invalidDisputeTransition = (from: DisputeStatus, to: DisputeStatus): HttpError =>
  new HttpError('invalid_transition', { message: `Dispute cannot go from ${from} to ${to}` });

const tags = ['Disputes'];
const params = Type.Object({ id: Type.String() });

interface DisputeOperatorDeps {
  readonly disputes: DisputesService;
  readonly transactions: TransactionsService;
}

export function disputeOperatorRoutes(app: App, deps: DisputeOperatorDeps): void {
  registerOpen(app, deps);
  registerList(app, deps);
  registerGet(app, deps);
  registerResolve(app, deps);
}

function registerOpen(app: App, { disputes, transactions }: DisputeOperatorDeps): void {
  app.post(
    '/admin/transactions/:id/dispute',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'openDispute',
        summary: 'Open a dispute',
        description:
          'Opens a dispute for a paid transaction of any seller. Use it if a bank reports a ' +
          'dispute outside the API. The disputed amount (by default, what has not been refunded) ' +
          'is put on hold, and the transaction becomes DISPUTE. Returns the dispute.',
        tags,
        errors: [
          'transaction_not_found',
          invalidTransition('PENDING', 'DISPUTE'),
          amountNotAllowed(AMOUNT_RULES.dispute),
        ],
        examples: {
          body: { 'The remaining amount': { reason: 'product not received' } },
          response: examples.OPENED,
        },
        params,
        body: OpenDisputeBody,
        response: { 201: envelope(DisputeSchema) },
      },
    },
    async (request, reply) => {
      const transaction = await transactions.findById(request.params.id);
      if (transaction === undefined) throw new TransactionNotFoundError();
      const { reason, amount } = request.body;
      const result = await disputes.open(
        { sellerId: transaction.sellerId, id: transaction.id },
        { reason, amount: amount ?? null, by: auditActorOf(request) },
      );
      if (result.kind === 'opened') return reply.code(201).send(ok(viewDispute(result.dispute)));
      unwrapChange(result.result, AMOUNT_RULES.dispute);
      throw new HttpError('invalid_transition', { message: 'Dispute cannot be opened' });
    },
  );
}

function registerList(app: App, { disputes }: DisputeOperatorDeps): void {
  app.get(
    '/admin/disputes',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listAllDisputes',
        summary: 'List disputes of all sellers',
        description: 'Returns one page of the disputes of all sellers, newest first.',
        tags,
        examples: { response: examples.LISTED_FOR_OPERATOR },
        querystring: withCrossFieldRules(
          Type.Object({
            ...disputeFilters,
            sellerId: Type.Optional(recordId('Only disputes of this seller.')),
          }),
          [disputeStatuses.rule, dateRule],
        ),
        response: { 200: envelope(OperatorDisputesSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { sellerId, transactionId, take, skip } = query;
      const statuses = disputeStatuses.parse(query.status);
      const filter = { sellerId, statuses, transactionId, ...parsePeriod(query) };
      const { items, count } = await disputes.listForOperator(filter, query);
      return ok({ data: items.map(viewOperatorDispute), ...count, take, skip });
    },
  );
}

function registerGet(app: App, { disputes }: DisputeOperatorDeps): void {
  app.get(
    '/admin/disputes/:id',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getAnyDispute',
        summary: 'Retrieve a dispute',
        description: 'Returns a dispute of any seller.',
        tags,
        errors: ['dispute_not_found'],
        examples: { response: examples.FOUND_BY_OPERATOR },
        params,
        response: { 200: envelope(OperatorDisputeSchema) },
      },
    },
    async (request) => {
      const dispute = await disputes.findForOperator(request.params.id);
      if (dispute === undefined) throw new HttpError('dispute_not_found');
      return ok(viewOperatorDispute(dispute));
    },
  );
}

function registerResolve(app: App, { disputes }: DisputeOperatorDeps): void {
  app.post(
    '/admin/disputes/:id/resolve',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'resolveDispute',
        summary: 'Resolve a dispute',
        description:
          "Closes a dispute. RESOLVED is in the seller's favor: the transaction becomes PAID again and " +
          "the money is released. REJECTED is in the payer's favor: the transaction becomes CHARGEDBACK " +
          "(card) or REFUNDED (Pix, boleto), and for a card the seller's `chargebackFee` is debited. The " +
          'gateway only books the outcome and sends no money. If the analysis of a MED claim accepted a ' +
          'part, REJECTED takes that part and the dispute becomes RESOLVED; a claim that it denied cannot ' +
          'be REJECTED. Returns the dispute.',
        tags,
        errors: ['dispute_not_found', invalidDisputeTransition('RESOLVED', 'REJECTED')],
        examples: { body: { "In the seller's favor": { outcome: 'RESOLVED' } }, response: examples.RESOLVED },
        params,
        body: Type.Object({
          outcome: Type.Enum(['RESOLVED', 'REJECTED'], {
            description: "RESOLVED: in the seller's favor. REJECTED: in the payer's favor.",
          }),
        }),
        response: { 200: envelope(DisputeSchema) },
      },
    },
    async (request) => {
      const { params: target, body } = request;
      const result = await disputes.resolveById(target.id, body.outcome, auditActorOf(request));
      switch (result.kind) {
        case 'resolved':
          return ok(viewDispute(result.dispute));
        case 'unknown':
          throw new HttpError('dispute_not_found');
        case 'impossible':
          throw invalidDisputeTransition(result.from, result.to);
      }
    },
  );
}
