import { Type } from 'typebox';

import { csvLocaleQuery, exportQuery } from '#platform/http/csv.ts';
import { dateQuery, dateRule } from '#platform/http/date-filters.ts';
import { described, nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { ENTRY_CAUSES, ORIGINS } from './entries.ts';

const balances = {
  availableBalance: Type.Integer({ description: 'Cents that can be withdrawn, net of fees.' }),
  blockedBalance: Type.Integer({
    description:
      'Amount on hold in cents: pending release, in dispute, or reserved for withdrawals and refunds.',
  }),
  totalBalance: Type.Integer({ description: 'Available plus on hold, in cents.' }),
};

const Balances = Type.Object(balances, { title: 'Balances', description: 'Balances in cents.' });

export const WalletSchema = Type.Object(
  {
    id: recordId('The id of the wallet.'),
    sellerId: recordId('The seller.'),
    ...balances,
    currency: Type.Literal('BRL', { description: 'Always BRL.' }),
    byOrigin: Type.Object(
      {
        PIX: described(Balances, 'From Pix payments.'),
        BOLETO: described(Balances, 'From boletos.'),
        CARD: described(Balances, 'From card payments.'),
      },
      { description: 'The balances by payment method.' },
    ),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'Wallet', description: 'The balances of a seller.' },
);

export const StatementQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    origin: Type.Optional(Type.Enum([...ORIGINS], { description: 'Only entries of this balance source.' })),
    cause: Type.Optional(Type.Enum([...ENTRY_CAUSES], { description: 'Only entries with this cause.' })),
    recordId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Only entries of this transaction or withdrawal.' }),
    ),
    ...dateQuery,
    ...exportQuery,
    ...csvLocaleQuery,
  }),
  [dateRule],
);

const account = (description: string) =>
  Type.Enum(['available', 'retained', 'disputed', 'reserved', 'fees', 'provider'], { description });

export const StatementLineSchema = Type.Object(
  {
    id: recordId('The id of the entry.'),
    createdAt: timestamp('When it was booked.'),
    cause: Type.Enum([...ENTRY_CAUSES], {
      description:
        'What caused the entry. REFUND_RETURNED: a refund failed, and its amount is available again. ' +
        "REFUND_REVERSED: the payer's bank returned a completed refund.",
    }),
    origin: Type.Enum([...ORIGINS], {
      description: 'Balance source: the payment method whose balance changed.',
    }),
    recordType: Type.Enum(['TRANSACTION', 'WITHDRAWAL'], {
      description: 'Type of the record that caused it.',
    }),
    recordId: Type.String({ format: 'uuid', description: 'The transaction or withdrawal that caused it.' }),
    customerName: nullable(Type.String({ description: 'Name of the payer; null for a withdrawal.' })),
    description: nullable(
      Type.String({ description: 'The description of the transaction; null for a withdrawal.' }),
    ),
    from: account('The debited account. Retained, disputed and reserved amounts are on hold.'),
    to: account('The credited account.'),
    moved: Type.Integer({ description: 'Cents moved from `from` to `to`.' }),
    amount: Type.Integer({
      description: 'Change of the total balance, in cents; 0 if money was only put on hold or released.',
    }),
    availableChange: Type.Integer({ description: 'Cents.' }),
    blockedChange: Type.Integer({ description: 'Cents.' }),
    availableBalance: Type.Integer({ description: 'Balance of the whole wallet after the entry, in cents.' }),
    blockedBalance: Type.Integer({ description: 'Balance of the whole wallet after the entry, in cents.' }),
    totalBalance: Type.Integer({ description: 'Balance of the whole wallet after the entry, in cents.' }),
  },
  { title: 'WalletEntry', description: 'An entry of the statement.' },
);
