import { Alert, Button, Paper, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheckBig, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Id, RelativeTime } from '../../components/values.tsx';
import { ErrorAlert, PageTitle } from '../../components/feedback.tsx';
import { formatDecimal, formatNumber } from '../../i18n/format.ts';
import { detailLabel } from '../components/details.ts';
import { discrepancyLabel } from '../components/labels.ts';
import { latestLedgerCheck, type FullLedgerCheck } from '../queries.ts';

/** Ledger check. Runs on request and in the background, because it reads the whole ledger. */
export function LedgerPage(): ReactNode {
  const { t } = useTranslation();
  const { data: check, error, refetch } = useQuery(latestLedgerCheck());
  const mutation = useMutation({
    mutationFn: async () => (await unwrap(api.POST('/v1/admin/ledger/checks'))).data,
    onSuccess: (started) => queryClient.setQueryData(latestLedgerCheck().queryKey, started),
  });
  const isRunning = mutation.isPending || check?.status === 'RUNNING';
  return (
    <Stack maw={860}>
      <PageTitle title={t('operator.ledger.title')} intro={t('operator.ledger.intro')}>
        <Button loading={isRunning} onClick={() => mutation.mutate()}>
          {t('operator.ledger.run')}
        </Button>
      </PageTitle>
      <ErrorAlert error={error} retry={refetch} />
      <ErrorAlert error={mutation.error} retry={mutation.mutate} />
      {isRunning ? <Running progress={check?.status === 'RUNNING' ? check.progress : 0} /> : null}
      <div aria-live="polite">{isRunning || !check ? null : <Ended check={check} />}</div>
      {check === null && mutation.isIdle ? (
        <Paper withBorder p="md">
          <Stack gap="xs">
            <Title order={2} size="h4">
              {t('operator.ledger.scopeTitle')}
            </Title>
            <Text>{t('operator.ledger.scope')}</Text>
          </Stack>
        </Paper>
      ) : null}
    </Stack>
  );
}

function Running({ progress }: { readonly progress: number }): ReactNode {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md" role="status">
      <Stack gap="xs">
        <Text>{t('operator.ledger.running', { progress: formatNumber(progress) })}</Text>
        <Progress value={progress} animated aria-label={t('operator.ledger.title')} />
      </Stack>
    </Paper>
  );
}

function Ended({ check }: { readonly check: FullLedgerCheck }): ReactNode {
  const { t } = useTranslation();
  if (check.result !== null && check.finishedAt !== null)
    return <Result result={check.result} startedAt={check.startedAt} finishedAt={check.finishedAt} />;
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<TriangleAlert aria-hidden />}
      title={t('operator.ledger.interrupted')}
    >
      <Text size="sm">{t('operator.ledger.interruptedHint')}</Text>
    </Alert>
  );
}

interface ResultProps {
  readonly result: NonNullable<FullLedgerCheck['result']>;
  readonly startedAt: string;
  readonly finishedAt: string;
}

function Result({ result, startedAt, finishedAt }: ResultProps): ReactNode {
  const { t } = useTranslation();
  const { balanced, discrepancies } = result;
  const figures = {
    sellers: formatNumber(result.sellers),
    entries: formatNumber(result.entries),
    chainEntries: formatNumber(result.chainEntries),
    seconds: formatDecimal((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000),
  };
  return (
    <Stack>
      <Alert
        role="status"
        color={balanced ? 'green' : 'red'}
        variant="light"
        icon={balanced ? <CircleCheckBig aria-hidden /> : <TriangleAlert aria-hidden />}
        title={
          balanced
            ? t('operator.ledger.balanced')
            : t('operator.ledger.unbalanced', { count: discrepancies.length })
        }
      >
        <Text size="sm">{t('operator.ledger.figures', figures)}</Text>
        <Text size="sm" c="dimmed">
          {t('operator.ledger.checked')} <RelativeTime at={finishedAt} size="sm" />
        </Text>
      </Alert>
      {discrepancies.length === 0 ? null : (
        <Paper withBorder>
          <Table.ScrollContainer minWidth={0}>
            <Table aria-label={t('operator.ledger.discrepancies')} verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('operator.ledger.kind')}</Table.Th>
                  <Table.Th>{t('operator.seller')}</Table.Th>
                  <Table.Th>{t('operator.ledger.message')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {discrepancies.map(({ kind, sellerId, message }) => (
                  <Table.Tr key={`${kind}-${sellerId}-${message}`}>
                    <Table.Td>{discrepancyLabel(kind)}</Table.Td>
                    <Table.Td>
                      <Id id={sellerId} />
                    </Table.Td>
                    <Table.Td className="wrapped">{detailLabel(message)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
    </Stack>
  );
}
