import type { Static } from 'typebox';

import { ok } from '#platform/http/envelope.ts';
import type { CreateCustomerBody, CustomerSchema } from './schema.ts';

/** Examples of the API reference. A test validates each against its schema. */

const address = {
  street: 'Rua das Flores',
  number: '120',
  district: 'Centro',
  city: 'Campinas',
  state: 'SP',
  postalCode: '13010-000',
  country: 'BR',
};

export const CREATE_BODIES: Readonly<Record<string, CreateCustomerBody>> = {
  'A person': {
    name: 'Ana Souza',
    email: 'ana.souza@example.com',
    phone: '11987654321',
    documentType: 'CPF',
    document: '52998224725',
    externalRef: 'client-77',
    address,
  },
};

export const UPDATE_BODIES = { 'Another email': { email: 'ana@example.com' } };
export const LOOKUP_BODIES = { 'A part of the name': { text: 'souza' }, 'A CPF': { text: '529.982.247-25' } };

const customer: Static<typeof CustomerSchema> = {
  id: '01a1fb6a-1f2e-4c3d-8b5a-6d7e8f9a0b1c',
  name: 'Ana Souza',
  email: 'ana.souza@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '***.982.247-**',
  externalRef: 'client-77',
  address,
  metadata: null,
  notes: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
};

export const FOUND = { 'A customer': ok(customer) };
const EXPORTED = [
  customer.id,
  customer.name,
  customer.email,
  customer.phone,
  customer.documentType,
  customer.document,
  customer.externalRef ?? '',
  customer.createdAt,
].join(',');

export const LISTED = {
  'The only page': { status: true, data: [customer], count: 1, nextCursor: null },
  'An export': `id,name,email,phone,documentType,document,externalRef,createdAt\r\n${EXPORTED}\r\n`,
};
export const LOOKED_UP = { 'One customer': ok({ found: [customer] }) };
export const DELETED = { 'The deleted customer': ok({ id: customer.id }) };
