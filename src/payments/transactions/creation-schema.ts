import { Type, type Static } from 'typebox';

import type { Rule } from '#platform/http/rules.ts';
import { passesLuhn } from '#formats/card/card-number.ts';
import { cardNumberRule } from '#platform/http/card-number-rule.ts';
import { metadataBody, nullable, recordId } from '#platform/http/envelope.ts';
import type { Violation } from '#platform/http/errors.ts';
import {
  addFormat,
  nameString,
  nonEmptyString,
  withCrossFieldRules,
  type CrossFieldRule,
} from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { METHODS } from './transaction.ts';

const MAX_REFERENCE_LENGTH = 128;
const HOLDER_DOCUMENT_RULE: Rule = 'must be 11 to 14 digits';
const YEAR_SECONDS = 365 * 24 * 3600;

/** The members of a payer in a request. */
export const customerMembers = {
  name: nameString(255, 'Full name, or company name. Transliterated to Latin letters for banks.'),
  email: Type.String({ format: 'email', maxLength: 320, description: 'Email address.' }),
  phone: Type.String({
    pattern: '^\\d{10,13}$',
    'x-rule': 'must be 10 to 13 digits' satisfies Rule,
    description: '10 to 13 digits, with area code, without punctuation.',
  }),
  documentType: Type.Enum(['CPF', 'CNPJ'], { description: 'CPF for a person, CNPJ for a company.' }),
  document: Type.String({ description: '11 digits for a CPF, 14 characters for a CNPJ.' }),
  externalRef: Type.Optional(
    nullable(
      Type.String({ maxLength: MAX_REFERENCE_LENGTH, description: 'Your reference for the customer.' }),
    ),
  ),
};

export const CustomerBody = Type.Object(customerMembers, {
  title: 'CustomerInput',
  description: 'The payer. Required unless you send `customerId`.',
});

const ItemBody = Type.Object(
  {
    title: nonEmptyString(255, 'What is sold.'),
    amount: Type.Integer({ minimum: 0, maximum: MAX_AMOUNT_CENTS, description: 'Unit price in cents.' }),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Number of units.' }),
    tangible: Type.Boolean({ description: 'True for goods, false for services and digital goods.' }),
    externalRef: Type.Optional(
      nullable(Type.String({ maxLength: MAX_REFERENCE_LENGTH, description: 'Your reference for the item.' })),
    ),
  },
  { title: 'ItemInput', description: 'What is sold.' },
);

addFormat('credit-card', (text) => /^\d{13,19}$/.test(text) && passesLuhn(text), 'must be a credit card');

const text = (maxLength: number, description?: string) =>
  Type.Optional(nullable(Type.String({ maxLength, ...(description === undefined ? {} : { description }) })));

/** The required members depend on the method and on the token: see `cardRule`. */
export const CardBody = Type.Object(
  {
    number: Type.Optional(
      nullable(Type.String({ format: 'credit-card', description: 'Digits, without spaces.' })),
    ),
    holderName: Type.Optional(nullable(nonEmptyString(255, 'Name as printed on the card.'))),
    expirationMonth: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 12, description: 'Month, from 1 to 12.' })),
    ),
    expirationYear: Type.Optional(
      nullable(
        Type.Integer({ minimum: 0, maximum: 2199, description: 'Four digits. Two digits mean 20YY.' }),
      ),
    ),
    cvv: Type.Optional(
      nullable(
        Type.String({
          pattern: '^\\d{3,4}$',
          'x-rule': 'must be 3 or 4 digits' satisfies Rule,
          description: 'Not stored.',
        }),
      ),
    ),
    holderDocument: Type.Optional(
      nullable(
        Type.String({
          pattern: '^(?:\\d{11,14}|[0-9A-Z]{12}\\d{2})$',
          'x-rule': HOLDER_DOCUMENT_RULE satisfies Rule,
          description: 'CPF or CNPJ of the cardholder, without punctuation.',
        }),
      ),
    ),
    token: Type.Optional(
      nullable(
        Type.String({
          format: 'uuid',
          description:
            'A token from `POST /v1/card-tokens`. Replaces the number, the expiration date and the CVV. ' +
            '`cvv` may be sent in addition.',
        }),
      ),
    ),
    sessionId: text(255, 'Session id of the anti-fraud script on your checkout page.'),
    ip: text(45, "The payer's IP address."),
    currency: Type.Optional(
      nullable(
        Type.String({
          pattern: '^[A-Z]{3}$',
          'x-rule': 'must be an ISO 4217 code' satisfies Rule,
          description:
            'ISO 4217. Required, and not BRL, if `global` is true. Currencies other than BRL are ' +
            'refused, because no card provider settles them yet.',
        }),
      ),
    ),
    threeDS: Type.Optional(
      nullable(
        Type.Object(
          {
            cavv: text(255, 'Authentication value of the issuer.'),
            xid: text(255, 'Id of the authentication transaction (3-D Secure 1).'),
            eci: text(10, 'Electronic commerce indicator.'),
            version: text(20, 'Version of 3-D Secure.'),
            referenceId: text(255, 'Id of the authentication at the 3-D Secure server.'),
          },
          { title: 'ThreeDSecureInput', description: 'The result of a 3-D Secure authentication.' },
        ),
      ),
    ),
  },
  {
    title: 'CardInput',
    description:
      'Required for CREDIT_CARD. Without `token`, the number, holder name, expiration and ' +
      'CVV are required.',
  },
);

