import { Alert, Anchor, Badge, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { Id, RelativeTime, Status } from '../../components/values.tsx';
import { ErrorAlert, LoadingSkeleton, PageTitle } from '../../components/feedback.tsx';
import { formatNumber, formatShare } from '../../i18n/format.ts';
import { methodLabel } from '../../i18n/find-text.ts';
import { jobLabel } from '../components/labels.ts';
import { providers, system, SYSTEM_REFRESH_MS, type Provider, type System } from '../queries.ts';
import { ClockCard } from './clock.tsx';

const ZONE = 'America/Sao_Paulo';
const HOUR = 3_600;
const DAY = 86_400;

/** Health of the gateway and its providers. */
export function SystemPage(): ReactNode {
  const { t } = useTranslation();
  const state = useQuery(system());
  const rails = useQuery(providers());
  return (
    <Stack>
      <PageTitle title={t('operator.system.title')} />
      <LastUpdate
        at={Math.min(state.dataUpdatedAt, rails.dataUpdatedAt)}
        failed={state.isError || rails.isError}
      />
      {state.isError ? <ErrorAlert error={state.error} retry={state.refetch} /> : null}
      {state.data === undefined ? state.isError ? null : <LoadingSkeleton /> : <Gateway state={state.data} />}
      <ClockCard />
      <Title order={2} size="h4">
        {t('operator.system.providers')}
      </Title>
      {rails.data === undefined ? (
        rails.isError ? (
          <ErrorAlert error={rails.error} retry={rails.refetch} />
        ) : (
          <LoadingSkeleton count={3} />
        )
      ) : rails.data.length === 0 ? (
        <Paper withBorder p="md">
          <Text>{t('operator.system.noProviders')}</Text>
        </Paper>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {rails.data.map((provider) => (
            <ProviderCard key={provider.name} provider={provider} />
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}

/** When the data was fetched. Both queries poll. */
function LastUpdate({ at, failed }: { readonly at: number; readonly failed: boolean }): ReactNode {
  const { t, i18n } = useTranslation();
  if (at === 0) return null;
  const time = new Intl.DateTimeFormat(i18n.language, { timeZone: ZONE, timeStyle: 'medium' }).format(at);
  return (
    <Text size="sm" c={failed ? 'var(--mantine-color-error)' : 'dimmed'}>
      {failed
        ? t('operator.system.stale', { time })
        : t('operator.system.updated', { time, seconds: SYSTEM_REFRESH_MS / 1_000 })}
    </Text>
  );
}

const MEGABYTE = 1_048_576;

function Gateway({ state }: { readonly state: System }): ReactNode {
  const { t } = useTranslation();
  const { deliveries, uptimeSeconds: seconds } = state;
  const up =
    seconds < HOUR
      ? t('operator.system.minutes', { count: Math.floor(seconds / 60) })
      : seconds < DAY
        ? t('operator.system.hours', { count: Math.floor(seconds / HOUR) })
        : t('operator.system.days', { count: Math.floor(seconds / DAY) });
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <DescriptionList title={t('operator.system.gateway')}>
          <DescriptionItem name={t('operator.system.database')}>
            <Status kind="operator.component" of="UP" size="sm" />
          </DescriptionItem>
          <DescriptionItem name={t('operator.system.diskUsage')}>
            {formatNumber(Math.round(state.database.bytes / MEGABYTE))} MB
          </DescriptionItem>
          <DescriptionItem name={t('operator.system.version')}>
            {state.version} · {t(`operator.system.modes.${state.mode}`)}
          </DescriptionItem>
          <DescriptionItem name={t('operator.system.uptime')}>{up}</DescriptionItem>
        </DescriptionList>
        <DescriptionList title={t('operator.system.queue')}>
          <Text size="sm">
            {deliveries.due === 0
              ? t('operator.system.queueEmpty')
              : t('operator.system.due', { count: deliveries.due })}
          </Text>
          {deliveries.oldestDueAt === null ? null : (
            <DescriptionItem name={t('operator.system.oldestDue')}>
              <RelativeTime at={deliveries.oldestDueAt} size="sm" />
            </DescriptionItem>
          )}
          <DescriptionItem name={t('operator.system.retries')}>
            {formatNumber(deliveries.waiting)}
          </DescriptionItem>
          <DescriptionItem name={t('operator.system.disabled')}>
            <Anchor component={Link} to="/operator/webhooks?disabled=true" underline="always">
              {formatNumber(state.webhooksDisabled)}
            </Anchor>
          </DescriptionItem>
        </DescriptionList>
      </SimpleGrid>
      <Checks checks={state.checks} />
      <Title order={2} size="h4">
        {t('operator.system.workers')}
      </Title>
      {state.workers.length === 0 ? (
        <Alert color="red" variant="light">
          {t('operator.system.noWorkers')}
        </Alert>
      ) : (
        <SimpleGrid cols={{ base: 1, md: Math.min(state.workers.length, 2) }}>
          {state.workers.map((worker) => (
            <Worker key={worker.id} worker={worker} now={Date.parse(state.checkedAt)} />
          ))}
        </SimpleGrid>
      )}
    </>
  );
}

/** What `npm run doctor` prints. Its details are the gateway's own words, as in its log. */
function Checks({ checks }: { readonly checks: System['checks'] }): ReactNode {
  const { t } = useTranslation();
  return (
    <DescriptionList title={t('operator.system.checks')}>
      <Text size="sm" c="dimmed">
        {t('operator.system.checksHint')}
      </Text>
      {checks.map(({ name, status, detail }) => (
        <DescriptionItem key={name} name={t(`operator.system.checkNames.${name}`)}>
          <Group gap="xs" wrap="nowrap" align="baseline">
            <Text size="sm" lang="en" style={{ overflowWrap: 'break-word' }}>
              {detail}
            </Text>
            <Status kind="operator.check" of={status} size="sm" />
          </Group>
        </DescriptionItem>
      ))}
    </DescriptionList>
  );
}

/** Workers write a heartbeat every three seconds, with the time of their machine. */
const UNRESPONSIVE_MS = 30_000;

function Worker({
  worker,
  now,
}: {
  readonly worker: System['workers'][number];
  /** By the clock of the machine, which the sandbox does not move. */
  readonly now: number;
}): ReactNode {
  const { t } = useTranslation();
  const isUnresponsive = now - Date.parse(worker.seenAt) > UNRESPONSIVE_MS;
  const fails = worker.loops.some(({ failures }) => failures > 0);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Id id={worker.id} />
        <Badge color={isUnresponsive ? 'gray' : fails ? 'red' : 'green'} variant="light" tt="none">
          {t(`operator.system.${isUnresponsive ? 'unresponsive' : fails ? 'failing' : 'running'}`)}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {t('operator.system.lastSeen')} <RelativeTime at={worker.seenAt} now={now} size="sm" />
      </Text>
      <Table verticalSpacing={2} aria-label={t('operator.system.workers')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th px={0}>{t('operator.system.job')}</Table.Th>
            <Table.Th>{t('operator.system.lastRun')}</Table.Th>
            <Table.Th px={0} ta="right">
              {t('operator.system.failures')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {worker.loops.map(({ name, lastRunAt, failures }) => (
            <Table.Tr key={name}>
              <Table.Td px={0}>{jobLabel(name)}</Table.Td>
              <Table.Td>
                {lastRunAt === null ? (
                  t('operator.system.notYet')
                ) : (
                  <RelativeTime at={lastRunAt} now={now} size="sm" />
                )}
              </Table.Td>
              <Table.Td px={0} ta="right" className="figures">
                {formatNumber(failures)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function ProviderCard({ provider }: { readonly provider: Provider }): ReactNode {
  const { t } = useTranslation();
  const ms = (value: number | null) => (value === null ? '—' : t('deliveries.latency', { ms: value }));
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h5">
          {provider.name}
        </Title>
        <Status kind="operator.provider" of={provider.state} />
      </Group>
      <Table verticalSpacing={4} aria-label={provider.name}>
        <Table.Tbody>
          {(
            [
              [t('common.method'), provider.methods.map(methodLabel).join(', ')],
              [t('operator.system.calls'), formatNumber(provider.calls)],
              [t('operator.system.errors'), formatShare(provider.errorRate)],
              [t('operator.system.p50'), ms(provider.latencyP50)],
              [t('operator.system.p95'), ms(provider.latencyP95)],
            ] as const
          ).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Td px={0}>
                <Text size="sm" c="dimmed">
                  {name}
                </Text>
              </Table.Td>
              <Table.Td px={0} ta="right" className="figures">
                {value}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="xs">
        {provider.lastSuccessAt === null ? (
          t('operator.system.neverSucceeded')
        ) : (
          <>
            {t('operator.system.lastSuccess')} <RelativeTime at={provider.lastSuccessAt} size="sm" />
          </>
        )}
      </Text>
      {provider.lastFailureAt === null ? null : (
        <Text size="sm" c="dimmed">
          {t('operator.system.lastFailure')} <RelativeTime at={provider.lastFailureAt} size="sm" />:{' '}
          {provider.lastFailure}
        </Text>
      )}
    </Paper>
  );
}
