import { Type, type Static } from 'typebox';

import { METHODS } from '#payments/transactions/transaction.ts';
import { TransactionSchema } from '#payments/transactions/schema.ts';
import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import type { Violation } from '#platform/http/errors.ts';
import { nonEmptyString, withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
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
      'What the counted transactions have in common with the new one. `address` is ' +
      '`card.ip`, or the IP address of the visitor of the payment page.',
  }),
  windowSeconds: Type.Integer({
    minimum: 1,
    maximum: MAX_WINDOW_SECONDS,
    description: 'Length of the window, which ends now. At most 30 days.',
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
          "True matches only transactions whose payer's IP address is known, from the payment " +
          'page or `card.ip`. False has no effect.',
      }),
    ),
    count: Type.Optional(
      Type.Object(
        {
          of: Type.Enum(['charges', 'declines'], {
            description: '`charges`: transactions, including the new one. `declines`: earlier card declines.',
          }),
          ...window,
          above: Type.Integer({
            minimum: 0,
            maximum: MAX_COUNTED - 1,
            description: 'Matches if the count is greater.',
          }),
        },
        { description: 'Counts transactions in the window.' },
      ),
    ),
    sum: Type.Optional(
      Type.Object(
        {
          ...window,
          above: Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Cents. Matches if the sum, including the new transaction, is greater.',
          }),
        },
        { description: 'Sums the transactions in the window, at most the newest 1,000.' },
      ),
    ),
    scope: Type.Optional(
      Type.Enum([...SCOPES], {
        description:
          'Whose transactions are counted and summed: those of the same seller, or of all ' +
          'sellers. Always SELLER for a rule with `sellerId`; defaults to ALL_SELLERS for other rules.',
      }),
    ),
  },
  {
    title: 'RiskConditions',
    description:
      'All conditions that are present must match; without conditions, every transaction matches. ' +
      'Unknown conditions are rejected.',
  },
);

const fields = {
  name: nonEmptyString(100, 'Name of the rule, for operators.'),
  when: When,
  action: Type.Enum([...ACTIONS], {
    description:
      'ALLOW: the transaction is allowed, and no later rule is evaluated. REVIEW: the ' +
      'transaction waits for a manual review. REFUSE: the transaction becomes REFUSED, and ' +
      'no provider is called.',
  }),
};

const options = {
  enabled: Type.Optional(
    Type.Boolean({ description: 'Whether the rule is evaluated. Default for a new rule: true.' }),
  ),
  sellerId: Type.Optional(
    nullable(recordId('The seller whose transactions the rule applies to. Null: all sellers.')),
  ),
  position: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description:
        'Position in the order of evaluation. The first matching rule decides. Later rules move down. ' +
        'By default, a new rule comes last, and an existing rule keeps its position.',
    }),
  ),
  publicReason: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Added to the `statusReason` of refused transactions, which sellers see. The payment page ' +
          'does not show it. Null removes it.',
      }),
    ),
  ),
};

/**
 * Rejects unknown conditions. Other bodies ignore unknown members, but a rule without its misspelled
 * condition would match more transactions than its author intended, or all of them.
 */
const conditionNames: CrossFieldRule = ({ when }) => {
  const { count, sum } = When.properties;
  return [
    ...unknownMembers(['when'], when, When.properties),
    ...unknownMembers(['when', 'count'], memberOf(when, 'count'), count.properties),
    ...unknownMembers(['when', 'sum'], memberOf(when, 'sum'), sum.properties),
  ];
};

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

function unknownMembers(path: readonly string[], value: unknown, known: object): readonly Violation[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const rule = `is unknown; use one of the following names: ${Object.keys(known).join(', ')}` as const;
  return Object.keys(value)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => ({ path: [...path, name], rule, code: 'invalid_option' }));
}

