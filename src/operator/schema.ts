import { Type } from 'typebox';

import { exportQuery } from '#platform/http/csv.ts';
import { Timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { nonEmptyString, withCrossFieldRules } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { SELLER_ROLES } from '#platform/kit/permissions.ts';
import { SELLER_STATUSES } from '#sellers/seller.ts';
import { NewPassword } from '#identity/users/schema.ts';
import { documentRule, type DocumentRules } from '#payments/transactions/schema.ts';

export const NewSellerBody = (documents: DocumentRules) =>
  withCrossFieldRules(
    Type.Object({
      name: nonEmptyString(255),
      documentType: Type.Enum(['CPF', 'CNPJ']),
      document: Type.String(),
      ownerName: nonEmptyString(255),
      ownerEmail: Type.String({ format: 'email', maxLength: 320 }),
      ownerPassword: NewPassword,
      status: Type.Optional(Type.Enum([...SELLER_STATUSES])),
    }),
    [documentRule(null, documents)],
  );

const rate = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 }));
const days = Type.Optional(Type.Integer({ minimum: 0, maximum: 365 }));
const cents = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_AMOUNT_CENTS }));

export const SellerChanges = Type.Object({
  status: Type.Optional(Type.Enum([...SELLER_STATUSES])),
  requestsPerMinute: rate,
  creationsPerMinute: rate,
  boletoDelayDays: days,
  cardDelayDays: days,
  autoApproveUpTo: cents,
  negativeBalanceUpTo: cents,
  chargebackFee: cents,
});

export const SellerSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    documentType: Type.String(),
    document: Type.String({ description: 'Masked.' }),
    status: Type.Enum([...SELLER_STATUSES]),
    requestsPerMinute: Type.Integer(),
    creationsPerMinute: Type.Integer(),
    boletoDelayDays: Type.Integer({ description: 'Bank business days until a paid boleto is available.' }),
    cardDelayDays: Type.Integer({
      description: 'Days until a card payment is available, for each instalment.',
    }),
    autoApproveUpTo: Type.Integer({
      description: 'Cents: withdrawals up to this are approved by themselves.',
    }),
    negativeBalanceUpTo: Type.Integer({
      description: 'Cents that refunds may take the available balance below zero.',
    }),
    chargebackFee: Type.Integer({ description: 'Cents taken from the seller for each chargeback.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Seller' },
);

export const SellersQuery = Type.Object({
  status: Type.Optional(Type.Enum([...SELLER_STATUSES])),
  search: Type.Optional(
    Type.String({
      format: 'filled',
      maxLength: 255,
      description: 'Part of the name, or at least three digits of the document.',
    }),
  ),
  ...pageQuery,
  ...exportQuery,
});

export const NewKeyBody = Type.Object({
  name: nonEmptyString(100),
  role: Type.Optional(Type.Enum([...SELLER_ROLES])),
});

export const NewKeySchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  prefix: Type.String(),
  role: Type.Enum([...SELLER_ROLES]),
  key: Type.String({ description: 'Shown once.' }),
});

export const LedgerCheckSchema = Type.Object({
  balanced: Type.Boolean(),
  sellers: Type.Integer(),
  entries: Type.Integer(),
  seals: Type.Integer({ description: 'Seals over the entries that were verified.' }),
  discrepancies: Type.Array(
    Type.Object({ kind: Type.String(), sellerId: Type.String({ format: 'uuid' }), message: Type.String() }),
  ),
});
