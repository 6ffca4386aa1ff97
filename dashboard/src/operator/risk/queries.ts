import { queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.gen.ts';
import { CONTEXT_MS, PAGE_SIZE, QUEUE_MS } from '../queries.ts';

export type RiskRule = components['schemas']['RiskRule'];
export type RiskConditions = RiskRule['when'];
export type RiskListEntry = components['schemas']['RiskListEntry'];
export type QueuedReview = components['schemas']['RiskReview'];
export type ReviewDetails = components['schemas']['RiskReviewDetails'];

/** In the order in which they decide. */
export const riskRules = () =>
  queryOptions({
    queryKey: ['operator', 'risk-rules'],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/admin/risk-rules', { signal })),
  });

export const riskList = (kind: string) =>
  queryOptions({
    queryKey: ['operator', 'risk-lists', kind],
    queryFn: async ({ signal }) =>
      unwrap(api.GET('/v1/admin/risk-lists/{kind}', { params: { path: { kind } }, signal })),
  });

export const RISK_REVIEWS_KEY = ['operator', 'risk-reviews', 'queue'] as const;

/** The charges that have waited longest for a review. */
export const riskReviews = () =>
  queryOptions({
    queryKey: RISK_REVIEWS_KEY,
    queryFn: async ({ signal }) => {
      const query = { take: PAGE_SIZE };
      const { data, count } = await unwrap(api.GET('/v1/admin/risk-reviews', { params: { query }, signal }));
      return { data, count, nextCursor: null };
    },
    refetchInterval: QUEUE_MS,
  });

export const riskReview = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'risk-reviews', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/transactions/{id}/review', { params: { path: { id } }, signal })))
        .data,
    staleTime: CONTEXT_MS,
  });
