import { Alert, Button, Paper, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheckBig, TriangleAlert } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../../api/clock.ts';
import { api, unwrap } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Id, RelativeTime } from '../../components/values.tsx';
import { ErrorAlert, PageTitle } from '../../components/feedback.tsx';
import { formatDecimal, formatNumber } from '../../i18n/format.ts';
import { detailLabel } from '../components/details.ts';
import { discrepancyLabel } from '../components/labels.ts';
import { LEDGER_KEY, type LedgerCheck } from '../queries.ts';

interface Checked extends LedgerCheck {
  readonly at: string;
  readonly seconds: number;
}

/** Ledger check. Runs on request, because it recomputes every balance from all entries. */
export function LedgerPage(): ReactNode {
  const { t } = useTranslation();
  const last = useQuery<Checked | null>({
    queryKey: LEDGER_KEY,
    queryFn: () => null,
    enabled: false,
    gcTime: Infinity,
  });
  const mutation = useMutation({
    mutationFn: async (): Promise<Checked> => {
      const started = performance.now();
      const { data } = await unwrap(api.GET('/v1/admin/ledger/check'));
      const seconds = (performance.now() - started) / 1_000;
      return { ...data, at: new Date(serverNow()).toISOString(), seconds };
    },
    onSuccess: (checked) => queryClient.setQueryData(LEDGER_KEY, checked),
  });
  return (
    <Stack maw={860}>
      <PageTitle title={t('operator.ledger.title')} intro={t('operator.ledger.intro')}>
        <Button loading={mutation.isPending} onClick={() => mutation.mutate()}>
          {t('operator.ledger.run')}
        </Button>
      </PageTitle>
      {mutation.isPending ? <Running /> : null}
      <ErrorAlert error={mutation.error} retry={mutation.mutate} />
      <div aria-live="polite">
        {mutation.isPending || last.data === undefined || last.data === null ? null : (
          <Result checked={last.data} />
        )}
      </div>
      {last.data === undefined && mutation.isIdle ? (
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

function Running(): ReactNode {
  const { t } = useTranslation();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((passed) => passed + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Paper withBorder p="md" role="status">
      <Stack gap="xs">
        <Text>{t('operator.ledger.running', { count: seconds })}</Text>
        <Progress value={100} animated aria-label={t('operator.ledger.title')} />
      </Stack>
    </Paper>
  );
}

function Result({ checked }: { readonly checked: Checked }): ReactNode {
  const { t } = useTranslation();
  const { balanced, discrepancies } = checked;
  const figures = {
    sellers: formatNumber(checked.sellers),
    entries: formatNumber(checked.entries),
    chainEntries: formatNumber(checked.chainEntries),
    seconds: formatDecimal(checked.seconds),
  };
  return (
    <Stack>
      <Alert
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
          {t('operator.ledger.checked')} <RelativeTime at={checked.at} size="sm" />
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