const body = {
  amount: Type.Integer({ minimum: 100, maximum: MAX_AMOUNT_CENTS, description: 'Cents.' }),
  method: Type.Enum([...METHODS], { description: 'How the payer pays.' }),
  customer: Type.Optional(nullable(CustomerBody)),
  customerId: Type.Optional(nullable(recordId('A customer record, instead of `customer`.'))),
  items: Type.Array(ItemBody, {
    minItems: 1,
    maxItems: 500,
    description: 'What is sold. Because of discounts and shipping, they need not add up to `amount`.',
  }),
  card: Type.Optional(nullable(CardBody)),
  global: Type.Optional(
    nullable(
      Type.Boolean({
        description:
          'Marks an international card payment. Refused, because no card provider settles ' +
          'currencies other than BRL yet.',
      }),
    ),
  ),
  installments: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 12, description: 'Required for CREDIT_CARD.' })),
  ),
  capture: Type.Optional(
    nullable(
      Type.Boolean({ description: 'False: authorize the card only and capture later. Defaults to true.' }),
    ),
  ),
  metadata: Type.Optional(metadataBody('Returned unchanged.')),
  description: Type.Optional(
    nullable(
      Type.String({
        maxLength: 1000,
        description: 'Shown to the payer on the payment page and on the receipt.',
      }),
    ),
  ),
  externalRef: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_REFERENCE_LENGTH,
        description: 'Your order number. Need not be unique.',
      }),
    ),
  ),
  postbackUrl: Type.Optional(
    nullable(
      Type.String({
        format: 'https-url',
        description: 'URL that is notified of updates of this transaction, in addition to your webhooks.',
      }),
    ),
  ),
  expiration: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: YEAR_SECONDS,
        description:
          'Seconds until an unpaid PIX transaction fails. For BOLETO, an expiration of one day or ' +
          'more determines the due date: the boleto can be paid until the end of that date, or of the ' +
          'next business day if banks are closed then. ' +
          'Defaults to one hour for PIX and three days for BOLETO.',
      }),
    ),
  ),
};

/** How documents are validated: always by length, by check digits if `verify` is set. */
export interface DocumentRules {
  readonly verify: boolean;
  readonly alphanumericCnpj: boolean;
  readonly isValid: (type: 'CPF' | 'CNPJ', document: string) => boolean;
}

export function createBodySchema(rules: DocumentRules) {
  return withCrossFieldRules(Type.Object(body, { title: 'CreateTransactionRequest' }), [
    payerRule,
    documentRule('customer', rules),
    cardRule,
    cardNumberRule,
    ...(rules.alphanumericCnpj ? [] : [holderDigitsRule]),
  ]);
}

export type CreateBody = Static<ReturnType<typeof createBodySchema>>;

