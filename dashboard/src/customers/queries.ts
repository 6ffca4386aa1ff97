import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../api/client.ts';
import type { components, operations } from '../api/schema.gen.ts';

export type Customer = components['schemas']['CustomerRecord'];
export type NewCustomer = components['schemas']['CreateCustomerRequest'];
export type CustomerChanges = components['schemas']['UpdateCustomerRequest'];
export type SavedCard = components['schemas']['CardToken'];

type CustomerQuery = NonNullable<operations['listCustomers']['parameters']['query']>;

export const customers = (query: CustomerQuery) =>
  queryOptions({
    queryKey: ['customers', 'list', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/customers', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

/** Searches customers by name, email, document or reference. */
export const customerLookup = (text: string) =>
  queryOptions({
    queryKey: ['customers', 'lookup', text],
    queryFn: async ({ signal }) =>
      (await unwrap(api.POST('/v1/customers/lookup', { body: { text }, signal }))).data.found,
  });

export const customer = (id: string) =>
  queryOptions({
    queryKey: ['customers', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/customers/{id}', { params: { path: { id } }, signal }))).data,
  });

export const savedCards = (id: string) =>
  queryOptions({
    queryKey: ['customers', 'cards', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/customers/{id}/card-tokens', { params: { path: { id } }, signal }))).data,
  });

export const createCustomer = async (body: NewCustomer): Promise<Customer> =>
  (await unwrap(api.POST('/v1/customers', { body }))).data;

export const updateCustomer = async (id: string, body: CustomerChanges): Promise<Customer> =>
  (await unwrap(api.PATCH('/v1/customers/{id}', { params: { path: { id } }, body }))).data;
