import { Type, type Static } from 'typebox';

import type { Db } from '#platform/database/connect.ts';
import { pageOrCsv, exportQuery, sendCsv, type Column } from '#platform/http/csv.ts';
import { dateQuery, dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, ok, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import { slicePage, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { ENTRY_CAUSES, ORIGINS } from './entries.ts';
import { getWallet, type Wallet } from './service.ts';
import { listStatement, streamStatement, type StatementLine } from './statement.ts';

const balances = {
  availableBalance: Type.Integer({ description: 'Cents that can be withdrawn, net of fees.' }),
  blockedBalance: Type.Integer({
    description: 'Cents held for retention, disputes and withdrawals under way.',
  }),
  totalBalance: Type.Integer({ description: 'Available plus blocked, in cents.' }),
};

const Balances = Type.Object(balances, { title: 'Balances' });

export const WalletSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    sellerId: Type.String({ format: 'uuid' }),
    ...balances,
    currency: Type.Literal('BRL'),
    byOrigin: Type.Object({
      PIX: Balances,
      BOLETO: Balances,
      CARD: Balances,
    }),
    updatedAt: Timestamp,
  },
  { title: 'Wallet' },
);

const none = { availableBalance: 0, blockedBalance: 0, totalBalance: 0 };
const pix = { availableBalance: 148_220, blockedBalance: 50_000, totalBalance: 198_220 };
export const WALLET_EXAMPLE = {
  id: '01a1fb60-1c2d-4e3f-8a4b-5c6d7e8f9a0b',
  sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  ...pix,
  currency: 'BRL',
  byOrigin: { PIX: pix, BOLETO: none, CARD: none },
  updatedAt: '2026-11-20T12:05:00.000Z',
};

export const viewWallet = (sellerId: string, wallet: Wallet): Static<typeof WalletSchema> => ({
  sellerId,
  ...wallet,
  currency: 'BRL',
  updatedAt: wallet.updatedAt.toISOString(),
});

const StatementQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    origin: Type.Optional(Type.Enum([...ORIGINS])),
    cause: Type.Optional(Type.Enum([...ENTRY_CAUSES])),
    recordId: Type.Optional(Type.String({ format: 'uuid', description: 'A charge or a withdrawal.' })),
    ...dateQuery,
    ...exportQuery,
  }),
  [dateRule],
);

const account = (description: string) =>
  Type.Enum(['available', 'retained', 'disputed', 'reserved', 'fees', 'provider'], { description });

const LineSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  createdAt: Timestamp,
  cause: Type.Enum([...ENTRY_CAUSES]),
  origin: Type.Enum([...ORIGINS], { description: 'Which of the balances it moves.' }),
  recordType: Type.Enum(['TRANSACTION', 'WITHDRAWAL']),
  recordId: Type.String({ format: 'uuid', description: 'The charge or withdrawal that caused it.' }),
  from: account('Where the money was. Blocked are retained, disputed and reserved.'),
  to: account('Where it went.'),
  moved: Type.Integer({ description: 'Cents that went from one to the other.' }),
  amount: Type.Integer({
    description: 'Change of the total balance, in cents; 0 where money only became blocked or available.',
  }),
  availableChange: Type.Integer({ description: 'Cents.' }),
  blockedChange: Type.Integer({ description: 'Cents.' }),
  availableBalance: Type.Integer({ description: 'Of the whole wallet after it, in cents.' }),
  blockedBalance: Type.Integer({ description: 'Of the whole wallet after it, in cents.' }),
  totalBalance: Type.Integer({ description: 'Of the whole wallet after it, in cents.' }),
});

const LINE = {
  id: '01a1fb66-e70d-4000-8000-000000000001',
  createdAt: '2026-11-20T12:04:10.000Z',
  cause: 'PAYMENT',
  origin: 'PIX',
  recordType: 'TRANSACTION',
  recordId: '01a1fb66-e70d-4426-bcd4-28d378d6b6c1',
  from: 'provider',
  to: 'available',
  moved: 14_970,
  amount: 14_970,
  availableChange: 14_970,
  blockedChange: 0,
  availableBalance: 14_970,
  blockedBalance: 0,
  totalBalance: 14_970,
};
const FEE = {
  ...LINE,
  id: '01a1fb66-e70d-4000-8000-000000000002',
  cause: 'PAYMENT_FEE',
  from: 'available',
  to: 'fees',
  moved: 148,
  amount: -148,
  availableChange: -148,
  availableBalance: 14_822,
  totalBalance: 14_822,
};
const STATEMENT = {
  'A payment and its fee': { status: true, data: [FEE, LINE], count: 2, nextCursor: null },
  'As CSV': [Object.keys(LINE), Object.values(FEE), Object.values(LINE)]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join(''),
};

const COLUMN_NAMES = [
  'id',
  'createdAt',
  'cause',
  'origin',
  'recordType',
  'recordId',
  'from',
  'to',
  'moved',
  'amount',
  'availableChange',
  'blockedChange',
  'availableBalance',
  'blockedBalance',
  'totalBalance',
] as const;

const CSV_COLUMNS: readonly Column<StatementLine>[] = COLUMN_NAMES.map((name) => ({
  name,
  value: (line) => line[name],
}));

export function walletRoutes(app: App, { db }: { readonly db: Db }): void {
  app.get(
    '/seller-wallet/gestao',
    {
      config: { access: 'wallet:read' },
      schema: {
        operationId: 'getWallet',
        summary: 'Read the wallet',
        tags: ['Wallet'],
        description:
          'The sums, and beside them the balance of each origin: a withdrawal is paid from one of them.',
        examples: { answer: { 'A wallet': ok(WALLET_EXAMPLE) } },
        response: { 200: envelope(WalletSchema) },
      },
    },
    async (request) => {
      const sellerId = callingSeller(request).id;
      return ok(viewWallet(sellerId, await getWallet(db, sellerId)));
    },
  );

  app.get(
    '/seller-wallet/entries',
    {
      config: { access: 'wallet:read' },
      schema: {
        operationId: 'listWalletEntries',
        summary: 'Read the statement of the wallet, newest first, or export it as CSV',
        examples: { answer: STATEMENT },
        description:
          'Every movement with its cause. The changes of all of them sum to the wallet, and the newest one shows its balances.',
        tags: ['Wallet'],
        querystring: StatementQuery,
        response: { 200: pageOrCsv(pageEnvelope(LineSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const { origin, cause, recordId } = query;
      const filter = { origin, cause, recordId, period: parsePeriod(query) };
      const sellerId = callingSeller(request).id;
      if (query.export) {
        return sendCsv(reply, 'statement.csv', CSV_COLUMNS, streamStatement(db, sellerId, filter));
      }
      const { lines, count } = await listStatement(db, sellerId, filter, parsePage(query));
      const { records, nextCursor } = slicePage(lines, query.take);
      return { status: true as const, data: [...records], count, nextCursor };
    },
  );
}
