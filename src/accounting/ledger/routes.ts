import type { Db } from '#platform/database/connect.ts';
import { localizedTable, pageOrCsv, sendCsv } from '#platform/http/csv.ts';
import { parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import { parsePage, slicePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { STATEMENT_EXAMPLES, WALLET_EXAMPLES } from './examples.ts';
import { StatementLineSchema, StatementQuery, WalletSchema } from './schema.ts';
import { getWallet } from './service.ts';
import { listStatement, streamStatement, type StatementLine } from './statement.ts';
import { CSV_COLUMNS, viewWallet } from './views.ts';

const tags = ['Wallet'];

const NO_SALE = { customerName: null, description: null };
const isOfSale = ({ recordType }: StatementLine): boolean => recordType === 'TRANSACTION';

interface WalletDeps {
  readonly db: Db;
  /** For exports. */
  readonly heavy: Db;
  /** Finds the payers and descriptions of transactions. */
  readonly findSaleNames: (
    sellerId: string,
    transactionIds: readonly string[],
  ) => Promise<
    readonly { readonly id: string; readonly customerName: string; readonly description: string | null }[]
  >;
}

export function walletRoutes(app: App, deps: WalletDeps): void {
  registerGetWallet(app, deps);
  registerListWalletEntries(app, deps);
}

function registerGetWallet(app: App, { db }: WalletDeps): void {
  app.get(
    '/seller-wallet/gestao',
    {
      config: { access: 'wallet:read' },
      schema: {
        operationId: 'getWallet',
        summary: 'Retrieve the wallet',
        description:
          'Returns the balances of the seller, in total and by payment method. A ' +
          'withdrawal is paid from one of these balances (`withdrawFrom`).',
        tags,
        examples: { response: WALLET_EXAMPLES },
        response: { 200: envelope(WalletSchema) },
      },
    },
    async (request) => {
      const sellerId = callingSeller(request).id;
      return ok(viewWallet(sellerId, await getWallet(db, sellerId)));
    },
  );
}

function registerListWalletEntries(app: App, { db, heavy, findSaleNames }: WalletDeps): void {
  app.get(
    '/seller-wallet/entries',
    {
      config: { access: 'wallet:read' },
      schema: {
        operationId: 'listWalletEntries',
        summary: 'List wallet entries',
        description:
          'Returns one page of the statement of the wallet, newest first, or all of it as CSV ' +
          'with `export=true`. Each entry has its cause and the balances after it.',
        examples: { response: STATEMENT_EXAMPLES },
        tags,
        querystring: StatementQuery,
        response: { 200: pageOrCsv(pageEnvelope(StatementLineSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const { origin, cause, recordId } = query;
      const filter = { origin, cause, recordId, period: parsePeriod(query) };
      const sellerId = callingSeller(request).id;
      if (query.export) {
        const lines = streamStatement(heavy, sellerId, filter);
        return sendCsv(reply, 'statement.csv', localizedTable(CSV_COLUMNS, query.locale), lines);
      }
      const { lines, count } = await listStatement(db, sellerId, filter, parsePage(query));
      const { records, nextCursor } = slicePage(lines, query.take);
      const ids = records.filter(isOfSale).map((line) => line.recordId);
      const sales = await findSaleNames(sellerId, [...new Set(ids)]);
      const names = new Map(sales.map(({ id, ...sale }) => [id, sale]));
      const data = records.map((line) => ({ ...line, ...(names.get(line.recordId) ?? NO_SALE) }));
      return { status: true as const, data, ...count, nextCursor };
    },
  );
}
