import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

import type { Clock } from '#platform/kit/clock.ts';
import { hashBody, keyReusedError, handleReusedKey } from '#platform/http/idempotency.ts';
import type { IdempotencyKeysService } from '#payments/idempotency/service.ts';
import { PUBLIC_IMAGE, sendCacheable } from '#platform/http/caching.ts';
import { pageOrCsv, sendCsv, type Column } from '#platform/http/csv.ts';
import { envelope, nullable, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError, businessError } from '#platform/http/errors.ts';
import { callingSeller, idempotencyKey } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { renderQrPng } from '#formats/pix/qr-png.ts';
import type { SellersService } from '#sellers/service.ts';
import type { TransactionCreator } from './transaction-creator.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import { unwrapChange, CREATION_REFUSALS, TransactionNotFoundError } from './errors.ts';
import {
  UNKNOWN_TOKEN,
  toPayment,
  toTransactionRequest,
  withoutCardData,
  type FindCardToken,
} from './requests.ts';
import {
  CreatedSchema,
  createBodySchema,
  transactionStatuses,
  ListQuery,
  SearchEntry,
  MetadataSearchQuery,
  SummarySchema,
  TransactionSchema,
  type DocumentRules,
} from './schema.ts';
import type { TransactionsService } from './service.ts';
import { CREATE_OPERATION } from './store-create.ts';
import type { TransactionSummary } from './store-lists.ts';
import { SUMMARY_COLUMNS } from './summary-columns.ts';
import {
  toDocumentedErrors,
  type NamedExamples,
  type DocumentedErrors,
} from '#platform/openapi/route-schema.ts';
import * as examples from './examples.ts';
import { viewCreated, viewSummary, viewTransaction } from './views.ts';

export interface TransactionRouteDeps {
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly createTransaction: TransactionCreator;
  readonly findCardToken: FindCardToken;
  readonly sellers: SellersService;
  readonly keys: IdempotencyKeysService;
  readonly documents: DocumentRules;
}

