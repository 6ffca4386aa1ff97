import { Type, type Static } from 'typebox';

import { CustomerBody, documentRule, type DocumentRules } from '#payments/transactions/creation-schema.ts';
import { cardNumberRule } from '#platform/http/card-number-rule.ts';
import { metadataBody, nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import type { Violation } from '#platform/http/errors.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { statusFilter } from '#platform/http/status-filter.ts';
import type { Rule } from '#platform/http/rules.ts';
import { nonEmptyString, withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import {
  AMOUNT_TYPES,
  AUTHORIZATION_STATUSES,
  INTERVALS,
  INVOICE_STATUSES,
  JOURNEYS,
  ON_UNPAID,
  OUTCOMES,
  RETRY_POLICIES,
  SUBSCRIPTION_METHODS,
  SUBSCRIPTION_STATUSES,
  type Journey,
} from './subscription.ts';

const MIN_AMOUNT_CENTS = 100;
const MAX_CYCLES = 1_000;

const optional = <T extends Parameters<typeof nullable>[0]>(schema: T) => Type.Optional(nullable<T>(schema));
const cents = (description: string) =>
  Type.Integer({ minimum: MIN_AMOUNT_CENTS, maximum: MAX_AMOUNT_CENTS, description });

const description = optional(
  Type.String({ maxLength: 1000, description: 'What is sold. Copied to the transactions.' }),
);
const metadata = Type.Optional(metadataBody('Copied to the transactions.'));
const cardTokenId = Type.String({
  format: 'uuid',
  description: 'A token from `POST /v1/card-tokens`. Required for CREDIT_CARD.',
});

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The payer is either given or a customer record. */
const payerRule: CrossFieldRule = ({ customer, customerId }) => {
  if (isGiven(customer) && isGiven(customerId))
    return [{ path: ['customerId'], rule: 'must not be sent together with customer' }];
  return isGiven(customer) || isGiven(customerId) ? [] : [{ path: ['customer'], rule: 'must be an object' }];
};

/** Only a VARIABLE amount has a minimum, which the amount of a cycle is not below. */
const minimumRule: CrossFieldRule = ({ amount, amountType, minimumAmount }) => {
  if (!isGiven(minimumAmount)) return [];
  if (amountType !== 'VARIABLE')
    return [{ path: ['minimumAmount'], rule: 'must not be sent with amountType FIXED' }];
  const isAbove = typeof amount === 'number' && typeof minimumAmount === 'number' && minimumAmount > amount;
  return isAbove
    ? [{ path: ['minimumAmount'], rule: 'must not be greater than amount', code: 'too_large' }]
    : [];
};

/** The members of one method. */
const methodRule: CrossFieldRule = ({ method, cardTokenId: token, pixJourney, pixPayerAccount }) => {
  const violations: Violation[] = [];
  if (method === 'CREDIT_CARD' && !isGiven(token))
    violations.push({ path: ['cardTokenId'], rule: 'must be a UUID' });
  const isMethod = SUBSCRIPTION_METHODS.find((known) => known === method);
  if (isMethod === undefined) return violations;
  if (isMethod !== 'CREDIT_CARD' && isGiven(token))
    violations.push({ path: ['cardTokenId'], rule: `must not be sent with method ${isMethod}` });
  if (isGiven(pixPayerAccount) && (isMethod !== 'PIX_AUTOMATICO' || pixJourney !== 1))
    violations.push({ path: ['pixPayerAccount'], rule: 'must only be sent with pixJourney 1' });
  if (isMethod !== 'PIX_AUTOMATICO' && isGiven(pixJourney))
    violations.push({ path: ['pixJourney'], rule: `must not be sent with method ${isMethod}` });
  return violations;
};

const createMembers = {
  customerId: optional(recordId('A customer record, instead of `customer`.')),
  customer: Type.Optional(nullable(CustomerBody)),
  amount: cents('Amount of each cycle, in cents.'),
  amountType: optional(
    Type.Enum([...AMOUNT_TYPES], {
      description: 'Whether the amount of a Pix Automático subscription may change. Defaults to FIXED.',
    }),
  ),
  minimumAmount: optional(
    cents('With `amountType` VARIABLE: the lowest limit that the payer may set at the bank, in cents.'),
  ),
  method: Type.Enum([...SUBSCRIPTION_METHODS], { description: 'How the payer pays.' }),
  interval: Type.Enum([...INTERVALS], { description: 'The time between two cycles.' }),
  startDate: Type.String({
    format: 'date-or-timestamp',
    description:
      'The day of the first cycle, in São Paulo: today or later; for PIX_AUTOMATICO at least ' +
      'two days away. A timestamp stands for its day there. Later cycles are on the same day of the week for WEEKLY, otherwise on the ' +
      'same day of the month, or on the last day of a shorter month.',
  }),
  cycles: optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_CYCLES,
      description: 'Number of cycles after which it ends. By default, the subscription does not end.',
    }),
  ),
  description,
  cardTokenId: optional(cardTokenId),
  retryPolicy: optional(
    Type.Enum([...RETRY_POLICIES], {
      description:
        'Whether failed charges are retried. THREE_IN_SEVEN_DAYS: up to three retries within ' +
        'seven days. Defaults to THREE_IN_SEVEN_DAYS for PIX_AUTOMATICO and CREDIT_CARD, and to ' +
        'NONE for BOLETO and PIX.',
    }),
  ),
  onUnpaid: optional(
    Type.Enum([...ON_UNPAID], {
      description:
        'What happens to the subscription if an invoice is unpaid after its last retry. ' +
        'Defaults to CONTINUE.',
    }),
  ),
  pixJourney: optional(
    Type.Integer({
      minimum: 1,
      maximum: 4,
      description:
        "How the payer authorizes Pix Automático. 1: by a request in the bank's app. 2: by a " +
        'QR code. 3: by a QR code that also pays one cycle now, in addition to the one of ' +
        '`startDate`. 4: by a QR code that also schedules the first cycle. Defaults to 2.',
    }),
  ),
  pixPayerAccount: optional(
    Type.Object(
      {
        ispb: Type.String({
          pattern: '^[0-9A-Z]{8}$',
          'x-rule': 'must be an ISPB' satisfies Rule,
          description: 'The ISPB of the bank.',
        }),
        branch: optional(Type.String({ maxLength: 4, description: 'The branch, without its check digit.' })),
        account: nonEmptyString(20, 'The number of the account.'),
      },
      {
        title: 'PixPayerAccount',
        description:
          "The payer's account at the bank that asks the payer for the authorization. Only with " +
          '`pixJourney` 1, and then required, unless the sandbox simulates the bank.',
      },
    ),
  ),
  externalRef: optional(
    Type.String({ maxLength: 128, description: 'Your reference. Copied to the transactions.' }),
  ),
  metadata,
  postbackUrl: optional(
    Type.String({ format: 'https-url', description: 'URL that is notified of updates of the transactions.' }),
  ),
};

