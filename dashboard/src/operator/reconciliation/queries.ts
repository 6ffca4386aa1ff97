import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../../api/client.ts';
import { bySkip } from '../../components/paging.ts';
import type { Json, Query } from '../queries.ts';

export type DayReport = Json<'listReconciliationDays'>['data'][number];
export type Difference = Json<'listDifferences'>['data'][number];
export type DaysQuery = Query<'listReconciliationDays'>;
export type DifferencesQuery = Query<'listDifferences'>;

export const days = (query: DaysQuery) =>
  queryOptions({
    queryKey: ['operator', 'reconciliation', 'days', query],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/admin/reconciliation', { params: { query }, signal }))).data,
    placeholderData: keepPreviousData,
  });

export const differences = (query: DifferencesQuery) =>
  queryOptions({
    queryKey: ['operator', 'reconciliation', 'differences', query],
    queryFn: async ({ signal }) => {
      const page = await unwrap(
        api.GET('/v1/admin/reconciliation/differences', { params: { query }, signal }),
      );
      // Differences have no id, so their index in the response identifies them.
      const data = page.data.map((one, index) => ({ ...one, id: `${query.skip ?? 0}-${index}` }));
      return bySkip(query.skip ?? 0, { data, count: page.count });
    },
    placeholderData: keepPreviousData,
  });

export const settlementFiles = () =>
  queryOptions({
    queryKey: ['operator', 'reconciliation', 'files'],
    queryFn: async ({ signal }) =>
      unwrap(api.GET('/v1/admin/reconciliation/files', { params: { query: { take: 10 } }, signal })),
  });
