import type { Static } from 'typebox';

import { ok } from '#platform/http/envelope.ts';
import type { ApplicationDocumentSchema, ApplicationSchema } from './schema.ts';

/** Examples of the API reference. A test validates each against its schema. */

const id = '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f';
const createdAt = '2026-11-20T12:00:00.000Z';
const email = 'bruna@loja.example';

export const SIGNUP_SETTINGS = { Open: ok({ open: true, confirmEmail: true }) };
export const SIGN_UP = {
  'A company': {
    name: 'Loja Demonstração',
    documentType: 'CNPJ',
    document: '11222333000181',
    ownerName: 'Bruna Lima',
    ownerEmail: email,
    ownerPassword: 'five words are long enough',
  },
};
export const SIGNED_UP = {
  'To be confirmed': ok({ id, name: 'Loja Demonstração', status: 'PENDING', confirmEmail: true }),
};
export const CONFIRMATION = {
  'The token of the link': { token: 'kY3vQm0c2m7Hq1sZs8Qe4n5Jr6xT9wVb0aLdPfGhKzU' },
};
export const CONFIRMED = { Confirmed: ok({ id, ownerEmail: email }) };

const document: Static<typeof ApplicationDocumentSchema> = {
  id: '01a1fb71-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  kind: 'COMPANY',
  name: 'contrato-social.pdf',
  contentType: 'application/pdf',
  size: 182_344,
  createdAt,
};

const details = {
  phone: '11987654321',
  address: {
    street: 'Rua Augusta',
    number: '1500',
    complement: null,
    district: 'Consolação',
    city: 'São Paulo',
    state: 'SP',
    postalCode: '01304-001',
    country: 'BR',
  },
  activity: 'Canecas e camisetas, em loja virtual própria.',
  expectedVolume: 5_000_000,
  bankAccount: { bank: '341', branch: '1234', account: '56789-0', type: 'CHECKING' as const },
};

const application: Static<typeof ApplicationSchema> = {
  id,
  sellerId: id,
  status: 'QUESTION',
  name: 'Loja Demonstração',
  documentType: 'CNPJ',
  document: '11222333000181',
  ownerName: 'Bruna Lima',
  ownerEmail: email,
  createdAt,
  updatedAt: '2026-11-21T09:00:00.000Z',
  submittedAt: createdAt,
  decidedAt: null,
  ...details,
  missing: ['documents.IDENTITY'],
  documents: [document],
  messages: [
    {
      id: '01a1fb72-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
      author: 'OPERATOR',
      text: 'Please attach an identity document of Bruna Lima.',
      createdAt: '2026-11-21T09:00:00.000Z',
    },
  ],
  erasedAt: null,
};

const { missing: _m, documents: _d, messages: _t, erasedAt: _e, ...stated } = application;
const { phone: _p, address: _a, activity: _c, expectedVolume: _v, bankAccount: _b, ...summary } = stated;

const decidedAt = '2026-11-22T09:00:00.000Z';

export const APPLICATION = { 'With a question': ok(application) };
export const CHANGES = { 'Everything that is required': details };
export const ANSWER = { 'With an answer': { message: 'The document is attached.' } };
export const SUBMITTED = { Submitted: ok({ ...application, status: 'SUBMITTED', missing: [] }) };
export const DOCUMENT = { Uploaded: ok(document) };
export const DELETED = { Deleted: ok({ id: document.id }) };
export const APPLICATIONS = {
  'The only page': {
    status: true,
    count: 1,
    nextCursor: null,
    data: [
      {
        ...summary,
        document: '**.222.333/****-**',
      },
    ],
  },
};
export const QUESTION = { 'A question': { message: application.messages[0]?.text } };
export const REJECTION = { 'A reason': { message: 'We do not process payments for this activity.' } };
export const REJECTED = { Rejected: ok({ ...application, status: 'REJECTED', decidedAt }) };
export const APPROVAL = {
  'With a limit': { message: 'Welcome.', limits: { requestsPerMinute: 600, chargebackFee: 1500 } },
};
export const APPROVED = { Approved: ok({ ...application, status: 'APPROVED', missing: [], decidedAt }) };
