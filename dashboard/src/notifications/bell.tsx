import { ActionIcon, Anchor, Button, Group, Indicator, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
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
  const [opened, { open, close }] = useDisclosure(false);
  const feed = useQuery(notificationFeed());
  const unread = feed.data?.unread ?? 0;
  const newest = feed.data?.data[0]?.id;
  const read = useMutation({
    mutationFn: (upTo: string) => unwrap(api.POST('/v1/users/me/notification-feed/read', { body: { upTo } })),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['notifications', 'feed'] }),
  });
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
          {unread > 0 && newest !== undefined ? (
            <Group>
              <Button
                size="xs"
                variant="default"
                loading={read.isPending}
                onClick={() => read.mutate(newest)}
              >
                {t('notifications.readAll')}
              </Button>
            </Group>
          ) : null}
          {feed.isPending ? <LoadingSkeleton count={3} height={56} /> : null}
          {feed.data === undefined && feed.isError ? (
            <ErrorAlert error={feed.error} retry={feed.refetch} />
          ) : null}
          {feed.data?.data.length === 0 ? (
            <EmptyState
              icon={<BellOff />}
              title={t('notifications.empty')}
              hint={t('notifications.emptyHint')}
            />
          ) : null}
          {feed.data?.data.map((notification) => (
            <Item key={notification.id} notification={notification} onFollow={close} />
          ))}
        </Stack>
      </Panel>
    </>
  );
}

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