export function transactionRoutes(
  app: App,
  { transactions, createTransaction, findCardToken, sellers, keys, documents }: TransactionRouteDeps,
): void {
  app.post(
    '/transactions',
    {
      config: { access: 'transactions:create', idempotent: true, creation: true },
      errorHandler: handleReusedKey((sellerId, key) =>
        keys.isUsed({ sellerId, operation: CREATE_OPERATION, key }),
      ),
      schema: {
        operationId: 'createTransaction',
        summary: 'Create a charge',
        tags: ['Transactions'],
        description:
          'For PIX the answer carries the code to show, for a boleto the addresses of its page, picture and PDF. A card is charged at once: an answer of 201 with status FAILED is a declined card, and `statusReason` says why.',
        refusals: {
          400: [...examples.VALIDATION_ERRORS, UNKNOWN_TOKEN],
          ...toDocumentedErrors(CREATION_REFUSALS),
        },
        examples: { body: examples.CREATE_BODIES, answer: examples.CREATED },
        body: createBodySchema(documents),
        response: { 201: envelope(CreatedSchema) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const context = await sellers.getContext(callingSeller(request).id);
      if (context === undefined) throw new HttpError(403, 'Seller is not active');
      const result = await createTransaction({
        context,
        request: toTransactionRequest(body),
        payment: await toPayment(body, context.seller.id, findCardToken),
        idempotencyKey: idempotencyKey(request),
        bodyHash: hashBody(withoutCardData(body)),
      });
      if (result.kind === 'refused') throw businessError(CREATION_REFUSALS[result.failure]);
      if (result.kind === 'reused') throw keyReusedError();
      if (result.kind === 'replayed') reply.header('idempotency-replayed', 'true');
      return reply.code(201).send(ok(viewCreated(result.transaction)));
    },
  );

  app.get(
    '/transactions',
    {
      config: { access: 'transactions:read' },
      schema: {
        operationId: 'listTransactions',
        summary: 'List charges, newest first',
        tags: ['Transactions'],
        examples: { answer: examples.LISTED },
        querystring: ListQuery,
        response: { 200: pageOrCsv(pageEnvelope(SummarySchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const filter = {
        statuses: transactionStatuses.parse(query.status),
        method: query.method,
        transactionId: query.transactionId,
        metadataKey: query.metadataKey,
        metadataValue: query.metadataValue,
      };
      const sellerId = callingSeller(request).id;
      if (query.export)
        return sendCsv(
          reply,
          'transactions.csv',
          CSV_COLUMNS,
          summaryViews(transactions.listAll(sellerId, filter)),
        );
      const { summaries, count } = await transactions.list(sellerId, filter, parsePage(query));
      return pageResponse(summaries, count, query.take, viewSummary);
    },
  );

  app.get(
    '/transactions/search',
    {
      config: { access: 'transactions:read' },
      schema: {
        operationId: 'searchTransactions',
        summary: 'Search charges by metadata',
        tags: ['Transactions'],
        description: 'Whole charges, with the seller that they are for.',
        examples: { answer: examples.SEARCHED },
        querystring: MetadataSearchQuery,
        response: {
          200: envelope(
            Type.Object({
              data: Type.Array(SearchEntry),
              count: Type.Integer(),
              take: Type.Integer(),
              skip: Type.Integer(),
            }),
          ),
        },
      },
    },
    async (request) => {
      const { take, skip, metadataKey, metadataValue } = request.query;
      const context = await sellers.getContext(callingSeller(request).id);
      if (context === undefined) throw new HttpError(403, 'Seller is not active');
      const { id: sellerId, name: sellerName } = context.seller;
      const filter = {
        statuses: [],
        method: undefined,
        transactionId: undefined,
        metadataKey,
        metadataValue,
      };
      const found = await transactions.search(sellerId, filter, { take, skip, after: undefined });
      const data = found.transactions.map((one) => ({ ...viewTransaction(one), sellerId, sellerName }));
      return ok({ data, count: found.count, take, skip });
    },
  );

  app.get(
    '/transactions/:id',
    {
      config: { access: 'transactions:read' },
      schema: {
        operationId: 'getTransaction',
        summary: 'Read a charge',
        tags: ['Transactions'],
        refusals: { 404: ['Transaction not found'] },
        examples: { answer: examples.FOUND },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(TransactionSchema) },
      },
    },
    async (request) => {
      const found = await transactions.find({ sellerId: callingSeller(request).id, id: request.params.id });
      if (found === undefined) throw new TransactionNotFoundError();
      return ok(viewTransaction(found));
    },
  );
}

type SummaryView = ReturnType<typeof viewSummary>;

const CSV_COLUMNS: readonly Column<SummaryView>[] = SUMMARY_COLUMNS.map((name) => ({
  name,
  value: (summary) => summary[name],
}));

async function* summaryViews(summaries: AsyncIterable<TransactionSummary>): AsyncGenerator<SummaryView> {
  for await (const summary of summaries) yield viewSummary(summary);
}

interface Action {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly refusals: readonly string[];
  readonly answer: NamedExamples;
}

const action = ({ answer, refusals, ...docs }: Action) => ({
  config: { access: 'transactions:create' as const },
  schema: {
    ...docs,
    refusals: { 404: ['Transaction not found'], 422: refusals } satisfies DocumentedErrors,
    examples: { answer },
    tags: ['Transactions'],
    params: Type.Object({ id: Type.String() }),
    response: { 200: envelope(TransactionSchema) },
  },
});
const keyOf = (request: { params: { id: string } }, sellerId: string) => ({
  sellerId,
  id: request.params.id,
});

/** What ends or completes a charge before or after it is paid, short of returning money. */
export function transactionActionRoutes(
  app: App,
  { providerOperations: operations }: { readonly providerOperations: ProviderOperations },
): void {
  const cancel = action({
    operationId: 'cancelTransaction',
    summary: 'Cancel an unpaid charge',
    description: 'It becomes FAILED. Money that is paid all the same is recorded and goes back to the payer.',
    refusals: ['Transaction cannot go from PAID to FAILED'],
    answer: examples.CANCELLED,
  });
  app.post('/transactions/:id/cancel', cancel, async (request) => {
    const key = keyOf(request, callingSeller(request).id);
    const result = await operations.cancel(key);
    return ok(viewTransaction(unwrapChange(result, AMOUNT_RULE)));
  });

  const voiding = action({
    operationId: 'voidTransaction',
    summary: 'Give an authorization back',
    description: 'Ends an AUTHORIZED card payment without charging it. It becomes FAILED.',
    refusals: ['Transaction cannot go from PAID to FAILED'],
    answer: examples.VOIDED,
  });
  app.post('/transactions/:id/void', voiding, async (request) => {
    const key = keyOf(request, callingSeller(request).id);
    const result = await operations.void(key);
    return ok(viewTransaction(unwrapChange(result, AMOUNT_RULE)));
  });

  const capture = action({
    operationId: 'captureTransaction',
    summary: 'Capture an authorized card payment, whole or in part',
    description:
      'It becomes PAID; where a card provider must say so first, it stays AUTHORIZED until then and TRANSACTION_UPDATED tells. An authorization that is left alone lapses after five days.',
    refusals: ['Transaction cannot go from FAILED to PAID', AMOUNT_RULE],
    answer: examples.CAPTURED,
  });
  app.post(
    '/transactions/:id/capture',
    {
      ...capture,
      schema: {
        ...capture.schema,
        body: CaptureBody,
        examples: { ...capture.schema.examples, body: { 'All of it': {}, 'A part': { amount: 9900 } } },
      },
    },
    async (request) => {
      const key = keyOf(request, callingSeller(request).id);
      const result = await operations.capture(key, request.body.amount ?? null);
      if (result.kind === 'pending') return ok(viewTransaction(result.transaction));
      return ok(viewTransaction(unwrapChange(result, AMOUNT_RULE)));
    },
  );
}

const AMOUNT_RULE = 'Amount must not be more than the authorized amount, and must cover the fee';

const CaptureBody = Type.Object({
  amount: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: MAX_AMOUNT_CENTS, description: 'Cents; all unless told.' })),
  ),
});

/** The picture of a PIX code, for whoever has its address: payers are nobody's users. */
export function pixQrCodeRoute(app: App, { transactions }: Pick<TransactionRouteDeps, 'transactions'>): void {
  app.get(
    '/pix/:file',
    { config: { access: 'public' }, schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async (request, reply): Promise<FastifyReply> => {
      const txid = /^([0-9a-f]{32})\.png$/.exec(request.params.file)?.[1];
      const found = txid === undefined ? undefined : await transactions.findById(idOfTxid(txid));
      if (found?.pix === undefined || found.pix === null) throw new TransactionNotFoundError();
      const { code } = found.pix;
      return sendCacheable(request, reply, { ...PUBLIC_IMAGE, from: code }, () => renderQrPng(code));
    },
  );
}

function idOfTxid(txid: string): string {
  return txid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