export const createSubscriptionBody = (rules: DocumentRules) =>
  withCrossFieldRules(Type.Object(createMembers, { title: 'CreateSubscriptionRequest' }), [
    payerRule,
    documentRule('customer', rules),
    minimumRule,
    methodRule,
    cardNumberRule,
  ]);
export type CreateSubscriptionBody = Static<ReturnType<typeof createSubscriptionBody>>;

export const UpdateSubscriptionBody = withCrossFieldRules(
  Type.Object(
    {
      amount: Type.Optional(cents('Amount of each cycle from the next one on, in cents.')),
      cardTokenId: Type.Optional(
        Type.String({
          format: 'uuid',
          description: 'A token from `POST /v1/card-tokens`, which replaces the card. CREDIT_CARD only.',
        }),
      ),
      description,
      metadata,
    },
    { title: 'UpdateSubscriptionRequest' },
  ),
  [cardNumberRule],
);
export type UpdateSubscriptionBody = Static<typeof UpdateSubscriptionBody>;

export const subscriptionStatuses = statusFilter(SUBSCRIPTION_STATUSES);

export const SubscriptionListQuery = withCrossFieldRules(
  Type.Object({
    status: subscriptionStatuses.querySchema,
    customerId: Type.Optional(recordId('Only subscriptions of this customer.')),
    ...pageQuery,
  }),
  [subscriptionStatuses.rule],
);

