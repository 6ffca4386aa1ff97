import { Type, type Static } from 'typebox';

import {
  csvLocaleQuery,
  exportQuery,
  localizedTable,
  pageOrCsv,
  sendCsv,
  type Column,
} from '#platform/http/csv.ts';
import { dateQuery, dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, nullable, ok, pageEnvelope, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import type { SellersService } from '#sellers/service.ts';
import { TransactionNotFoundError } from './errors.ts';
import * as examples from './examples.ts';
import type { OperatorTransactions } from './operator-service.ts';
import { transactionStatuses, ListQuery, SummarySchema, TransactionSchema } from './schema.ts';
import type { TransactionsService } from './service.ts';
import type { OperatorTransactionSummary } from './store-operator.ts';
import { BRAZILIAN_COLUMNS, SUMMARY_COLUMNS } from './summary-columns.ts';
import { viewSummary, viewTransaction } from './views.ts';

const sellerMembers = {
  sellerId: recordId('The seller.'),
  sellerName: Type.String({ description: 'Name of the seller.' }),
};

const OperatorSummarySchema = Type.Object(
  { ...SummarySchema.properties, ...sellerMembers },
  { title: 'OperatorTransactionSummary', description: 'A transaction of a list, with its seller.' },
);

const OperatorTransactionSchema = Type.Object(
  {
    ...TransactionSchema.properties,
    ...sellerMembers,
    history: Type.Array(
      Type.Object(
        {
          from: nullable(Type.String({ description: 'Null for the first status.' })),
          to: Type.String({ description: 'New status.' }),
          at: timestamp('When the status changed.'),
          actor: Type.String({ description: 'SELLER, PROVIDER, OPERATOR, or WORKER: the gateway itself.' }),
          reason: nullable(Type.String({ description: 'Why the status changed.' })),
        },
        { title: 'TransactionHistoryEntry', description: 'A status that a transaction has had.' },
      ),
      { description: 'All status changes, oldest first.' },
    ),
  },
  { title: 'OperatorTransaction', description: 'A transaction with its seller and its history.' },
);

const { status, method, transactionId } = ListQuery.properties;

const OperatorListQuery = withCrossFieldRules(
  Type.Object({
    sellerId: Type.Optional(recordId('Only transactions of this seller.')),
    status,
    method,
    transactionId,
    ...dateQuery,
    ...pageQuery,
    ...exportQuery,
    ...csvLocaleQuery,
  }),
  [transactionStatuses.rule, dateRule],
);

export interface OperatorTransactionDeps {
  readonly transactions: TransactionsService;
  readonly operatorTransactions: OperatorTransactions;
  readonly sellers: SellersService;
  readonly publicUrl: string;
}

/** The operator's access to the transactions of all sellers. */
export function transactionOperatorRoutes(app: App, deps: OperatorTransactionDeps): void {
  registerList(app, deps);
  registerGet(app, deps);
}

function registerList(app: App, { operatorTransactions }: OperatorTransactionDeps): void {
  app.get(
    '/admin/transactions',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listAllTransactions',
        summary: 'List transactions of all sellers',
        description:
          'Returns one page of the transactions of all sellers, newest first, or all of them ' +
          'as CSV with `export=true`.',
        tags: ['Transactions'],
        examples: { response: examples.LISTED_FOR_OPERATOR },
        querystring: OperatorListQuery,
        response: { 200: pageOrCsv(pageEnvelope(OperatorSummarySchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const filter = {
        sellerId: query.sellerId,
        statuses: transactionStatuses.parse(query.status),
        method: query.method,
        transactionId: query.transactionId,
        period: parsePeriod(query),
      };
      if (query.export) {
        const views = summaryViews(operatorTransactions.listAll(filter));
        return sendCsv(reply, 'transactions.csv', localizedTable(CSV_COLUMNS, query.locale), views);
      }
      const { items, count } = await operatorTransactions.list(filter, parsePage(query));
      return pageResponse(items, count, query.take, viewOperatorSummary);
    },
  );
}

function registerGet(
  app: App,
  { transactions, operatorTransactions, sellers, publicUrl }: OperatorTransactionDeps,
): void {
  app.get(
    '/admin/transactions/:id',
    {
      config: { access: 'operator:read', personalData: 'transaction' },
      schema: {
        operationId: 'getAnyTransaction',
        summary: 'Retrieve a transaction',
        description: 'Returns a transaction of any seller, with its seller and its history.',
        tags: ['Transactions'],
        errors: ['transaction_not_found'],
        examples: { response: examples.RETRIEVED_BY_OPERATOR },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(OperatorTransactionSchema) },
      },
    },
    async (request) => {
      const transaction = await transactions.findById(request.params.id);
      if (transaction === undefined) throw new TransactionNotFoundError();
      const { sellerId } = transaction;
      const [seller, changes] = await Promise.all([
        sellers.find(sellerId),
        operatorTransactions.findStatusHistory(transaction),
      ]);
      const history = changes.map((change) => ({ ...change, at: change.at.toISOString() }));
      return ok({
        ...viewTransaction(transaction, publicUrl),
        sellerId,
        sellerName: seller?.name ?? '',
        history,
      });
    },
  );
}

type OperatorSummaryView = Static<typeof OperatorSummarySchema>;

async function* summaryViews(
  summaries: AsyncIterable<OperatorTransactionSummary>,
): AsyncGenerator<OperatorSummaryView> {
  for await (const summary of summaries) yield viewOperatorSummary(summary);
}

function viewOperatorSummary(summary: OperatorTransactionSummary): OperatorSummaryView {
  const { sellerId, sellerName } = summary;
  return { ...viewSummary(summary), sellerId, sellerName };
}

const [ID, ...OTHERS] = SUMMARY_COLUMNS;
const CSV_COLUMNS: readonly Column<OperatorSummaryView>[] = (
  [ID, 'sellerId', 'sellerName', ...OTHERS] as const
).map((name) => ({ name, value: (summary) => summary[name], brazil: BRAZILIAN_COLUMNS[name] }));
