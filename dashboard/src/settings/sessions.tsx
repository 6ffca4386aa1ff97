import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { RelativeTime } from '../components/values.tsx';
import { ErrorAlert, LoadingSkeleton, notify, notifyError } from '../components/feedback.tsx';
import { browserLabel } from '../i18n/find-text.ts';
import { devices, sessions } from './account.ts';

/** Active sessions of the user, and all devices that have signed in. */
export function Sessions() {
  const { t } = useTranslation();
  const query = useQuery(sessions());
  const mutation = useMutation({
    mutationFn: (id: string) =>
      unwrap(api.DELETE('/v1/users/me/sessions/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      notify(t('settings.sessionEnded'));
      await queryClient.invalidateQueries({ queryKey: ['me', 'sessions'] });
    },
    onError: notifyError,
  });
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {t('settings.sessions')}
        </Title>
        {query.isPending ? <LoadingSkeleton count={2} /> : null}
        {query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
        {query.data?.map(({ id, browser, address, lastUsedAt, current }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm" fw={600}>
                {browser === null ? t('settings.unknownBrowser') : browserLabel(browser)}
              </Text>
              <Text size="xs" c="dimmed">
                {address === null ? null : `${address} · `}
                {t('settings.lastUsed')} <RelativeTime at={lastUsedAt} size="xs" />
              </Text>
            </div>
            {current ? (
              <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
                {t('settings.thisOne')}
              </Badge>
            ) : (
              <Button
                size="xs"
                variant="default"
                style={{ flexShrink: 0 }}
                onClick={() => mutation.mutate(id)}
              >
                {t('settings.endSession')}
              </Button>
            )}
          </Group>
        ))}
        <Devices />
      </Stack>
    </Paper>
  );
}

/** As many as fit on a screen; the latest come first. */
const SHOWN_DEVICES = 10;

function Devices() {
  const { t } = useTranslation();
  const query = useQuery(devices());
  return (
    <>
      <div>
        <Title order={3} size="h5">
          {t('settings.devices')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('settings.devicesHint')}
        </Text>
      </div>
      {query.isPending ? <LoadingSkeleton count={2} /> : null}
      {query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
      {query.data?.slice(0, SHOWN_DEVICES).map(({ browser, address, firstSeenAt, lastSeenAt }) => (
        <div key={`${browser} ${address}`}>
          <Text size="sm" fw={600} className="whole">
            {browser === null ? t('settings.unknownBrowser') : browserLabel(browser)}
          </Text>
          <Text size="xs" c="dimmed">
            {address === null ? null : `${address} · `}
            {t('settings.firstSeen')} <RelativeTime at={firstSeenAt} size="xs" />
            {' · '}
            {t('settings.lastSeen')} <RelativeTime at={lastSeenAt} size="xs" />
          </Text>
        </div>
      ))}
    </>
  );
}
