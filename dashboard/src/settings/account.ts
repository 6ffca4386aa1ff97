import { queryOptions } from '@tanstack/react-query';

import { api, ask } from '../api/client.ts';

export const me = () =>
  queryOptions({
    queryKey: ['me'],
    queryFn: async ({ signal }) => (await ask(api.GET('/v1/users/me', { signal }))).data,
  });

export const sessions = () =>
  queryOptions({
    queryKey: ['me', 'sessions'],
    queryFn: async ({ signal }) => (await ask(api.GET('/v1/users/me/sessions', { signal }))).data,
  });

/** Upper bound of a team. */
const MOST = 100;

export const team = () =>
  queryOptions({
    queryKey: ['team'],
    queryFn: async ({ signal }) =>
      (await ask(api.GET('/v1/users', { params: { query: { take: MOST } }, signal }))).data,
  });
