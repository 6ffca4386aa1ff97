import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../../api/client.ts';
import { INFREQUENT_POLL_MS, type Json, type Query } from '../queries.ts';

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
