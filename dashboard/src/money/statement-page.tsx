import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ENTRY_CAUSES, ORIGINS } from '../../../src/accounting/ledger/entries.ts';
import { entries, summary, wallet, type Entry } from '../api/queries.ts';
import { compact, oneOf } from '../app/search.ts';
import type { Column } from '../components/cursor-table.tsx';
import { DateTime, Money } from '../components/values.tsx';
import { ChoiceFilter } from '../components/filters.tsx';
import { Listing } from '../components/listing.tsx';
import { PeriodFilter } from '../components/period.tsx';
import type { Filters } from '../components/views.tsx';
import { formatMoney, shortId } from '../i18n/format.ts';

const page = getRouteApi('/statement');
const TAKE = 30;

export function StatementPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, ...chosen } = search;
  const list = useQuery(
    entries(
      compact({
        ...chosen,
        origin: oneOf(ORIGINS, chosen.origin),
        cause: oneOf(ENTRY_CAUSES, chosen.cause),
        cursor,
        take: TAKE,
      }),
    ),
  );
  return (
    <Listing
      title={t('statement.title')}
      search={search}
      file={{ path: '/v1/seller-wallet/entries', name: t('statement.file') }}
      filters={(change) => (
        <>
          <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={change} />
          <ChoiceFilter
            label={t('statement.movement')}
            placeholder={t('common.any')}
            data={ENTRY_CAUSES.map((value) => ({ value, label: t(`cause.${value}`) }))}
            value={chosen.cause}
            onChange={(cause) => change({ cause })}
          />
          <ChoiceFilter
            label={t('common.origin')}
            placeholder={t('common.anyFeminine')}
            data={ORIGINS.map((value) => ({ value, label: t(`method.${value}`) }))}
            value={chosen.origin}
            onChange={(origin) => change({ origin })}
          />
        </>
      )}
      summary={<Sums filters={chosen} />}
      sumOf={(row) => row.amount}
      query={list}
      columns={useEntryColumns()}
      empty={{ icon: <ScrollText />, title: t('statement.emptyTitle'), hint: t('statement.emptyHint') }}
    />
  );
}

function useEntryColumns(): readonly Column<Entry>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'date',
      header: t('common.date'),
      cell: (row) => <DateTime at={row.createdAt} size="sm" wraps />,
    },
    {
      key: 'cause',
      header: t('statement.movement'),
      phone: true,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{t(`cause.${row.cause}`)}</Text>
          <Box hiddenFrom="sm">
            <DateTime at={row.createdAt} size="xs" c="dimmed" />
          </Box>
          {row.customerName === null ? null : (
            <Text size="sm" className="whole">
              {[row.customerName, row.description].filter(Boolean).join(' · ')}
            </Text>
          )}
          <Anchor
            size="xs"
            component={Link}
            to={
              row.recordType === 'TRANSACTION' ? `/charges/${row.recordId}` : `/withdrawals/${row.recordId}`
            }
          >
            {t(`method.${row.origin}`)} <span className="figures">{shortId(row.recordId)}</span>
          </Anchor>
        </Stack>
      ),
    },
    {
      key: 'amount',
      header: t('common.amount'),
      right: true,
      phone: true,
      cell: (row) =>
        row.amount === 0 ? (
          <Text size="xs" c="dimmed">
            {t('statement.moved', { amount: formatMoney(row.moved) })}
          </Text>
        ) : (
          <Money cents={row.amount} signed size="sm" fw={600} />
        ),
    },
    {
      key: 'available',
      header: t('statement.available'),
      right: true,
      cell: (row) => <Money cents={row.availableBalance} balance size="sm" />,
    },
    {
      key: 'total',
      header: t('statement.total'),
      right: true,
      cell: (row) => <Money cents={row.totalBalance} balance size="sm" />,
    },
  ];
}

/** The balance that the newest line leaves and, of payments of whole days, what was received. */
function Sums({ filters }: { readonly filters: Filters }) {
  const { t } = useTranslation();
  const { data } = useQuery(wallet());
  const { origin, cause, startDate, endDate, recordId } = filters;
  const known = oneOf(ORIGINS, origin);
  const balance = known === undefined ? data : data?.byOrigin[known];
  const isOfDays = startDate !== undefined && endDate !== undefined && recordId === undefined;
  const isReceived = cause === 'PAYMENT' && origin === undefined && isOfDays;
  const received = useQuery({
    ...summary({ startDate: startDate ?? '', endDate: endDate ?? '', interval: 'day' }),
    enabled: isReceived,
  });
  const total = isReceived ? received.data?.current.total : undefined;
  return (
    <Group gap="lg">
      {total === undefined ? (
        <Text size="sm">
          {t('home.available')}:{' '}
          {balance === undefined ? '…' : <Money cents={balance.availableBalance} balance fw={600} />}
        </Text>
      ) : (
        <Text size="sm">
          {t('home.volume')}: <Money cents={total.volume} fw={600} /> ·{' '}
          {t('home.payments', { count: total.count })}
        </Text>
      )}
    </Group>
  );
}
