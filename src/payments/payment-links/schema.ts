import { Type, type Static } from 'typebox';

import { INTERVALS } from '#formats/calendar/intervals.ts';
import { METHODS } from '#payments/transactions/transaction.ts';
import { cardNumberRule } from '#platform/http/card-number-rule.ts';
import { metadataBody, nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { nonEmptyString, withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { LINK_STATUSES } from './link.ts';

const MIN_AMOUNT_CENTS = 100;
const MAX_PAYMENTS = 1_000_000;
const MAX_CYCLES = 1_000;

const optional = <T extends Parameters<typeof nullable>[0]>(schema: T) => Type.Optional(nullable<T>(schema));
const amount = (description: string) =>
  optional(Type.Integer({ minimum: MIN_AMOUNT_CENTS, maximum: MAX_AMOUNT_CENTS, description }));

const title = nonEmptyString(255, 'What is sold. Shown to the payer.');
const description = optional(Type.String({ maxLength: 1000, description: 'Shown to the payer.' }));
const maxPayments = optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_PAYMENTS,
    description: 'Number of payments that completes the link. Null: no limit.',
  }),
);
const expiresAt = optional(
  Type.String({
    format: 'date-or-timestamp',
    description: 'ISO 8601. A date means the end of that day in São Paulo. Null: the link does not expire.',
  }),
);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The payer enters an amount only if the link has none. */
const amountRule: CrossFieldRule = ({ amount, minAmount, maxAmount }) => {
  const range = { minAmount, maxAmount };
  if (isGiven(amount)) {
    return Object.entries(range).flatMap(([name, value]) =>
      isGiven(value) ? [{ path: [name], rule: 'must not be sent together with amount' as const }] : [],
    );
  }
  return typeof minAmount === 'number' && typeof maxAmount === 'number' && maxAmount < minAmount
    ? [{ path: ['maxAmount'], rule: `must not be less than ${minAmount}` as const }]
    : [];
};

/** Each cycle of a card is paid at once. */
const subscriptionRule: CrossFieldRule = ({ subscription, maxInstallments }) =>
  isGiven(subscription) && typeof maxInstallments === 'number' && maxInstallments > 1
    ? [{ path: ['maxInstallments'], rule: 'must not be greater than 1', code: 'too_large' }]
    : [];

export const CreateLinkBody = withCrossFieldRules(
  Type.Object(
    {
      title,
      description,
      amount: amount('Cents. Without it, the payer enters the amount.'),
      minAmount: amount(
        'Minimum amount that the payer may enter, in cents. Not allowed with `amount`. Defaults to 100.',
      ),
      maxAmount: amount('Maximum amount that the payer may enter, in cents. Not allowed with `amount`.'),
      methods: optional(
        Type.Array(Type.Enum([...METHODS]), {
          minItems: 1,
          maxItems: METHODS.length,
          description: 'Methods that the link accepts. Defaults to all.',
        }),
      ),
      maxInstallments: optional(
        Type.Integer({
          minimum: 1,
          maximum: 12,
          description:
            'Maximum number of installments of a card payment. Defaults to 12. Always 1 with `subscription`.',
        }),
      ),
      subscription: optional(
        Type.Object(
          {
            interval: Type.Enum([...INTERVALS], { description: 'The time between two cycles.' }),
            cycles: optional(
              Type.Integer({
                minimum: 1,
                maximum: MAX_CYCLES,
                description:
                  'Number of cycles, including the first payment. By default, the subscription does not end.',
              }),
            ),
          },
          {
            title: 'LinkSubscriptionInput',
            description:
              'A payment starts a subscription with the same method and pays its first cycle. ' +
              'Installments are not available.',
          },
        ),
      ),
      maxPayments,
      expiresAt,
      successUrl: optional(
        Type.String({
          format: 'https-url',
          description: 'URL that the payment page links to after the payment.',
        }),
      ),
      customerId: optional(
        recordId(
          'A customer record, whose data is used for the payments. Payers then do not enter ' +
            'their details. To pay by boleto, the payer must still enter the CPF or CNPJ.',
        ),
      ),
      externalRef: optional(
        Type.String({ maxLength: 128, description: 'Your order number. Copied to the transactions.' }),
      ),
      metadata: Type.Optional(metadataBody('Copied to the transactions.')),
      postbackUrl: optional(
        Type.String({
          format: 'https-url',
          description: 'URL that is notified of updates of the transactions.',
        }),
      ),
    },
    { title: 'CreatePaymentLinkRequest' },
  ),
  [amountRule, subscriptionRule, cardNumberRule],
);
export type CreateLinkBody = Static<typeof CreateLinkBody>;

