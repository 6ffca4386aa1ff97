import { ActionIcon, Anchor, Button, Group, Indicator, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell, BellOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { EmptyState, ErrorAlert, LoadingSkeleton, notifyError } from '../components/feedback.tsx';
import { Panel } from '../components/overlay.tsx';
import { RelativeTime } from '../components/values.tsx';
import { describeNotification } from './describe.ts';
import { notificationFeed, type Notification } from './queries.ts';

/** The API counts up to this. */
const MAX_UNREAD = 100;

/** Opens the user's notifications, and shows how many are unread. */
export function NotificationBell(): ReactNode {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure(false, { onClose: forgetOlder });
  const feed = useInfiniteQuery(notificationFeed());
  const unread = feed.data?.pages[0]?.unread ?? 0;
  const shown = feed.data?.pages.flatMap(({ data }) => data);
  const newest = shown?.[0]?.id;
  return (
    <>
      <Indicator
        disabled={unread === 0}
        label={unread < MAX_UNREAD ? unread : `${MAX_UNREAD - 1}+`}
        size={16}
        offset={4}
        color="red.9"
      >
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('notifications.open', { count: unread })}
          onClick={open}
        >
          <Bell size={20} aria-hidden />
        </ActionIcon>
      </Indicator>
      <Panel opened={opened} onClose={close} size="sm" title={t('notifications.title')}>
        <Stack>
          {unread > 0 && newest !== undefined ? <ReadAll newest={newest} /> : null}
          {feed.isPending ? <LoadingSkeleton count={3} height={56} /> : null}
          {feed.data === undefined && feed.isError ? (
            <ErrorAlert error={feed.error} retry={feed.refetch} />
          ) : null}
          {shown?.length === 0 ? (
            <EmptyState
              icon={<BellOff />}
              title={t('notifications.empty')}
              hint={t('notifications.emptyHint')}
            />
          ) : null}
          {shown?.map((notification) => (
            <Item key={notification.id} notification={notification} onFollow={close} />
          ))}
          {feed.hasNextPage ? (
            <Group>
              <Button
                size="xs"
                variant="default"
                loading={feed.isFetchingNextPage}
                onClick={() => void feed.fetchNextPage()}
              >
                {t('notifications.older')}
              </Button>
            </Group>
          ) : null}
        </Stack>
      </Panel>
    </>
  );
}

function ReadAll({ newest }: { readonly newest: string }): ReactNode {
  const { t } = useTranslation();
  const read = useMutation({
    mutationFn: (upTo: string) => unwrap(api.POST('/v1/users/me/notification-feed/read', { body: { upTo } })),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['notifications', 'feed'] }),
  });
  return (
    <Group>
      <Button size="xs" variant="default" loading={read.isPending} onClick={() => read.mutate(newest)}>
        {t('notifications.readAll')}
      </Button>
    </Group>
  );
}

/** Only the newest are polled while the panel is closed. */
const forgetOlder = () =>
  queryClient.setQueryData(notificationFeed().queryKey, (feed) =>
    feed === undefined
      ? undefined
      : { pages: feed.pages.slice(0, 1), pageParams: feed.pageParams.slice(0, 1) },
  );

function Item({
  notification,
  onFollow,
}: {
  readonly notification: Notification;
  readonly onFollow: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { title, detail, to } = describeNotification(notification);
  const isUnread = notification.readAt === null;
  return (
    <Stack gap={2} className="notification" data-unread={isUnread || undefined}>
      <Anchor component={Link} to={to} size="sm" fw={isUnread ? 700 : 400} onClick={onFollow}>
        {title}
      </Anchor>
      {detail === '' ? null : (
        <Text size="sm" className="whole">
          {detail}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {isUnread ? `${t('notifications.unread')} · ` : ''}
        <RelativeTime at={notification.createdAt} size="xs" />
      </Text>
    </Stack>
  );
}
