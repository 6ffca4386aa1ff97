import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../../api/client.ts';
import { FREQUENT_POLL_MS, INFREQUENT_POLL_MS, PAGE_SIZE, type Json, type Query } from '../queries.ts';

export type BankExchange = Json<'getBankExchange'>['data'];

export const bankExchange = () =>
  queryOptions({
    queryKey: ['operator', 'bank-exchange'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/admin/cnab', { signal }))).data,
    staleTime: INFREQUENT_POLL_MS,
  });

export type Shipment = Json<'listShipments'>['data'][number];

export const shipments = (query: Query<'listShipments'>) =>
  queryOptions({
    queryKey: ['operator', 'shipments', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/cnab/shipments', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export const bankReturns = (query: Query<'listReturnFiles'>) =>
  queryOptions({
    queryKey: ['operator', 'bank-returns', 'list', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/cnab/returns', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

export type BankReturnLine = Json<'getReturnFile'>['data']['problems'][number];

export const bankReturn = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'bank-returns', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/cnab/returns/{id}', { params: { path: { id } }, signal }))).data,
  });

export type QueuedLine = BankReturnLine & { readonly id: string };

/** The lines of return files that have waited longest for a decision. */
export const linesToReview = () =>
  queryOptions({
    queryKey: ['operator', 'bank-returns', 'lines'],
    queryFn: async ({ signal }) => {
      const query = { take: PAGE_SIZE };
      const page = await unwrap(api.GET('/v1/admin/cnab/lines-to-review', { params: { query }, signal }));
      const data: readonly QueuedLine[] = page.data.map((line) => ({
        ...line,
        id: `${line.returnId}.${line.line}`,
      }));
      return { data, count: page.count, nextCursor: null };
    },
    refetchInterval: FREQUENT_POLL_MS,
  });
