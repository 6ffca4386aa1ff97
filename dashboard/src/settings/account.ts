import { queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../api/client.ts';

export const me = () =>
  queryOptions({
    queryKey: ['me'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/users/me', { signal }))).data,
  });

export const sessions = () =>
  queryOptions({
    queryKey: ['me', 'sessions'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/users/me/sessions', { signal }))).data,
  });

/** Upper bound of a team. */
const MAX_USERS = 100;

export const team = () =>
  queryOptions({
    queryKey: ['team'],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/users', { params: { query: { take: MAX_USERS } }, signal }))).data,
  });
