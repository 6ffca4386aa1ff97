import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.gen.ts';
import { compact } from '../../app/search.ts';
import { CONTEXT_MS, FREQUENT_POLL_MS, PAGE_SIZE, QUEUE_MS, type Query } from '../queries.ts';

export type OwnedWithdrawal = components['schemas']['OperatorWithdrawal'];
export type WithdrawalsQuery = Query<'listAllWithdrawals'>;

export const QUEUE_KEY = ['operator', 'withdrawals', 'queue'] as const;

/** Withdrawals that need a decision, oldest first, and their total. */
export const pendingWithdrawals = (sellerId?: string, cursor?: string) =>
  queryOptions({
    queryKey: [...QUEUE_KEY, sellerId ?? '', cursor ?? ''],
    queryFn: async ({ signal }) => {
      const query: WithdrawalsQuery = compact({
        status: 'PENDING',
        sort: 'createdAt',
        sellerId,
        cursor,
        take: PAGE_SIZE,
      });
      return unwrap(api.GET('/v1/admin/withdrawals', { params: { query }, signal }));
    },
    refetchInterval: QUEUE_MS,
  });

export const allWithdrawals = (query: WithdrawalsQuery) =>
  queryOptions({
    queryKey: ['operator', 'withdrawals', 'list', query],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/withdrawals', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: FREQUENT_POLL_MS,
  });

export const operatorWithdrawal = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'withdrawals', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/withdrawals/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: QUEUE_MS,
  });

/**
 * Recent withdrawals of one seller. Has a key of its own, so that no data of another seller shows
 * while loading.
 */
export const recentWithdrawals = (sellerId: string, status?: string) =>
  queryOptions({
    queryKey: ['operator', 'context', sellerId, 'withdrawals', status ?? ''],
    queryFn: async ({ signal }) => {
      const query: WithdrawalsQuery = compact({ sellerId, status, take: status === undefined ? 6 : 1 });
      return unwrap(api.GET('/v1/admin/withdrawals', { params: { query }, signal }));
    },
    staleTime: CONTEXT_MS,
  });
