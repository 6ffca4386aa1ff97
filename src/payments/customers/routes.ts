import { Type } from 'typebox';

import type { DocumentRules } from '#payments/transactions/creation-schema.ts';
import { localizedTable, pageOrCsv, sendCsv } from '#platform/http/csv.ts';
import { parsePeriod } from '#platform/http/date-filters.ts';
import { deletedEnvelope, envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError, serviceUnavailable } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { CSV_COLUMNS, type CustomerView } from './csv-columns.ts';
import * as examples from './examples.ts';
import {
  createBodySchema,
  CustomerListQuery,
  CustomerSchema,
  LookupBody,
  updateBodySchema,
  viewCustomerRecord,
  type CreateCustomerBody,
} from './schema.ts';
import type { CustomersService, SaveResult } from './service.ts';
import type { CustomerInput, CustomerRecord } from './customer.ts';

export interface CustomerRouteDeps {
  readonly customers: CustomersService;
  readonly documents: DocumentRules;
}

const Params = Type.Object({ id: Type.String() });

export function customerRoutes(app: App, deps: CustomerRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerLookup(app, deps);
  registerGet(app, deps);
  registerUpdate(app, deps);
  registerDelete(app, deps);
}

function registerCreate(app: App, { customers, documents }: CustomerRouteDeps): void {
  app.post(
    '/customers',
    {
      config: { access: 'customers:write' },
      schema: {
        operationId: 'createCustomer',
        summary: 'Create a customer',
        description:
          'Stores a customer. Send its id as `customerId`, instead of `customer`, when you ' +
          'create transactions. A tax ID (CPF or CNPJ) belongs to one customer: a second creation ' +
          'fails with `customer_exists`, and the error has the `id` of the first customer.',
        tags: ['Customers'],
        errors: [EXISTS],
        examples: { body: examples.CREATE_BODIES, response: examples.FOUND },
        body: createBodySchema(documents),
        response: { 201: envelope(CustomerSchema) },
      },
    },
    async (request, reply) => {
      const { id: sellerId } = callingSeller(request);
      const saved = await customers.create(sellerId, toInput(request.body), auditActorOf(request));
      return reply.code(201).send(ok(viewCustomerRecord(unwrapSaved(saved))));
    },
  );
}

const EXISTS = new HttpError('customer_exists', { recordId: '01a1fb6a-1f2e-4c3d-8b5a-6d7e8f9a0b1c' });

const toInput = (body: CreateCustomerBody): CustomerInput => ({
  name: body.name,
  email: body.email,
  phone: body.phone,
  documentType: body.documentType,
  document: body.document,
  externalRef: body.externalRef ?? null,
  address: body.address ?? null,
  metadata: body.metadata ?? null,
  notes: body.notes ?? null,
});

function unwrapSaved(saved: SaveResult | undefined) {
  if (saved === undefined) throw new HttpError('customer_not_found');
  if (saved.kind === 'exists') throw new HttpError('customer_exists', { recordId: saved.id });
  return saved.customer;
}

