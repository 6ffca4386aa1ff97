import { queryOptions } from '@tanstack/react-query';

import { api, publicApi, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.gen.ts';

export type Application = components['schemas']['Application'];

const POLL_MS = 30_000;

/** The only query of visitors who are not signed in. */
export const SIGNUP_KEY = ['signup'];

/** Whether sellers can sign up. */
export const signupSettings = () =>
  queryOptions({
    queryKey: SIGNUP_KEY,
    queryFn: async ({ signal }) => (await unwrap(publicApi.GET('/v1/signup', { signal }))).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The application of the user's seller. Polled, because it waits for the operator. */
export const application = () =>
  queryOptions({
    queryKey: ['application'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/application', { signal }))).data,
    refetchInterval: POLL_MS,
  });
