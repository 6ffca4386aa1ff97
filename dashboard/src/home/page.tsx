import { Anchor, Button, Group, Paper, Stack, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CirclePlus, ReceiptText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { charges } from '../api/queries.ts';
import { useSampleCall } from '../charges/sample.ts';
import { Money, RelativeTime, Status } from '../components/values.tsx';
import { EmptyState, ErrorAlert, LoadingSkeleton, PageTitle } from '../components/feedback.tsx';
import { methodLabel } from '../i18n/find-text.ts';
import { Attention } from './attention.tsx';
import { Balance } from './balance.tsx';
import { Reports } from './reports.tsx';

const LATEST = 8;

export function HomePage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  // A new seller sees the first steps instead of empty charts.
  const isNew = useQuery(charges({ take: LATEST })).data?.count === 0;
  return (
    <Stack>
      <PageTitle title={t('home.title')}>
        {may('transactions:create') ? (
          <Button
            component={Link}
            to="/charges/new"
            visibleFrom="sm"
            leftSection={<CirclePlus size={16} aria-hidden />}
          >
            {t('charges.new')}
          </Button>
        ) : null}
      </PageTitle>
      <Balance />
      {isNew ? null : (
        <>
          <Attention />
          <Reports />
        </>
      )}
      <Latest />
    </Stack>
  );
}

function Latest() {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const query = useQuery(charges({ take: LATEST }));
  const command = useSampleCall();
  const rows = query.data?.data;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('home.latest')}
        </Title>
        <Anchor component={Link} to="/charges" size="sm">
          {t('common.seeAll')}
        </Anchor>
      </Group>
      {query.isError && rows === undefined ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
      {query.isPending ? <LoadingSkeleton count={LATEST} height={34} /> : null}
      {rows?.length === 0 ? (
        <EmptyState
          icon={<ReceiptText />}
          title={t('home.firstTitle')}
          hint={t('home.firstHint')}
          command={command}
          action={
            may('transactions:create') ? (
              <Button component={Link} to="/charges/new">
                {t('charges.new')}
              </Button>
            ) : null
          }
        />
      ) : null}
      {rows === undefined || rows.length === 0 ? null : (
        <Table highlightOnHover aria-label={t('home.latest')}>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr
                key={row.id}
                className="openable"
                onClick={() => void navigate({ to: '/charges/$id', params: { id: row.id } })}
              >
                <Table.Td>
                  <Anchor component={Link} to={`/charges/${row.id}`} size="sm">
                    {methodLabel(row.method)}
                  </Anchor>
                </Table.Td>
                <Table.Td visibleFrom="xs">
                  <RelativeTime at={row.createdAt} size="sm" c="dimmed" />
                </Table.Td>
                <Table.Td>
                  <Status kind="charge" of={row.status} size="sm" />
                </Table.Td>
                <Table.Td ta="right">
                  <Money cents={row.amount} size="sm" fw={600} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
