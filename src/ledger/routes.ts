import { Type } from 'typebox';

import type { Db } from '#database/connect.ts';
import { pageOrCsv, exportQuery, sendCsv, type Column } from '#http/csv.ts';
import { dateQuery, dateRule, readPeriod } from '#http/dates.ts';
import { commonErrors, envelope, ok, pageEnvelope, Timestamp } from '#http/envelope.ts';
import { callingSeller } from '#http/guard.ts';
import { cutPage, pageQuery, readPage } from '#http/pages.ts';
import type { App } from '#http/server.ts';
import { withRules } from '#http/validation.ts';
import { ENTRY_CAUSES, ORIGINS } from './entries.ts';
import { walletOf } from './service.ts';
import { listStatement, wholeStatement, type StatementLine } from './statement.ts';

const balances = {
  availableBalance: Type.Integer({ description: 'Cents that can be withdrawn, net of fees.' }),
  blockedBalance: Type.Integer({
    description: 'Cents held for retention, disputes and withdrawals under way.',
  }),
  totalBalance: Type.Integer({ description: 'Available plus blocked, in cents.' }),
};

const WalletSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  sellerId: Type.String({ format: 'uuid' }),
  ...balances,
  currency: Type.Literal('BRL'),
  byOrigin: Type.Object({
    PIX: Type.Object(balances),
    BOLETO: Type.Object(balances),
    CARD: Type.Object(balances),
  }),
  updatedAt: Timestamp,
});

const StatementQuery = withRules(
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
        summary: 'Read the wallet',
        tags: ['Wallet'],
        response: { 200: envelope(WalletSchema), ...commonErrors },
      },
    },
    async (request) => {
      const sellerId = callingSeller(request).id;
      const wallet = await walletOf(db, sellerId);
      return ok({
        sellerId,
        ...wallet,
        currency: 'BRL' as const,
        updatedAt: wallet.updatedAt.toISOString(),
      });
    },
  );

  app.get(
    '/seller-wallet/entries',
    {
      config: { access: 'wallet:read' },
      schema: {
        summary: 'Read the statement of the wallet, newest first, or export it as CSV',
        description:
          'Every movement with its cause. The changes of all of them sum to the wallet, and the newest one shows its balances.',
        tags: ['Wallet'],
        querystring: StatementQuery,
        response: { 200: pageOrCsv(pageEnvelope(LineSchema)), ...commonErrors },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const { origin, cause, recordId } = query;
      const filter = { origin, cause, recordId, period: readPeriod(query) };
      const sellerId = callingSeller(request).id;
      if (query.export) {
        return sendCsv(reply, 'statement.csv', CSV_COLUMNS, wholeStatement(db, sellerId, filter));
      }
      const { lines, count } = await listStatement(db, sellerId, filter, readPage(query));
      const { records, nextCursor } = cutPage(lines, query.take);
      return { status: true as const, data: [...records], count, nextCursor };
    },
  );
}
