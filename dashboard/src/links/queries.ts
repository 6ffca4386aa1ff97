import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../api/client.ts';
import type { components, operations } from '../api/schema.gen.ts';

export type PaymentLink = components['schemas']['PaymentLink'];
export type NewLink = components['schemas']['CreatePaymentLinkRequest'];
export type LinkChanges = components['schemas']['UpdatePaymentLinkRequest'];

const POLL_MS = 60_000;

type LinkQuery = NonNullable<operations['listPaymentLinks']['parameters']['query']>;

export const links = (query: LinkQuery) =>
  queryOptions({
    queryKey: ['links', 'list', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/payment-links', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });

export const link = (id: string) =>
  queryOptions({
    queryKey: ['links', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/payment-links/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: POLL_MS,
  });

export const updateLink = async (id: string, body: LinkChanges): Promise<PaymentLink> =>
  (await unwrap(api.PATCH('/v1/payment-links/{id}', { params: { path: { id } }, body }))).data;
