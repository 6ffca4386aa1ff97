import { Alert, Box, Divider, Group, Stack, Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { translateReason } from '../i18n/reasons.ts';

import { api, unwrap } from '../api/client.ts';
import { withdrawal, withdrawalTimeline, type Withdrawal } from '../api/queries.ts';
import { Author } from '../components/author.tsx';
import { DateTime, Id, Money, Status, StatusDescription } from '../components/values.tsx';
import { DetailHeading, ErrorAlert, LoadingSkeleton } from '../components/feedback.tsx';
import { Simulations } from '../components/simulations.tsx';
import { formatMoney } from '../i18n/format.ts';
import { findText } from '../i18n/find-text.ts';
import { destinationLabel } from './destination.ts';

/** Details of a withdrawal. */
export function WithdrawalDetail({ id, page = false }: { readonly id: string; readonly page?: boolean }) {
  const { t } = useTranslation();
  const query = useQuery(withdrawal(id));
  if (query.isError && query.data === undefined) {
    return <ErrorAlert error={query.error} retry={query.refetch} />;
  }
  if (query.data === undefined) return <LoadingSkeleton />;
  const { data } = query;
  return (
    <Stack>
      <Group gap="sm">
        <DetailHeading page={page}>{formatMoney(data.amount)}</DetailHeading>
        <Box role="status">
          <Status kind="withdrawal" of={data.status} size="lg" />
        </Box>
      </Group>
      <StatusDescription kind="withdrawal" of={data.status} />
      <Id id={data.id} />
      {data.rejectionReason === null ? null : (
        <Alert color="red" title={t('common.reason')}>
          {translateReason(data.rejectionReason)}
        </Alert>
      )}
      <Stack gap={6}>
        <Row name={t('common.amount')} cents={data.amount} />
        <Row name={t('common.fee')} cents={-data.feeAmount} />
        <Divider />
        <Row name={t('common.net')} cents={data.netAmount} />
      </Stack>
      <div>
        <Text size="sm" c="dimmed">
          {t('withdrawals.destination')}
        </Text>
        <Text>{destinationLabel(data)}</Text>
        {data.beneficiaryName === null ? null : <Text size="sm">{data.beneficiaryName}</Text>}
      </div>
      <Steps withdrawal={data} />
      <SandboxActions withdrawal={data} />
    </Stack>
  );
}

function Row({ name, cents }: { readonly name: string; readonly cents: number }) {
  return (
    <Group justify="space-between">
      <Text size="sm">{name}</Text>
      <Money cents={cents} size="sm" />
    </Group>
  );
}

/** Progress of a withdrawal; future steps are dimmed. */
function Steps({ withdrawal: { id, status, createdBy } }: { readonly withdrawal: Withdrawal }) {
  const { t } = useTranslation();
  const query = useQuery(withdrawalTimeline(id));
  if (query.isError && query.data === undefined) {
    return <ErrorAlert error={query.error} retry={query.refetch} />;
  }
  if (query.data === undefined) return <LoadingSkeleton count={3} />;
  const { history } = query.data;
  const past = history.map(({ to }) => to);
  const coming = ['PAID', 'REJECTED', 'FAILED'].includes(status)
    ? []
    : (['APPROVED', 'PROCESSING', 'PAID'] as const).filter((step) => !past.includes(step));
  return (
    <Timeline active={history.length - 1} bulletSize={14} lineWidth={2}>
      {history.map(({ from, to, at, reason }) => (
        <Timeline.Item
          key={to}
          title={
            <Text size="sm" fw={600}>
              {from === null ? t('withdrawals.requested') : (findText(`withdrawalStatus.${to}.label`) ?? to)}
            </Text>
          }
        >
          {reason === null ? null : <Text size="sm">{translateReason(reason)}</Text>}
          {from === null ? (
            <Text size="sm">
              <Author by={createdBy} />
            </Text>
          ) : null}
          <DateTime at={at} size="xs" c="dimmed" />
        </Timeline.Item>
      ))}
      {coming.map((step) => (
        <Timeline.Item
          key={step}
          title={
            <Text size="sm" c="dimmed">
              {t(`withdrawalStatus.${step}.label`)}
            </Text>
          }
        />
      ))}
    </Timeline>
  );
}

/** Simulates the bank in the sandbox. */
function SandboxActions({ withdrawal: { id, status } }: { readonly withdrawal: Withdrawal }) {
  const { t } = useTranslation();
  if (status !== 'PROCESSING') return null;
  const params = { path: { id } };
  const simulations = [
    {
      label: t('withdrawals.simulate.pay'),
      run: () => unwrap<unknown>(api.POST('/v1/sandbox/withdrawals/{id}/pay', { params })),
    },
    {
      label: t('withdrawals.simulate.fail'),
      run: () => unwrap<unknown>(api.POST('/v1/sandbox/withdrawals/{id}/fail', { params })),
    },
  ];
  return <Simulations simulations={simulations} queries={['withdrawals', 'wallet', 'entries']} />;
}