export const NextOutcomeBody = Type.Object({
  outcome: Type.Enum([...OUTCOMES], { description: 'Outcome of the next attempt only.' }),
});

export const statusMember = Type.Enum([...SUBSCRIPTION_STATUSES], {
  description:
    "PENDING: waits for the payer's authorization or first payment. PAST_DUE: an invoice is unpaid " +
    'after its last retry. COMPLETED: all `cycles` were charged, and the last open invoice was paid. ' +
    'REJECTED: the authorization or first payment was refused. EXPIRED: neither came in time. New cycles ' +
    'are charged only while ACTIVE or PAST_DUE.',
});
export const methodMember = Type.Enum([...SUBSCRIPTION_METHODS], { description: 'How the payer pays.' });
export const intervalMember = Type.Enum([...INTERVALS], { description: 'The time between two cycles.' });
export const invoiceStatusMember = Type.Enum([...INVOICE_STATUSES], {
  description:
    'SCHEDULED: sent to the bank before its due date. PENDING: waits for the payment or ' +
    'the next attempt.',
});
export const anyMetadata = Type.Unsafe<Readonly<Record<string, unknown>> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'The metadata of the subscription.',
});
const day = (text: string) => Type.String({ description: text });

const PixAutomaticoSchema = Type.Object(
  {
    idRec: nullable(
      Type.String({
        description: 'Id of the recurrence at the bank; null until the bank has assigned one.',
      }),
    ),
    status: Type.Enum([...AUTHORIZATION_STATUSES], {
      description: "Status of the recurrence, as defined by the Central Bank's Pix API.",
    }),
    journey: Type.Unsafe<Journey>({
      type: 'integer',
      enum: [...JOURNEYS],
      description: 'How the payer authorizes it: the `pixJourney` of the request.',
    }),
    qrCode: nullable(
      Type.String({ description: 'The BR Code that the payer scans to authorize; null for journey 1.' }),
    ),
    qrCodeBase64: nullable(Type.String({ description: 'The code as a PNG image, as a data URI.' })),
  },
  { title: 'PixAutomatico', description: 'The Pix Automático authorization; null for other methods.' },
);

const SubscriptionCustomerSchema = Type.Object(
  {
    name: Type.String({ description: 'Full name, or company name.' }),
    email: Type.String({ description: 'Email address.' }),
    phone: Type.String({ description: 'Phone number with area code, digits only.' }),
    documentType: Type.String({ description: 'CPF or CNPJ.' }),
    document: Type.String({ description: 'Masked.' }),
    externalRef: nullable(Type.String({ description: 'Your reference for the customer.' })),
  },
  {
    title: 'SubscriptionCustomer',
    description: 'The `customer` of the request; null if the subscription has a customer record.',
  },
);

export const SubscriptionSchema = Type.Object(
  {
    id: recordId('Unique identifier.'),
    status: statusMember,
    method: methodMember,
    amount: Type.Integer({ description: 'Amount of each cycle from the next one on, in cents.' }),
    amountType: Type.Enum([...AMOUNT_TYPES], {
      description: 'Whether the amount of a Pix Automático subscription may change.',
    }),
    minimumAmount: nullable(
      Type.Integer({ description: 'The lowest limit that the payer may set, in cents.' }),
    ),
    interval: intervalMember,
    startDate: day('The day of the first cycle, in São Paulo.'),
    cycles: nullable(
      Type.Integer({ description: 'Number of cycles after which it ends; null if it does not end.' }),
    ),
    chargedCycles: Type.Integer({ description: 'Cycles charged so far, which count toward `cycles`.' }),
    nextChargeDate: nullable(day('The day of the next cycle; null if there is none.')),
    retryPolicy: Type.Enum([...RETRY_POLICIES], {
      description:
        'Whether failed charges are retried. THREE_IN_SEVEN_DAYS: up to three retries within seven days.',
    }),
    onUnpaid: Type.Enum([...ON_UNPAID], {
      description: 'What happens to the subscription if an invoice is unpaid after its last retry.',
    }),
    description: nullable(Type.String({ description: 'What is sold.' })),
    customerId: nullable(recordId('The customer record of the payer.')),
    customer: nullable(SubscriptionCustomerSchema),
    cardTokenId: nullable(recordId('The saved card.')),
    pixAutomatico: nullable(PixAutomaticoSchema),
    payerUrl: Type.String({
      description:
        'The page on which the payer views the subscription, changes its card, and cancels it. ' +
        'Anyone who has the URL can do so. It is emailed to the payer only if `payerEmails` of ' +
        "the seller's settings is true.",
    }),
    externalRef: nullable(Type.String({ description: 'Your reference.' })),
    metadata: anyMetadata,
    postbackUrl: nullable(
      Type.String({ description: 'URL that is notified of updates of the transactions.' }),
    ),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'Subscription', description: 'A subscription, which charges a payer at an interval.' },
);

