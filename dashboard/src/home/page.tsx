import { Anchor, Box, Button, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CirclePlus, ReceiptText, Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { charges, type ChargeSummary } from '../api/queries.ts';
import { useSampleCall } from '../charges/sample.ts';
import { Money, RelativeTime, Status } from '../components/values.tsx';
import { EmptyState, ErrorAlert, LoadingSkeleton, PageTitle } from '../components/feedback.tsx';
import { methodLabel } from '../i18n/find-text.ts';
import { chargeOutcome } from '../i18n/statuses.ts';
import { Attention } from './attention.tsx';
import { Balance, Coming } from './balance.tsx';
import { Reports } from './reports.tsx';
import { TodaySales } from './today.tsx';

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
      {may('transactions:create') ? (
        <Button
          component={Link}
          to="/point-of-sale"
          hiddenFrom="sm"
          size="md"
          leftSection={<Store size={18} aria-hidden />}
        >
          {t('nav.pointOfSale')}
        </Button>
      ) : null}
      {isNew ? <Latest /> : null}
      <Balance />
      {isNew ? null : (
        <>
          <Coming />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <TodaySales />
            <Attention />
          </SimpleGrid>
          <Reports />
          <Latest />
        </>
      )}
    </Stack>
  );
}

function ChargeStatus({ row }: { readonly row: ChargeSummary }) {
  return (
    <Status kind="charge" of={chargeOutcome(row.method, row.status, null, row.refundedAmount)} size="sm" />
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
              <LatestRow
                key={row.id}
                row={row}
                onOpen={() => void navigate({ to: '/charges/$id', params: { id: row.id } })}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}

function LatestRow({ row, onOpen }: { readonly row: ChargeSummary; readonly onOpen: () => void }) {
  return (
    <Table.Tr className="openable" onClick={onOpen}>
      <Table.Td className="cut" w={{ base: '60%', sm: '40%' }}>
        <Anchor component={Link} to={`/charges/${row.id}`} size="sm" display="block" truncate>
          {row.customerName}
        </Anchor>
        <Text size="xs" c="dimmed" truncate>
          {[methodLabel(row.method), row.description].filter(Boolean).join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <RelativeTime at={row.createdAt} size="sm" c="dimmed" />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <ChargeStatus row={row} />
      </Table.Td>
      <Table.Td ta="right">
        <Money cents={row.amount} size="sm" fw={600} display="block" />
        <Box hiddenFrom="sm">
          <ChargeStatus row={row} />
        </Box>
      </Table.Td>
    </Table.Tr>
  );
}
