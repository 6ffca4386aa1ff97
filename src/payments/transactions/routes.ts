import { Type } from 'typebox';

import type { IdempotencyKeysService } from '#payments/idempotency/service.ts';
import { localizedTable, pageOrCsv, sendCsv } from '#platform/http/csv.ts';
import { parsePaidPeriod, parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, listCount, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller, idempotencyKey } from '#platform/http/guard.ts';
import { handleReusedKey, hashBody, keyReusedError } from '#platform/http/idempotency.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import type { SellersService } from '#sellers/service.ts';
import { CREATION_ERRORS, TransactionNotFoundError } from './errors.ts';
import * as examples from './examples.ts';
import {
  toPayment,
  toTransactionRequest,
  unknownToken,
  withoutCardData,
  type FindCardToken,
  type FindCustomer,
  type Payer,
} from './requests.ts';
import { createBodySchema, type CreateBody, type DocumentRules } from './creation-schema.ts';
import {
  CreatedSchema,
  ListedSchema,
  ListQuery,
  MetadataSearchQuery,
  SearchEntry,
  TransactionSchema,
  transactionStatuses,
} from './schema.ts';
import { ALL_TRANSACTIONS, type TransactionsService } from './service.ts';
import { CREATE_OPERATION } from './store-create.ts';
import { LISTED_CSV } from './summary-columns.ts';
import type { ListedTransaction } from './summary.ts';
import type { TransactionCreator } from './transaction-creator.ts';
import { viewCreated, viewListed, viewTransaction } from './views.ts';

export interface TransactionRouteDeps {
  readonly transactions: TransactionsService;
  readonly createTransaction: TransactionCreator;
  readonly findCardToken: FindCardToken;
  readonly findCustomer: FindCustomer;
  readonly sellers: SellersService;
  readonly keys: IdempotencyKeysService;
  readonly documents: DocumentRules;
  readonly publicUrl: string;
}

export function transactionRoutes(app: App, deps: TransactionRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerSearch(app, deps);
  registerGet(app, deps);
}

