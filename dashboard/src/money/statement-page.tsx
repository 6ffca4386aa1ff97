import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { entries, type EntryQuery } from '../api/queries.ts';
import { compact, oneOf } from '../app/search.ts';
import { CursorTable } from '../pieces/cursor-table.tsx';
import { ExportButton } from '../pieces/export-button.tsx';
import { DateTime, Money } from '../pieces/figures.tsx';
import { ChoiceFilter, FilterRow } from '../pieces/filters.tsx';
import { EmptyState, PageTitle } from '../pieces/notes.tsx';
import { readOn } from '../pieces/paging.ts';
import { PeriodFilter } from '../pieces/period.tsx';
import type { Filters } from '../pieces/views.tsx';
import { formatMoney, shortId } from '../words/format.ts';

const page = getRouteApi('/statement');
const ORIGINS = ['PIX', 'BOLETO', 'CARD'] as const;
const CAUSES = [
  'PAYMENT',
  'PAYMENT_FEE',
  'RELEASE',
  'REFUND',
  'REFUND_RESERVED',
  'REFUND_RETURNED',
  'REFUND_REVERSED',
  'CHARGEBACK',
  'CHARGEBACK_FEE',
  'DISPUTE_HELD',
  'DISPUTE_RELEASED',
  'DISPUTE_LOST',
  'WITHDRAWAL_RESERVED',
  'WITHDRAWAL_RETURNED',
  'WITHDRAWAL_PAID',
  'WITHDRAWAL_FEE',
] as const;

export function StatementPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const { cursor, ...filters } = search;
  const query: EntryQuery = compact({
    ...filters,
    origin: oneOf(ORIGINS, filters.origin),
    cause: oneOf(CAUSES, filters.cause),
    cursor,
    take: 30,
  });
  const list = useQuery(entries(query));
  const filter = (next: Filters) =>
    void navigate({ to: '/statement', search: compact({ ...filters, ...next }) });
  return (
    <Stack>
      <PageTitle title={t('statement.title')} />
      <Group justify="space-between" align="flex-end">
        <FilterRow filters={search} onClear={() => void navigate({ to: '/statement', search: {} })}>
          <PeriodFilter from={filters.startDate} to={filters.endDate} onChange={filter} />
          <ChoiceFilter
            label={t('statement.movement')}
            data={CAUSES.map((value) => ({ value, label: t(`cause.${value}`) }))}
            value={filters.cause}
            onChange={(cause) => filter({ cause })}
          />
          <ChoiceFilter
            label={t('common.origin')}
            data={ORIGINS.map((value) => ({ value, label: t(`method.${value}`) }))}
            value={filters.origin}
            onChange={(origin) => filter({ origin })}
          />
        </FilterRow>
        <ExportButton path="/v1/seller-wallet/entries" filters={filters} name="extrato.csv" />
      </Group>
      <CursorTable
        label={t('statement.title')}
        query={list}
        onPage={(next) =>
          void navigate({
            to: '/statement',
            search: compact({ ...filters, cursor: next }),
            state: readOn(next),
          })
        }
        columns={[
          {
            key: 'date',
            header: t('common.date'),
            phone: true,
            cell: (row) => <DateTime at={row.createdAt} size="sm" wraps />,
          },
          {
            key: 'cause',
            header: t('statement.movement'),
            phone: true,
            cell: (row) => (
              <Stack gap={0}>
                <Text size="sm">{t(`cause.${row.cause}`)}</Text>
                <Anchor
                  size="xs"
                  component={Link}
                  to={
                    row.recordType === 'TRANSACTION'
                      ? `/charges/${row.recordId}`
                      : `/withdrawals/${row.recordId}`
                  }
                >
                  {t(`method.${row.origin}`)} {shortId(row.recordId)}
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
                <Text size="sm" c="dimmed">
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
            cell: (row) => <Money cents={row.availableBalance} size="sm" />,
          },
          {
            key: 'total',
            header: t('statement.total'),
            right: true,
            cell: (row) => <Money cents={row.totalBalance} size="sm" />,
          },
        ]}
        empty={
          <EmptyState
            icon={<ScrollText />}
            title={Object.keys(filters).length > 0 ? t('list.nothing') : t('statement.emptyTitle')}
            hint={Object.keys(filters).length > 0 ? t('list.nothingHint') : t('statement.emptyHint')}
          />
        }
      />
    </Stack>
  );
}