function registerList(app: App, { customers }: CustomerRouteDeps): void {
  app.get(
    '/customers',
    {
      config: { access: 'customers:read' },
      schema: {
        operationId: 'listCustomers',
        summary: 'List customers',
        description:
          'Returns one page of the customers of the seller, newest first, or all of them as CSV with ' +
          '`export=true`.',
        tags: ['Customers'],
        examples: { response: examples.LISTED },
        querystring: CustomerListQuery,
        response: { 200: pageOrCsv(pageEnvelope(CustomerSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const filter = { externalRef: query.externalRef, period: parsePeriod(query) };
      const sellerId = callingSeller(request).id;
      if (query.export) {
        const rows = viewAll(customers.iterate(sellerId, filter));
        return sendCsv(reply, 'customers.csv', localizedTable(CSV_COLUMNS, query.locale), rows);
      }
      const { items, count } = await customers.list(sellerId, filter, parsePage(query));
      return pageResponse(items, count, query.take, viewCustomerRecord);
    },
  );
}

async function* viewAll(customers: AsyncIterable<CustomerRecord>): AsyncGenerator<CustomerView> {
  for await (const customer of customers) yield viewCustomerRecord(customer);
}

function registerLookup(app: App, { customers }: CustomerRouteDeps): void {
  // Not GET: proxies log URLs, which must not contain names and documents.
  app.post(
    '/customers/lookup',
    {
      config: { access: 'customers:read', heavyRead: true },
      schema: {
        operationId: 'lookUpCustomers',
        summary: 'Look up customers',
        description:
          'Finds customers by id, CPF or CNPJ, or by part of the name, email or reference. Use it ' +
          'for search boxes. Returns at most 20, newest first.',
        tags: ['Customers'],
        examples: { body: examples.LOOKUP_BODIES, response: examples.LOOKED_UP },
        body: LookupBody,
        response: {
          200: envelope(
            Type.Object(
              { found: Type.Array(CustomerSchema, { description: 'Newest first, at most 20.' }) },
              { title: 'CustomerLookup', description: 'Customers that match.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const found = await customers.lookUp(callingSeller(request).id, request.body.text);
      if (found === undefined) throw serviceUnavailable();
      return ok({ found: found.map(viewCustomerRecord) });
    },
  );
}

function registerGet(app: App, { customers }: CustomerRouteDeps): void {
  app.get(
    '/customers/:id',
    {
      config: { access: 'customers:read' },
      schema: {
        operationId: 'getCustomer',
        summary: 'Retrieve a customer',
        description: 'Returns a customer. `GET /v1/transactions?customerId=` lists its transactions.',
        tags: ['Customers'],
        errors: ['customer_not_found'],
        examples: { response: examples.FOUND },
        params: Params,
        response: { 200: envelope(CustomerSchema) },
      },
    },
    async (request) => {
      const customer = await customers.find({ sellerId: callingSeller(request).id, id: request.params.id });
      if (customer === undefined) throw new HttpError('customer_not_found');
      return ok(viewCustomerRecord(customer));
    },
  );
}

function registerUpdate(app: App, { customers, documents }: CustomerRouteDeps): void {
  app.patch(
    '/customers/:id',
    {
      config: { access: 'customers:write' },
      schema: {
        operationId: 'updateCustomer',
        summary: 'Update a customer',
        description:
          'Changes the given fields; omitted fields stay unchanged. Null clears an optional field. ' +
          'Existing transactions keep the data that they were created with.',
        tags: ['Customers'],
        errors: ['customer_not_found', EXISTS],
        examples: { body: examples.UPDATE_BODIES, response: examples.FOUND },
        params: Params,
        body: updateBodySchema(documents),
        response: { 200: envelope(CustomerSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const saved = await customers.update(key, toChanges(request.body), auditActorOf(request));
      return ok(viewCustomerRecord(unwrapSaved(saved)));
    },
  );
}

const MEMBERS = [
  'name',
  'email',
  'phone',
  'documentType',
  'document',
  'externalRef',
  'address',
  'metadata',
  'notes',
] as const satisfies readonly (keyof CustomerInput)[];

/** The members of the body that a customer has. */
const toChanges = (body: Partial<CustomerInput>): Partial<CustomerInput> =>
  Object.fromEntries(
    MEMBERS.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]] as const])),
  );

function registerDelete(app: App, { customers }: CustomerRouteDeps): void {
  app.delete(
    '/customers/:id',
    {
      config: { access: 'customers:write' },
      schema: {
        operationId: 'deleteCustomer',
        summary: 'Delete a customer',
        description:
          'Deletes the personal data and the saved cards of a customer. Transactions keep the payer data ' +
          'that the law requires, and their `customerId`. Subscriptions of the customer are CANCELLED, ' +
          'with their unpaid invoices.',
        tags: ['Customers'],
        errors: ['customer_not_found'],
        examples: { response: examples.DELETED },
        params: Params,
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      if (!(await customers.delete(key, auditActorOf(request)))) throw new HttpError('customer_not_found');
      return ok({ id: key.id.toLowerCase() });
    },
  );
}
