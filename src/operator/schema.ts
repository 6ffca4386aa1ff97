import { Type } from 'typebox';

import { newUserProperties } from '#identity/users/schema.ts';
import { documentRule, type DocumentRules } from '#payments/transactions/schema.ts';
import { exportQuery } from '#platform/http/csv.ts';
import { Timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { nonEmptyString, withCrossFieldRules } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { SELLER_STATUSES } from '#sellers/seller.ts';

const status = Type.Enum([...SELLER_STATUSES]);

export const NewSellerBody = (documents: DocumentRules) =>
  withCrossFieldRules(
    Type.Object({
      name: nonEmptyString(255),
      documentType: Type.Enum(['CPF', 'CNPJ']),
      document: Type.String(),
      ownerName: newUserProperties.name,
      ownerEmail: newUserProperties.email,
      ownerPassword: newUserProperties.password,
      status: Type.Optional(status),
    }),
    [documentRule(null, documents)],
  );

const rate = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 }));
const days = Type.Optional(Type.Integer({ minimum: 0, maximum: 365 }));
const cents = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_AMOUNT_CENTS }));

export const SellerChanges = Type.Object({
  status: Type.Optional(status),
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
    status,
    requestsPerMinute: Type.Integer(),
    creationsPerMinute: Type.Integer(),
    boletoDelayDays: Type.Integer({ description: 'Bank business days until a paid boleto is available.' }),
    cardDelayDays: Type.Integer({
      description: 'Days until a card payment is available, for each installment.',
    }),
    autoApproveUpTo: Type.Integer({
      description: 'Cents. Withdrawals up to this amount are approved automatically.',
    }),
    negativeBalanceUpTo: Type.Integer({
      description: 'Cents. Refunds may take the available balance this far below zero.',
    }),
    chargebackFee: Type.Integer({ description: 'Cents. Debited from the seller for each chargeback.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Seller' },
);

export const SellersQuery = Type.Object({
  status: Type.Optional(status),
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

/** The members of every user. Roles differ between users of the operator and of a seller. */
export const userProperties = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  email: Type.String(),
  createdAt: Timestamp,
};

export const LedgerCheckSchema = Type.Object({
  balanced: Type.Boolean(),
  sellers: Type.Integer(),
  entries: Type.Integer(),
  seals: Type.Integer({ description: 'Chain entries that were verified.' }),
  discrepancies: Type.Array(
    Type.Object({ kind: Type.String(), sellerId: Type.String({ format: 'uuid' }), message: Type.String() }),
  ),
});
