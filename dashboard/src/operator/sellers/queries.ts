import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../../api/client.ts';
import type { Fees } from '../../api/queries.ts';
import type { components } from '../../api/schema.gen.ts';
import { compact } from '../../app/search.ts';
import {
  CONTEXT_MS,
  FREQUENT_POLL_MS,
  INFREQUENT_POLL_MS,
  type DisputesQuery,
  type Query,
  type TransactionsQuery,
} from '../queries.ts';

export type Seller = components['schemas']['Seller'];
export type SellerQuery = Query<'listSellers'>;

export const sellers = (query: SellerQuery) =>
  queryOptions({
    queryKey: ['operator', 'sellers', 'list', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/sellers', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: INFREQUENT_POLL_MS,
  });

export const seller = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'sellers', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/sellers/{id}', { params: { path: { id } }, signal }))).data,
    staleTime: CONTEXT_MS,
  });

export const sellerWallet = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'context', id, 'wallet'],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/sellers/{id}/wallet', { params: { path: { id } }, signal }))).data,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const sellerFees = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'fees', id],
    queryFn: async ({ signal }): Promise<Fees> =>
      (await unwrap(api.GET('/v1/admin/sellers/{id}/fees', { params: { path: { id } }, signal }))).data,
    // A refetch must not replace data while it is edited.
    refetchOnWindowFocus: false,
  });

export const sellerUsers = (id: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['operator', 'seller-users', id, cursor ?? ''],
    queryFn: async ({ signal }) =>
      unwrap(
        api.GET('/v1/admin/sellers/{id}/users', {
          params: { path: { id }, query: compact({ cursor, take: 50 }) },
          signal,
        }),
      ),
  });

export const sellerKeys = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'seller-keys', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/sellers/{id}/api-keys', { params: { path: { id } }, signal }))).data,
  });

export const sellerDisputes = (sellerId: string, status: 'OPEN' | 'UNDER_REVIEW') =>
  queryOptions({
    queryKey: ['operator', 'context', sellerId, 'disputes', status],
    queryFn: async ({ signal }) => {
      const query: DisputesQuery = { sellerId, status, take: 1 };
      return (await unwrap(api.GET('/v1/admin/disputes', { params: { query }, signal }))).data.count;
    },
    staleTime: CONTEXT_MS,
  });

export const sellerChargebacks = (sellerId: string, startDate: string) =>
  queryOptions({
    queryKey: ['operator', 'context', sellerId, 'chargebacks', startDate],
    queryFn: async ({ signal }) => {
      const query: TransactionsQuery = { sellerId, status: 'CHARGEDBACK', startDate, take: 1 };
      return (await unwrap(api.GET('/v1/admin/transactions', { params: { query }, signal }))).count;
    },
    staleTime: CONTEXT_MS,
  });
