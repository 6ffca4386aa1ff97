import { queryOptions } from '@tanstack/react-query';

import { api, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.gen.ts';

export type Notification = components['schemas']['Notification'];

/** What the bell lists at once. */
const SHOWN = 30;
const POLL_MS = 10_000;

/** The newest notifications, and how many are unread. */
export const notificationFeed = () =>
  queryOptions({
    queryKey: ['notifications', 'feed'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/users/me/notification-feed', { params: { query: { take: SHOWN } }, signal })),
    refetchInterval: POLL_MS,
  });

/** Which notifications are sent by email. */
export const notificationChoices = () =>
  queryOptions({
    queryKey: ['notifications', 'choices'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/users/me/notifications', { signal }))).data,
  });