export const UpdateLinkBody = withCrossFieldRules(
  Type.Object(
    {
      title: Type.Optional(title),
      description,
      expiresAt,
      maxPayments,
      status: Type.Optional(
        Type.Enum(['ACTIVE', 'INACTIVE'], { description: 'An INACTIVE link takes no new payments.' }),
      ),
    },
    { title: 'UpdatePaymentLinkRequest' },
  ),
  [cardNumberRule],
);
export type UpdateLinkBody = Static<typeof UpdateLinkBody>;

export const LinkListQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Type.Enum([...LINK_STATUSES], { description: 'Only links with this status.' })),
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Only links whose title or reference contains it. Case and accents are ignored.',
    }),
  ),
});

/** The members that payers see, too. */
export const publicLinkMembers = {
  code: Type.String({ description: 'Identifies the link in its URL.' }),
  url: Type.String({ description: 'The payment page.' }),
  title: Type.String({ description: 'What is sold.' }),
  description: nullable(Type.String({ description: 'Shown to the payer.' })),
  amount: nullable(Type.Integer({ description: 'Cents; null if the payer enters it.' })),
  minAmount: nullable(Type.Integer({ description: 'Minimum amount that the payer may enter, in cents.' })),
  maxAmount: nullable(Type.Integer({ description: 'Maximum amount that the payer may enter, in cents.' })),
  methods: Type.Array(Type.Enum([...METHODS]), { description: 'Methods that the link accepts.' }),
  maxInstallments: Type.Integer({ description: 'Maximum number of installments of a card payment.' }),
  subscription: nullable(
    Type.Object(
      {
        interval: Type.Enum([...INTERVALS], { description: 'The time between two cycles.' }),
        cycles: nullable(
          Type.Integer({
            description: 'Number of cycles, including the first payment; null if it does not end.',
          }),
        ),
      },
      {
        title: 'LinkSubscription',
        description: 'The subscription that a payment starts; null if it starts none.',
      },
    ),
  ),
  status: Type.Enum([...LINK_STATUSES], {
    description: 'COMPLETED: `maxPayments` is reached. Only an ACTIVE link takes new payments.',
  }),
  expiresAt: nullable(timestamp('When it expires; null if it does not.')),
  successUrl: nullable(Type.String({ description: 'URL that the payment page links to after the payment.' })),
};

export const LinkSchema = Type.Object(
  {
    id: recordId('Unique identifier.'),
    ...publicLinkMembers,
    maxPayments: nullable(Type.Integer({ description: 'Null: no limit.' })),
    paymentsCount: Type.Integer({ description: 'Payments so far, including refunded ones.' }),
    paidAmount: Type.Integer({
      description: 'The sum of these payments, in cents. Refunds are not deducted.',
    }),
    customerId: nullable(recordId('The customer record of the payer.')),
    externalRef: nullable(Type.String({ description: 'Your order number.' })),
    metadata: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'The metadata of the payment link.',
    }),
    postbackUrl: nullable(
      Type.String({ description: 'URL that is notified of updates of the transactions.' }),
    ),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it was last changed or paid.'),
  },
  { title: 'PaymentLink', description: 'A link that payers pay without an account.' },
);