/**
 * The document must match its type. A document with an invalid type is not validated: the type is
 * the error.
 */
export function documentRule(member: string | null, rules: DocumentRules): CrossFieldRule {
  return (data) => {
    const holder = member === null ? data : data[member];
    if (typeof holder !== 'object' || holder === null) return [];
    const { documentType, document } = holder as {
      readonly documentType?: unknown;
      readonly document?: unknown;
    };
    if (typeof document !== 'string' || (documentType !== 'CPF' && documentType !== 'CNPJ')) return [];
    const path = member === null ? ['document'] : [member, 'document'];
    const rule = brokenDocumentRule(documentType, document, rules);
    return rule === undefined ? [] : ([{ path, rule }] satisfies Violation[]);
  };
}

function brokenDocumentRule(type: 'CPF' | 'CNPJ', document: string, rules: DocumentRules): Rule | undefined {
  const alphanumeric = type === 'CNPJ' && rules.alphanumericCnpj;
  if (type === 'CPF' && !/^\d{11}$/.test(document)) return 'must be 11 digits for CPF';
  if (type === 'CNPJ' && !(alphanumeric ? /^[0-9A-Z]{12}\d{2}$/ : /^\d{14}$/).test(document)) {
    return 'must be 14 digits for CNPJ';
  }
  if (rules.verify && !rules.isValid(type, document)) return `must be a valid ${type}`;
  return undefined;
}

/** The payer is either given or a customer record. */
const payerRule: CrossFieldRule = ({ customer, customerId }) => {
  const isGiven = customer !== undefined && customer !== null;
  const isRecord = customerId !== undefined && customerId !== null;
  if (isGiven && isRecord) return [{ path: ['customerId'], rule: 'must not be sent together with customer' }];
  return isGiven || isRecord ? [] : [{ path: ['customer'], rule: 'must be an object' }];
};

/** Rejects letters in the document of the cardholder. Other rules reject what is no document. */
export const holderDigitsRule: CrossFieldRule = ({ card }) => {
  if (typeof card !== 'object' || card === null || !('holderDocument' in card)) return [];
  const { holderDocument: document } = card;
  if (typeof document !== 'string' || !/^(?=\d*[A-Z])[0-9A-Z]{12}\d{2}$/.test(document)) return [];
  return [{ path: ['card', 'holderDocument'], rule: HOLDER_DOCUMENT_RULE }];
};

/** The members that only a card payment requires. */
export const cardRule: CrossFieldRule = ({ method, card, installments, global }) => {
  if (method !== 'CREDIT_CARD') return [];
  const missing: Violation[] = [];
  if (installments === undefined || installments === null) {
    missing.push({ path: ['installments'], rule: 'must be an integer number' });
  }
  if (typeof card !== 'object' || card === null || Array.isArray(card)) {
    // The schema rejects a card of another JSON type.
    if (card === undefined || card === null) missing.push({ path: ['card'], rule: 'must be an object' });
    return missing;
  }
  const members: Readonly<Record<string, unknown>> = { ...card };
  const absent = (name: string): boolean => members[name] === undefined || members[name] === null;
  const requireMember = (name: string, rule: Rule): void => {
    if (absent(name)) missing.push({ path: ['card', name], rule });
  };
  if (absent('token')) {
    requireMember('number', 'must be a credit card');
    requireMember('holderName', 'should not be empty');
    requireMember('expirationMonth', 'must be an integer number');
    requireMember('expirationYear', 'must be an integer number');
    requireMember('cvv', 'must be 3 or 4 digits');
  }
  if (!isYear(members['expirationYear'])) {
    missing.push({ path: ['card', 'expirationYear'], rule: 'must be a year of four digits' });
  }
  if (global === true) {
    requireMember('currency', 'should not be empty');
    if (members['currency'] === 'BRL') {
      missing.push({ path: ['card', 'currency'], rule: 'must not be BRL for international transactions' });
    }
  }
  return missing;
};

/** Two digits, or four. Other rules reject a year that is absent or not an integer. */
function isYear(year: unknown): boolean {
  return !Number.isInteger(year) || (typeof year === 'number' && (year < 100 || year >= 2000));
}