function registerCreate(app: App, deps: TransactionRouteDeps): void {
  const { transactions, createTransaction, findCardToken, findCustomer, sellers } = deps;
  app.post(
    '/transactions',
    {
      config: { access: 'transactions:create', idempotent: true, creation: true },
      errorHandler: handleReusedKey((sellerId, key) =>
        deps.keys.isUsed({ sellerId, operation: CREATE_OPERATION, key }),
      ),
      schema: {
        operationId: 'createTransaction',
        summary: 'Create a transaction',
        description:
          'Creates a transaction that a payer can pay by Pix or boleto, or charges a card. ' +
          'Returns the transaction with the Pix code, or with the URLs of the boleto. A card is ' +
          'charged immediately, unless `capture` is false or a risk rule requires a review. Status ' +
          '201 does not mean that the transaction was accepted: if it is FAILED or REFUSED, ' +
          '`statusReason` contains the reason.',
        tags: ['Transactions'],
        errors: [
          ...examples.VALIDATION_ERRORS,
          unknownToken(),
          'customer_not_found',
          ...Object.values(CREATION_ERRORS),
        ],
        examples: { body: examples.CREATE_BODIES, response: examples.CREATED },
        body: createBodySchema(deps.documents),
        response: { 201: envelope(CreatedSchema) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const context = await sellers.getContext(callingSeller(request).id);
      if (context === undefined) throw new HttpError('seller_not_active');
      const sellerId = context.seller.id;
      const bodyHash = hashBody(withoutCardData(body));
      const payer = await findPayer(findCustomer, sellerId, body);
      const result =
        payer === undefined
          ? await transactions.findReplay(sellerId, idempotencyKey(request), bodyHash)
          : await createTransaction({
              context,
              request: toTransactionRequest(body, payer),
              payment: await toPayment(body, sellerId, findCardToken),
              idempotencyKey: idempotencyKey(request),
              bodyHash,
            });
      if (result === undefined) throw new HttpError('customer_not_found');
      if (result.kind === 'refused') throw new HttpError(CREATION_ERRORS[result.failure]);
      if (result.kind === 'reused') throw keyReusedError();
      if (result.kind === 'replayed') reply.header('idempotency-replayed', 'true');
      return reply.code(201).send(ok(viewCreated(result.transaction)));
    },
  );
}

/**
 * Undefined if the customer record does not exist. It may have been deleted since the first
 * request.
 */
async function findPayer(
  findCustomer: FindCustomer,
  sellerId: string,
  { customer, customerId }: CreateBody,
): Promise<Payer | undefined> {
  if (customer !== undefined && customer !== null) return customer;
  return findCustomer({ sellerId, id: customerId ?? '' });
}

function registerList(app: App, { transactions }: TransactionRouteDeps): void {
  app.get(
    '/transactions',
    {
      config: { access: 'transactions:read', heavyRead: 'metadata' },
      schema: {
        operationId: 'listTransactions',
        summary: 'List transactions',
        description:
          'Returns one page of the transactions of the seller, newest first, or all of them as ' +
          'CSV with `export=true`. Retrieve a transaction to see its payer and payment data.',
        tags: ['Transactions'],
        examples: { response: examples.LISTED },
        querystring: ListQuery,
        response: { 200: pageOrCsv(pageEnvelope(ListedSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const sellerId = callingSeller(request).id;
      const filter = {
        statuses: transactionStatuses.parse(query.status),
        method: query.method,
        transactionId: query.transactionId,
        metadataKey: query.metadataKey,
        metadataValue: query.metadataValue,
        references: {
          externalRef: query.externalRef,
          customerId: query.customerId,
          paymentLinkId: query.paymentLinkId,
          subscriptionId: query.subscriptionId,
        },
        refunding: query.refunding,
        period: parsePeriod(query),
        paidPeriod: parsePaidPeriod(query),
      };
      if (query.export) {
        const views = listedViews(transactions.listAll(sellerId, filter));
        return sendCsv(reply, 'transactions.csv', localizedTable(LISTED_CSV, query.locale), views);
      }
      const { summaries, count } = await transactions.list(sellerId, filter, parsePage(query));
      return pageResponse(summaries, count, query.take, viewListed);
    },
  );
}

type ListedView = ReturnType<typeof viewListed>;

async function* listedViews(listed: AsyncIterable<ListedTransaction>): AsyncGenerator<ListedView> {
  for await (const transaction of listed) yield viewListed(transaction);
}

function registerSearch(app: App, { transactions, sellers, publicUrl }: TransactionRouteDeps): void {
  app.get(
    '/transactions/search',
    {
      config: { access: 'transactions:read', heavyRead: true },
      schema: {
        operationId: 'searchTransactions',
        summary: 'Search transactions by metadata',
        description:
          'Returns the transactions whose metadata has the given key and, optionally, a value ' +
          'that contains the given text. Each transaction is complete and includes its seller.',
        tags: ['Transactions'],
        examples: { response: examples.SEARCHED },
        querystring: MetadataSearchQuery,
        response: {
          200: envelope(
            Type.Object(
              {
                data: Type.Array(SearchEntry, {
                  description: 'The transactions of this page, newest first.',
                }),
                ...listCount,
                take: Type.Integer({ description: 'Page size.' }),
                skip: Type.Integer({ description: 'Number of transactions that were skipped.' }),
              },
              { title: 'TransactionSearch', description: 'One page of the transactions that were found.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const { take, skip, metadataKey, metadataValue } = request.query;
      const context = await sellers.getContext(callingSeller(request).id);
      if (context === undefined) throw new HttpError('seller_not_active');
      const { id: sellerId, name: sellerName } = context.seller;
      const filter = { ...ALL_TRANSACTIONS, metadataKey, metadataValue };
      const page = { take, skip, after: undefined };
      const { transactions: found, count } = await transactions.search(sellerId, filter, page);
      const data = found.map((transaction) => ({
        ...viewTransaction(transaction, publicUrl),
        sellerId,
        sellerName,
      }));
      return ok({ data, ...count, take, skip });
    },
  );
}

function registerGet(app: App, { transactions, publicUrl }: TransactionRouteDeps): void {
  app.get(
    '/transactions/:id',
    {
      config: { access: 'transactions:read' },
      schema: {
        operationId: 'getTransaction',
        summary: 'Retrieve a transaction',
        description: 'Returns a transaction with its payer, items and payment data.',
        tags: ['Transactions'],
        errors: ['transaction_not_found'],
        examples: { response: examples.FOUND },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(TransactionSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const transaction = await transactions.find(key);
      if (transaction === undefined) throw new TransactionNotFoundError();
      return ok(viewTransaction(transaction, publicUrl));
    },
  );
}
