import { Type } from 'typebox';

import type { ReviewDecision, ReviewResult } from '#payments/operations/service.ts';
import { AMOUNT_RULES, TransactionNotFoundError, unwrapChange } from '#payments/transactions/errors.ts';
import { TransactionSchema } from '#payments/transactions/schema.ts';
import type { Transaction, TransactionsService } from '#payments/transactions/service.ts';
import { viewTransaction } from '#payments/transactions/views.ts';
import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageQuery, pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import type { SellersService } from '#sellers/service.ts';
import * as examples from './examples.ts';
import { QueuedSchema, ReviewBody, ReviewSchema } from './schema.ts';
import type { QueuedReview, RiskService } from './service.ts';

const tags = ['Risk'];
const params = Type.Object({ id: Type.String() });

export interface ReviewRouteDeps {
  readonly risk: RiskService;
  readonly sellers: SellersService;
  readonly transactions: TransactionsService;
  readonly reviewTransaction: (transaction: Transaction, decision: ReviewDecision) => Promise<ReviewResult>;
  readonly publicUrl: string;
}

/** The charges that wait for a decision of the operator. */
export function riskReviewRoutes(app: App, deps: ReviewRouteDeps): void {
  registerQueue(app, deps);
  registerGet(app, deps);
  registerDecide(app, deps);
}

const viewCharge = <Charge extends QueuedReview>(charge: Charge) => ({
  ...charge,
  createdAt: charge.createdAt.toISOString(),
});

function registerQueue(app: App, { risk }: ReviewRouteDeps): void {
  app.get(
    '/admin/risk-reviews',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listRiskReviews',
        summary: 'List transactions in review',
        description: 'Returns one page of the transactions that wait for a review, oldest first.',
        tags,
        examples: { response: examples.QUEUE },
        querystring: Type.Object({
          take: pageQuery.take,
          cursor: Type.Optional(
            Type.String({ maxLength: 100, description: 'The `nextCursor` of the previous page.' }),
          ),
        }),
        response: { 200: pageEnvelope(QueuedSchema) },
      },
    },
    async (request) => {
      const { take } = request.query;
      const { after } = parsePage({ ...request.query, skip: 0 });
      const { reviews, count } = await risk.listQueue(take, after ?? null);
      return pageResponse(reviews, { count }, take, viewCharge);
    },
  );
}

async function findCharge(transactions: TransactionsService, id: string): Promise<Transaction> {
  const transaction = await transactions.findById(id);
  if (transaction === undefined) throw new TransactionNotFoundError();
  return transaction;
}

function registerGet(app: App, { risk, sellers, transactions, publicUrl }: ReviewRouteDeps): void {
  app.get(
    '/admin/transactions/:id/review',
    {
      config: { access: 'operator:read', personalData: 'transaction' },
      schema: {
        operationId: 'getRiskReview',
        summary: 'Retrieve a transaction in review',
        description:
          'Returns a transaction, the rule that sent it to review or refused it, and the transactions of ' +
          'all sellers with the same card, tax ID (CPF or CNPJ), email, IP address or payment link.',
        tags,
        errors: ['transaction_not_found'],
        examples: { response: examples.REVIEW },
        params,
        response: { 200: envelope(ReviewSchema) },
      },
    },
    async (request) => {
      const transaction = await findCharge(transactions, request.params.id);
      const { sellerId } = transaction;
      const [{ decision, cardFingerprint, relatives }, seller] = await Promise.all([
        risk.explain(transaction, transactions.lookUpOfAll),
        sellers.find(sellerId),
      ]);
      return ok({
        transaction: viewTransaction(transaction, publicUrl),
        sellerId,
        sellerName: seller?.name ?? '',
        rule:
          decision === undefined
            ? null
            : { id: decision.ruleId, name: decision.ruleName, action: decision.action },
        cardFingerprint,
        relatives: relatives.map((relative) => viewCharge(relative)),
      });
    },
  );
}

const notInReview = (): HttpError => new HttpError('transaction_not_in_review');

function registerDecide(
  app: App,
  { sellers, transactions, reviewTransaction, publicUrl }: ReviewRouteDeps,
): void {
  app.post(
    '/admin/transactions/:id/review',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'reviewTransaction',
        summary: 'Decide a review',
        description:
          'Approves or refuses a transaction in review. APPROVE captures a card payment, unless the ' +
          'seller created it with `capture: false` and captures it later; a Pix or boleto gets its code. ' +
          'REFUSE voids a card payment, which becomes FAILED; a Pix or boleto becomes REFUSED. A card ' +
          'payment cannot be reviewed until its provider has responded. Returns the transaction.',
        tags,
        errors: ['transaction_not_found', 'transaction_not_in_review'],
        examples: { body: examples.DECISIONS, response: examples.DECIDED },
        params,
        body: ReviewBody,
        response: { 200: envelope(TransactionSchema) },
      },
    },
    async (request) => {
      const transaction = await findCharge(transactions, request.params.id);
      if (transaction.riskStatus !== 'REVIEW') throw notInReview();
      const seller = await sellers.find(transaction.sellerId);
      const result = await reviewTransaction(transaction, {
        decision: request.body.decision,
        author: auditActorOf(request),
        sellerName: seller?.name ?? '',
      });
      if (result.kind === 'not-in-review' || result.kind === 'other-amount') throw notInReview();
      const decided =
        result.kind === 'pending' ? result.transaction : unwrapChange(result, AMOUNT_RULES.authorization);
      return ok(viewTransaction(decided, publicUrl));
    },
  );
}
