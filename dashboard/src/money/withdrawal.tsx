import { Alert, Button, Divider, Group, Stack, Text, Timeline, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { api, ask } from '../api/client.ts';
import { isSandbox, useMay } from '../api/permissions.ts';
import { queryClient, withdrawal, type Withdrawal } from '../api/queries.ts';
import { DateTime, Id, Money, Status } from '../pieces/figures.tsx';
import { ErrorNote, Lines, say } from '../pieces/notes.tsx';
import { formatMoney } from '../words/format.ts';

/** All of a withdrawal: its figures, where it goes and how far it has got. */
export function WithdrawalDetail({ id, page = false }: { readonly id: string; readonly page?: boolean }) {
  const { t } = useTranslation();
  const query = useQuery(withdrawal(id));
  if (query.isError && query.data === undefined) {
    return <ErrorNote error={query.error} retry={query.refetch} />;
  }
  if (query.data === undefined) return <Lines />;
  const { data } = query;
  return (
    <Stack>
      <Group gap="sm">
        <Title order={page ? 1 : 2} size="h2" className="figures">
          {formatMoney(data.amount)}
        </Title>
        <Status kind="withdrawal" of={data.status} size="lg" />
      </Group>
      <Id id={data.id} />
      {data.rejectionReason === null ? null : (
        <Alert color="red" title={t('common.reason')}>
          {data.rejectionReason}
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
        <Text>{data.pixKey ?? data.cryptoWalletAddress}</Text>
        {data.beneficiaryName === null ? null : <Text size="sm">{data.beneficiaryName}</Text>}
      </div>
      <Steps withdrawal={data} />
      <Plays withdrawal={data} />
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

function Steps({
  withdrawal: { createdAt, approvedAt, processedAt, paidAt, status, updatedAt },
}: {
  readonly withdrawal: Withdrawal;
}) {
  const { t } = useTranslation();
  const ended = status === 'REJECTED' || status === 'FAILED';
  const steps: readonly (readonly [string, string | null])[] = [
    [t('withdrawals.requested'), createdAt],
    [t('withdrawals.approvedAt'), approvedAt],
    [t('withdrawals.processedAt'), processedAt],
    ended ? [t(`withdrawalStatus.${status}.word`), updatedAt] : [t('withdrawals.paidAt'), paidAt],
  ];
  const shown = ended ? steps.filter(([, at]) => at !== null) : steps;
  return (
    <Timeline active={shown.filter(([, at]) => at !== null).length - 1} bulletSize={14} lineWidth={2}>
      {shown.map(([name, at]) => (
        <Timeline.Item key={name} title={<Text size="sm">{name}</Text>}>
          {at === null ? (
            <Text size="xs" c="dimmed">
              {t('withdrawals.waiting')}
            </Text>
          ) : (
            <DateTime at={at} size="xs" c="dimmed" />
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

/** The bank's part, played in the sandbox. */
function Plays({ withdrawal: { id, status } }: { readonly withdrawal: Withdrawal }) {
  const { t } = useTranslation();
  const may = useMay();
  const mutation = useMutation({
    mutationFn: async (outcome: 'pay' | 'fail') => {
      const params = { path: { id } };
      if (outcome === 'pay') await ask<unknown>(api.POST('/v1/sandbox/withdrawals/{id}/pay', { params }));
      else await ask<unknown>(api.POST('/v1/sandbox/withdrawals/{id}/fail', { params }));
      for (const key of ['withdrawals', 'wallet', 'entries']) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
    onSuccess: () => say(t('charges.simulated')),
  });
  if (!isSandbox || !may('sandbox:play') || status !== 'PROCESSING') return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('charges.sandboxTitle')}
      </Text>
      <Group>
        <Button size="xs" variant="light" onClick={() => mutation.mutate('pay')}>
          {t('withdrawals.playPay')}
        </Button>
        <Button size="xs" variant="light" onClick={() => mutation.mutate('fail')}>
          {t('withdrawals.playFail')}
        </Button>
      </Group>
      <ErrorNote error={mutation.error} />
    </Stack>
  );
}
