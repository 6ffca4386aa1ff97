import { ActionIcon, Badge, Button, Group, Paper, Stack, Text, Title, Tooltip } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { ErrorAlert, LoadingSkeleton, notify } from '../../components/feedback.tsx';
import { RelativeTime } from '../../components/values.tsx';
import { providerRoutes, refresh, type ProviderRoute } from '../queries.ts';
import { PauseDialog, ResumeDialog } from './pause.tsx';

/** The providers of each method, which operators with the permission order and pause. */
export function ProviderRoutes(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(providerRoutes());
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('operator.settings.sections.providers')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('operator.settings.providersIntro')}
      </Text>
      {query.data === undefined ? (
        query.isError ? (
          <ErrorAlert error={query.error} retry={query.refetch} />
        ) : (
          <LoadingSkeleton count={3} />
        )
      ) : query.data.length === 0 ? (
        <Text size="sm">{t('operator.settings.noProviders')}</Text>
      ) : (
        query.data.map((route) => <Route key={route.method} route={route} />)
      )}
    </Stack>
  );
}

function Route({ route }: { readonly route: ProviderRoute }): ReactNode {
  const { t } = useTranslation();
  const mayWrite = useMay()('operator:write');
  const { method, providers, isStored } = route;
  const [pausing, setPausing] = useState<string>();
  const [resuming, setResuming] = useState<string>();
  const order = useMutation({
    mutationFn: async (names: string[] | null) =>
      unwrap(
        api.PUT('/v1/admin/provider-routes/{method}', {
          params: { path: { method } },
          body: { providers: names },
        }),
      ),
    onSuccess: async () => {
      notify(t('operator.settings.orderSaved'));
      await refresh('provider-routes', 'audit');
    },
  });
  const names = providers.map(({ name }) => name);
  const swap = (index: number) => {
    const next = [...names];
    next.splice(index, 2, ...names.slice(index, index + 2).toReversed());
    order.mutate(next);
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={t(`operator.settings.methods.${method}`)}>
      <Stack gap="sm">
        <Title order={3} size="h5">
          {t(`operator.settings.methods.${method}`)}
        </Title>
        {providers.map((provider, index) => (
          <Provider
            key={provider.name}
            method={t(`operator.settings.methods.${method}`)}
            provider={provider}
            {...(mayWrite && {
              onUp: index === 0 ? undefined : () => swap(index - 1),
              onDown: index === names.length - 1 ? undefined : () => swap(index),
              onPause: () => setPausing(provider.name),
              onResume: () => setResuming(provider.name),
            })}
          />
        ))}
        <ErrorAlert error={order.error} />
        {mayWrite && isStored ? (
          <Group>
            <Button size="xs" variant="default" loading={order.isPending} onClick={() => order.mutate(null)}>
              {t('operator.settings.resetOrder')}
            </Button>
            <Text size="sm" c="dimmed">
              {route.defaultOrder.join(', ')}
            </Text>
          </Group>
        ) : null}
      </Stack>
      <PauseDialog route={route} provider={pausing} onClose={() => setPausing(undefined)} />
      <ResumeDialog route={route} provider={resuming} onClose={() => setResuming(undefined)} />
    </Paper>
  );
}

function Provider({
  method,
  provider: { name, paused },
  onUp,
  onDown,
  onPause,
  onResume,
}: {
  readonly method: string;
  readonly provider: ProviderRoute['providers'][number];
  readonly onUp?: (() => void) | undefined;
  readonly onDown?: (() => void) | undefined;
  readonly onPause?: () => void;
  readonly onResume?: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const names = { provider: name, method };
  const toggle = paused === null ? onPause : onResume;
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          <Badge color={paused === null ? 'green' : 'orange'} variant="light" tt="none">
            {t(`operator.settings.${paused === null ? 'active' : 'paused'}`)}
          </Badge>
        </Group>
        <Group gap="xs">
          <Move label={t('operator.settings.up', names)} icon={<ArrowUp size={16} />} onClick={onUp} />
          <Move label={t('operator.settings.down', names)} icon={<ArrowDown size={16} />} onClick={onDown} />
          {toggle === undefined ? null : (
            <Button
              size="xs"
              variant="default"
              aria-label={t(`operator.settings.${paused === null ? 'pauseOf' : 'resumeOf'}`, names)}
              onClick={toggle}
            >
              {t(`operator.settings.${paused === null ? 'pause' : 'resume'}`)}
            </Button>
          )}
        </Group>
      </Group>
      {paused === null ? null : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('operator.settings.pausedBy', { name: paused.pausedByName })}{' '}
          <RelativeTime at={paused.pausedAt} size="sm" />: {paused.reason}
        </Text>
      )}
    </Stack>
  );
}

function Move({
  label,
  icon,
  onClick,
}: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onClick: (() => void) | undefined;
}): ReactNode {
  if (onClick === undefined) return null;
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="md" aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
