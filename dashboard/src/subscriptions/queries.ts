import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { components, operations } from '../api/schema.gen.ts';

export type Subscription = components['schemas']['Subscription'];
export type Invoice = components['schemas']['Invoice'];
export type NewSubscription = components['schemas']['CreateSubscriptionRequest'];

const POLL_MS = 60_000;
/** The payer's authorization and the outcome of a charge are waited for. */
const SHORT_POLL_MS = 5_000;

type SubscriptionQuery = NonNullable<operations['listSubscriptions']['parameters']['query']>;
type InvoiceQuery = NonNullable<operations['listInvoices']['parameters']['query']>;

export const subscriptions = (query: SubscriptionQuery) =>
  queryOptions({
    queryKey: ['subscriptions', 'list', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/subscriptions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });

export const subscription = (id: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/subscriptions/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? SHORT_POLL_MS : POLL_MS),
  });

export const invoices = (id: string, query: InvoiceQuery) =>
  queryOptions({
    queryKey: ['subscriptions', 'invoices', id, query],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/subscriptions/{id}/invoices', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'PENDING') === true ? SHORT_POLL_MS : POLL_MS,
  });

export type Action = 'pause' | 'resume' | 'cancel';

export async function act(id: string, action: Action): Promise<void> {
  const after = await unwrap(api.POST(`/v1/subscriptions/{id}/${action}`, { params: { path: { id } } }));
  queryClient.setQueryData(subscription(id).queryKey, after.data);
  await queryClient.invalidateQueries({ queryKey: ['subscriptions'] });
}

export async function retryInvoice({ subscriptionId: id, number }: Invoice): Promise<void> {
  const path = { id, number: String(number) };
  await unwrap(api.POST('/v1/subscriptions/{id}/invoices/{number}/retry', { params: { path } }));
  await queryClient.invalidateQueries({ queryKey: ['subscriptions'] });
}
