import { Type, type Static } from 'typebox';

import { csvLocaleQuery, exportQuery } from '#platform/http/csv.ts';
import { customerMembers, documentRule, type DocumentRules } from '#payments/transactions/creation-schema.ts';
import { cardNumberRule } from '#platform/http/card-number-rule.ts';
import { dateQuery, dateRule } from '#platform/http/date-filters.ts';
import { described, metadataBody, nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { nonEmptyString, withCrossFieldRules } from '#platform/http/validation.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import type { Address, CustomerRecord } from './customer.ts';

const line = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

export const AddressBody = Type.Object(
  {
    street: line(255, 'Street.'),
    number: line(20, 'House number.'),
    complement: line(255, 'Apartment, block.'),
    district: line(100, 'District (bairro).'),
    city: line(100, 'City.'),
    state: Type.Optional(
      nullable(
        Type.String({ pattern: '^[A-Z]{2}$', 'x-rule': 'must be two letters', description: 'State: `SP`.' }),
      ),
    ),
    postalCode: Type.Optional(
      nullable(
        Type.String({
          pattern: '^\\d{5}-?\\d{3}$',
          'x-rule': 'must be 8 digits',
          description: 'CEP: eight digits.',
        }),
      ),
    ),
    country: Type.Optional(
      nullable(
        Type.String({
          pattern: '^[A-Z]{2}$',
          'x-rule': 'must be an ISO 3166 code',
          description: 'ISO 3166: `BR`.',
        }),
      ),
    ),
  },
  { title: 'Address', description: 'Postal address.' },
);

const optionalMembers = {
  address: Type.Optional(nullable(AddressBody)),
  metadata: Type.Optional(metadataBody('Returned unchanged.')),
  notes: line(2000, 'For your own use.'),
};

export const createBodySchema = (rules: DocumentRules) =>
  withCrossFieldRules(
    Type.Object({ ...customerMembers, ...optionalMembers }, { title: 'CreateCustomerRequest' }),
    [documentRule(null, rules), cardNumberRule],
  );

export type CreateCustomerBody = Static<ReturnType<typeof createBodySchema>>;

/** The document identifies the customer and is not changed alone. */
export const updateBodySchema = (rules: DocumentRules) =>
  withCrossFieldRules(
    Type.Object(
      {
        name: Type.Optional(customerMembers.name),
        email: Type.Optional(customerMembers.email),
        phone: Type.Optional(customerMembers.phone),
        documentType: Type.Optional(
          described(
            customerMembers.documentType,
            'CPF for a person, CNPJ for a company. Send it together with `document`.',
          ),
        ),
        document: Type.Optional(
          described(
            customerMembers.document,
            '11 digits for a CPF, 14 characters for a CNPJ. Send it together with `documentType`.',
          ),
        ),
        externalRef: customerMembers.externalRef,
        ...optionalMembers,
      },
      { title: 'UpdateCustomerRequest' },
    ),
    [
      ({ document, documentType }) =>
        (document === undefined) === (documentType === undefined)
          ? []
          : [{ path: ['documentType'], rule: 'must be sent together with document' }],
      documentRule(null, rules),
      cardNumberRule,
    ],
  );

export const CustomerListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    externalRef: Type.Optional(
      Type.String({ maxLength: 255, description: 'Only customers with this reference.' }),
    ),
    ...dateQuery,
    ...exportQuery,
    ...csvLocaleQuery,
  }),
  [dateRule],
);

export const LookupBody = Type.Object({
  text: Type.Unsafe<string>({
    ...nonEmptyString(320),
    description:
      'A complete id, CPF or CNPJ, or part of a name, email or reference. Case and accents are ignored.',
  }),
});

export const CustomerSchema = Type.Object(
  {
    id: recordId('Unique identifier.'),
    name: Type.String({ description: 'Full name, or company name.' }),
    email: Type.String({ description: 'Email address.' }),
    phone: Type.String({ description: 'Phone number with area code, digits only.' }),
    documentType: Type.Enum(['CPF', 'CNPJ'], { description: 'CPF for a person, CNPJ for a company.' }),
    document: Type.String({ description: 'Masked.' }),
    externalRef: nullable(Type.String({ description: 'Your reference for the customer.' })),
    address: Type.Unsafe<Address | null>(nullable(AddressBody)),
    metadata: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'The metadata of the customer.',
    }),
    notes: nullable(Type.String({ description: 'For your own use.' })),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'CustomerRecord', description: 'A customer of the seller.' },
);

export function viewCustomerRecord(customer: CustomerRecord): Static<typeof CustomerSchema> {
  const { sellerId: _sellerId, ...members } = customer;
  return {
    ...members,
    address: members.address === null ? null : { ...members.address },
    document: maskDocument(customer.documentType, customer.document),
    createdAt: customer.createdAt.toISOString(),
    updatedAt: customer.updatedAt.toISOString(),
  };
}
