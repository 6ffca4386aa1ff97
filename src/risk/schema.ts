import { Type, type Static } from 'typebox';

import { METHODS } from '#payments/transactions/transaction.ts';
import { TransactionSchema } from '#payments/transactions/schema.ts';
import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { LIST_KINDS } from './kinds.ts';
import { ACTIONS, MAX_COUNTED, SCOPES, SIGNAL_KINDS } from './rule.ts';

/** What signals are kept for. */
const MAX_WINDOW_SECONDS = 30 * 24 * 3_600;

const amount = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_AMOUNT_CENTS, description }));

const window = {
  by: Type.Enum([...SIGNAL_KINDS], {
    description:
      'What the charges have in common with the charge that is decided. The address is `card.ip`, or that of ' +
      'the visitor of the payment page.',
  }),
  windowSeconds: Type.Integer({
    minimum: 1,
    maximum: MAX_WINDOW_SECONDS,
    description: 'Length of the window that ends now, at most 30 days.',
  }),
};

const When = Type.Object(
  {
    amountAbove: amount('Cents. Matches larger amounts.'),
    amountBelow: amount('Cents. Matches smaller amounts.'),
    methods: Type.Optional(
      Type.Array(Type.Enum([...METHODS]), {
        minItems: 1,
        maxItems: METHODS.length,
        description: 'Matches these methods. By default, all.',
      }),
    ),
    cardCountries: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
        minItems: 1,
        maxItems: 250,
        description:
          'ISO 3166 codes. Matches cards issued in these countries. Never matches a card whose country is ' +
          'unknown.',
      }),
    ),
    payerPresent: Type.Optional(
      Type.Boolean({
        description:
          "True matches only charges with the payer's address: of a payment page, or with `card.ip`.",
      }),
    ),
    count: Type.Optional(
      Type.Object(
        {
          of: Type.Enum(['charges', 'declines'], {
            description:
              'charges include the charge that is decided; declines are earlier cards that were not accepted.',
          }),
          ...window,
          above: Type.Integer({
            minimum: 0,
            maximum: MAX_COUNTED - 1,
            description: 'Matches larger counts.',
          }),
        },
        { description: 'Matches if the window has more charges.' },
      ),
    ),
    sum: Type.Optional(
      Type.Object(
        {
          ...window,
          above: Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Cents. Matches larger sums, which include the charge that is decided.',
          }),
        },
        { description: 'Matches if the charges in the window, at most the newest 1,000, have a larger sum.' },
      ),
    ),
    scope: Type.Optional(
      Type.Enum([...SCOPES], {
        description:
          'Whose charges are counted and summed: those of the seller of the charge, or of all sellers. A rule ' +
          'of one seller counts its charges; by default, others count those of all.',
      }),
    ),
  },
  { title: 'RiskConditions', description: 'All members that are present must match.' },
);

const fields = {
  name: nonEmptyString(100, 'Name of the rule, for operators.'),
  when: When,
  action: Type.Enum([...ACTIONS], {
    description:
      'ALLOW: no later rule decides. REVIEW: a person decides. REFUSE: the charge ends as REFUSED, before a ' +
      'provider is called.',
  }),
};

const options = {
  enabled: Type.Optional(Type.Boolean({ description: 'Whether the rule decides. Defaults to true.' })),
  sellerId: Type.Optional(nullable(recordId('Only charges of this seller. Null: charges of all sellers.'))),
  position: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'The first matching rule applies. By default the last position; others move back.',
    }),
  ),
  publicReason: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'What sellers and payers read of a refused charge, in `statusReason`.',
      }),
    ),
  ),
};

export const CreateRuleBody = Type.Object({ ...fields, ...options });
export const ChangeRuleBody = Type.Partial(Type.Object({ ...fields, ...options }));
export type ChangeRuleBody = Static<typeof ChangeRuleBody>;

export const RuleSchema = Type.Object(
  {
    id: recordId('The id of the rule.'),
    position: Type.Integer({ description: 'The first rule that holds decides.' }),
    ...fields,
    enabled: Type.Boolean({ description: 'Whether the rule decides.' }),
    sellerId: nullable(recordId('The seller whose charges it decides. Null: all sellers.')),
    publicReason: nullable(Type.String({ description: 'What sellers and payers read of a refused charge.' })),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'RiskRule', description: 'A rule that decides charges before a provider is called.' },
);

export const ListParams = Type.Object({
  kind: Type.String({ description: `The list: ${LIST_KINDS.join(', ')}.` }),
});

const value = Type.String({
  minLength: 1,
  maxLength: 320,
  description: 'CPF or CNPJ, email, IP address or number of a card, or a fingerprint.',
});

export const EntryBody = Type.Object({
  value,
  note: Type.Optional(nullable(Type.String({ maxLength: 500, description: 'Why, for operators.' }))),
});
export const EntryQuery = Type.Object({ value });

export const EntrySchema = Type.Object(
  {
    id: recordId('The id of the entry.'),
    kind: Type.Enum([...LIST_KINDS], { description: 'The list.' }),
    value: Type.String({
      description: 'The value, masked. Of an IPv6 address its /64. `****` of a fingerprint.',
    }),
    fingerprint: Type.String({ description: 'Keyed hash of the value, which is all that is stored of it.' }),
    note: nullable(Type.String({ description: 'Why, for operators.' })),
    createdAt: timestamp('When it was added.'),
  },
  { title: 'RiskListEntry', description: 'A value of a list. Blocked is refused, trusted is allowed.' },
);

export const ReviewBody = Type.Object({
  decision: Type.Enum(['APPROVE', 'REFUSE'], {
    description: 'APPROVE captures a card; a Pix or boleto gets its code. REFUSE voids a card.',
  }),
});

const charge = {
  id: recordId('The transaction.'),
  sellerId: recordId('The seller.'),
  sellerName: Type.String({ description: 'Name of the seller.' }),
  method: Type.String({ description: 'How the payer pays.' }),
  status: Type.String({ description: 'Status of the transaction.' }),
  amount: Type.Integer({ description: 'Cents.' }),
  createdAt: timestamp('When it was created.'),
};

export const QueuedSchema = Type.Object(charge, {
  title: 'RiskReview',
  description: 'A charge that waits for a review.',
});

export const ReviewSchema = Type.Object(
  {
    transaction: TransactionSchema,
    sellerId: recordId('The seller.'),
    sellerName: Type.String({ description: 'Name of the seller.' }),
    rule: nullable(
      Type.Object(
        {
          id: nullable(recordId('The rule. Null: a list.')),
          name: Type.String({ description: 'Name of the rule at the time.' }),
          action: Type.String({ description: 'REVIEW or REFUSE.' }),
        },
        { description: 'The rule that decided. Null: none did.' },
      ),
    ),
    cardFingerprint: nullable(
      Type.String({
        description:
          'Fingerprint of the card, for adding it to a risk list. Null for charges older than 30 days.',
      }),
    ),
    relatives: Type.Array(
      Type.Object(
        {
          ...charge,
          by: Type.Enum([...SIGNAL_KINDS], { description: 'What the charges have in common.' }),
        },
        { title: 'RelatedCharge', description: 'A charge of any seller that has a value in common.' },
      ),
      { description: 'Up to 50 charges of the last 30 days for each value, newest first.' },
    ),
  },
  { title: 'RiskReviewDetails', description: 'A charge, the rule that decided it, and related charges.' },
);