export const CreateRuleBody = withCrossFieldRules(Type.Object({ ...fields, ...options }), [conditionNames]);
export const ChangeRuleBody = withCrossFieldRules(Type.Partial(Type.Object({ ...fields, ...options })), [
  conditionNames,
]);
export type ChangeRuleBody = Static<typeof ChangeRuleBody>;

export const RuleSchema = Type.Object(
  {
    id: recordId('The id of the rule.'),
    position: Type.Integer({
      description: 'Position in the order of evaluation. The first matching rule decides.',
    }),
    ...fields,
    enabled: Type.Boolean({ description: 'Whether the rule is evaluated.' }),
    sellerId: nullable(recordId('The seller whose transactions it applies to. Null: all sellers.')),
    publicReason: nullable(
      Type.String({
        description:
          'Added to the `statusReason` of refused transactions, which sellers see. The payment page ' +
          'does not show it.',
      }),
    ),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  {
    title: 'RiskRule',
    description: 'A rule that is evaluated for each transaction before a provider is called.',
  },
);

export const ListParams = Type.Object({
  kind: Type.String({ description: `The list: ${LIST_KINDS.join(', ')}.` }),
});

const value = Type.String({
  minLength: 1,
  maxLength: 320,
  description: 'A CPF or CNPJ, an email, an IP address, a card number, or a fingerprint.',
});

export const EntryBody = Type.Object({
  value,
  note: Type.Optional(nullable(Type.String({ maxLength: 500, description: 'Reason, for operators.' }))),
});
export const EntryQuery = Type.Object({ value });

export const EntrySchema = Type.Object(
  {
    id: recordId('The id of the entry.'),
    kind: Type.Enum([...LIST_KINDS], { description: 'The list.' }),
    value: Type.String({
      description: 'The value, masked. For an IPv6 address, its /64 network. For a fingerprint, `****`.',
    }),
    fingerprint: Type.String({ description: 'Keyed hash of the value. The value itself is not stored.' }),
    note: nullable(Type.String({ description: 'Reason, for operators.' })),
    createdAt: timestamp('When it was added.'),
  },
  {
    title: 'RiskListEntry',
    description: 'A value on a risk list. Blocked values are refused; trusted values are allowed.',
  },
);

export const ReviewBody = Type.Object({
  decision: Type.Enum(['APPROVE', 'REFUSE'], {
    description:
      'APPROVE captures a card payment, unless it was created with `capture: false`, or issues the ' +
      'code of a Pix or boleto. REFUSE voids a card payment, or refuses a Pix or boleto.',
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
  description: 'A transaction that waits for a review.',
});

export const ReviewSchema = Type.Object(
  {
    transaction: TransactionSchema,
    sellerId: recordId('The seller.'),
    sellerName: Type.String({ description: 'Name of the seller.' }),
    rule: nullable(
      Type.Object(
        {
          id: nullable(recordId('The id of the rule. Null: a risk list decided.')),
          name: Type.String({ description: 'Name of the rule at the time.' }),
          action: Type.String({ description: 'REVIEW or REFUSE.' }),
        },
        {
          description: 'The rule that sent the transaction to review or refused it; null if none did.',
        },
      ),
    ),
    cardFingerprint: nullable(
      Type.String({
        description:
          'Fingerprint of the card, to add it to a risk list. Null without a card, if no risk rule or ' +
          'list needed it, and for transactions older than 30 days.',
      }),
    ),
    relatives: Type.Array(
      Type.Object(
        {
          ...charge,
          by: Type.Enum([...SIGNAL_KINDS], { description: 'What the transactions have in common.' }),
        },
        { title: 'RelatedCharge', description: 'A transaction of any seller that has a value in common.' },
      ),
      {
        description:
          'Transactions of the last 30 days that have a value in common, grouped by `by`: up to 50 in ' +
          'each group, newest first.',
      },
    ),
  },
  {
    title: 'RiskReviewDetails',
    description: 'A transaction, the rule that decided it, and related transactions.',
  },
);
