import { Type } from 'typebox';

import { exportQuery } from '#platform/http/csv.ts';
import { dateQuery, dateRule } from '#platform/http/date-filters.ts';
import { Timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { ENTRY_CAUSES, ORIGINS } from './entries.ts';

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

export const StatementQuery = withCrossFieldRules(
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

export const StatementLineSchema = Type.Object({
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