export const SummaryQuery = Type.Object({
  months: Type.Integer({
    minimum: 1,
    maximum: 36,
    default: 12,
    description: 'Number of months, including the current one.',
  }),
});

const RevenueMonthSchema = Type.Object(
  {
    month: Type.String({ description: '`YYYY-MM`, in São Paulo.' }),
    monthlyRevenue: Type.Integer({
      description:
        'Monthly recurring revenue at the end of the month, or now, for the current month, in cents.',
    }),
    activeSubscriptions: Type.Integer({
      description:
        'Subscriptions that were ACTIVE or PAST_DUE at the end of the month, or are now, for ' +
        'the current month.',
    }),
    canceled: Type.Integer({ description: 'Subscriptions canceled in the month.' }),
    churn: nullable(
      Type.Integer({
        description:
          'Canceled subscriptions as a share of those active at the start of the month, in basis points ' +
          '(hundredths of a percent); null if there were none.',
      }),
    ),
    recoveredPayments: Type.Integer({ description: 'Invoices paid in the month after a failed attempt.' }),
    recoveredAmount: Type.Integer({ description: 'Sum of these invoices, in cents.' }),
  },
  { title: 'SubscriptionMonth', description: 'The subscriptions of a seller in a month.' },
);

export const SummarySchema = Type.Object(
  {
    monthlyRevenue: Type.Integer({
      description:
        'Monthly recurring revenue of ACTIVE and PAST_DUE subscriptions, in cents. The amount ' +
        'of each is converted from its interval to a month and rounded.',
    }),
    activeSubscriptions: Type.Integer({ description: 'ACTIVE and PAST_DUE subscriptions.' }),
    months: Type.Array(RevenueMonthSchema, { description: 'Oldest first.' }),
  },
  { title: 'SubscriptionSummary', description: 'Recurring revenue, churn and recovered payments.' },
);

const AttemptSchema = Type.Object(
  {
    date: day('The day in São Paulo.'),
    status: Type.Enum(['PENDING', 'PAID', 'FAILED', 'CANCELLED'], {
      description: 'PENDING: the outcome is not known yet.',
    }),
    reason: nullable(Type.String({ description: 'Why it failed.' })),
  },
  { title: 'InvoiceAttempt', description: 'An attempt to collect an invoice.' },
);

export const InvoiceSchema = Type.Object(
  {
    id: recordId('Unique identifier.'),
    subscriptionId: recordId('The subscription.'),
    number: Type.Integer({ description: 'Number of the cycle, from 1.' }),
    dueDate: day('The day of the cycle, in São Paulo.'),
    amount: Type.Integer({ description: 'Cents.' }),
    status: invoiceStatusMember,
    transactionId: nullable(recordId('The newest transaction of the invoice; null if it has none yet.')),
    attempts: Type.Array(AttemptSchema, { description: 'The attempts so far, oldest first.' }),
    nextAttemptDate: nullable(day('The day of the next attempt; null if there is none.')),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'Invoice', description: 'What the payer owes for one cycle of a subscription.' },
);
