import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.gen.ts';
import { compact } from '../app/search.ts';

export type Notification = components['schemas']['Notification'];

/** What the bell lists at once. */
const SHOWN = 30;
const POLL_MS = 10_000;

/** The notifications, newest first, and how many are unread. */
export const notificationFeed = () =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'feed'],
    queryFn: ({ signal, pageParam }) => {
      const query = compact({ take: SHOWN, cursor: pageParam });
      return unwrap(api.GET('/v1/users/me/notification-feed', { params: { query }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: POLL_MS,
  });

/** Which notifications are sent by email. */
export const notificationChoices = () =>
  queryOptions({
    queryKey: ['notifications', 'choices'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/users/me/notifications', { signal }))).data,
  });
