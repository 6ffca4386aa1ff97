import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Banknote } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { withdrawals, type WithdrawalQuery } from '../api/queries.ts';
import { compact, oneOf } from '../app/search.ts';
import { UUID } from '../app/uuid.ts';
import { CursorTable } from '../pieces/cursor-table.tsx';
import { ExportButton } from '../pieces/export-button.tsx';
import { Id, Money, RelativeTime, Status } from '../pieces/figures.tsx';
import {
  centsIn,
  ChoiceFilter,
  FilterRow,
  MoneyFilter,
  StatusFilter,
  TextFilter,
} from '../pieces/filters.tsx';
import { EmptyState, PageTitle } from '../pieces/notes.tsx';
import { readOn } from '../pieces/paging.ts';
import { PeriodFilter } from '../pieces/period.tsx';
import type { Filters } from '../pieces/views.tsx';
import { sayMethod } from '../words/i18n.ts';
import { WITHDRAWAL_METHODS, WITHDRAWAL_STATUSES } from '../words/statuses.ts';
import { WithdrawalDetail } from './withdrawal.tsx';

const page = getRouteApi('/withdrawals');

export function WithdrawalsPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const { cursor, open, ...filters } = search;
  const query: WithdrawalQuery = compact({
    ...filters,
    method: oneOf(WITHDRAWAL_METHODS, filters.method),
    minAmount: centsIn(filters.minAmount) || undefined,
    maxAmount: centsIn(filters.maxAmount) || undefined,
    cursor,
    take: 20,
  });
  const list = useQuery(withdrawals(query));
  const filter = (next: Filters) =>
    void navigate({ to: '/withdrawals', search: compact({ ...filters, ...next }) });
  const asking = may('withdrawals:create') ? (
    <Button component={Link} to="/withdrawals/new" leftSection={<Banknote size={16} aria-hidden />}>
      {t('withdrawals.new')}
    </Button>
  ) : null;
  const filtered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <PageTitle title={t('withdrawals.title')}>{asking}</PageTitle>
      <Group justify="space-between" align="flex-end">
        <FilterRow filters={search} onClear={() => void navigate({ to: '/withdrawals', search: {} })}>
          <PeriodFilter from={filters.startDate} to={filters.endDate} onChange={filter} />
          <StatusFilter
            kind="withdrawal"
            statuses={WITHDRAWAL_STATUSES}
            value={filters.status}
            onChange={(status) => filter({ status })}
          />
          <ChoiceFilter
            label={t('common.method')}
            data={WITHDRAWAL_METHODS.map((value) => ({ value, label: sayMethod(value) }))}
            value={filters.method}
            onChange={(method) => filter({ method })}
          />
          <MoneyFilter
            label={t('withdrawals.atLeast')}
            value={filters.minAmount}
            onChange={(minAmount) => filter({ minAmount })}
          />
          <MoneyFilter
            label={t('withdrawals.atMost')}
            value={filters.maxAmount}
            onChange={(maxAmount) => filter({ maxAmount })}
          />
          <TextFilter
            label={t('charges.filterKey')}
            w={110}
            value={filters.metadataKey}
            onChange={(metadataKey) => filter({ metadataKey })}
          />
          {filters.metadataKey === undefined ? null : (
            <TextFilter
              label={t('charges.filterValue')}
              w={110}
              value={filters.metadataValue}
              onChange={(metadataValue) => filter({ metadataValue })}
            />
          )}
          <TextFilter
            label={t('common.id')}
            value={filters.withdrawalId}
            valid={(text) => UUID.test(text)}
            hint={t('charges.notUuid')}
            onChange={(withdrawalId) => filter({ withdrawalId })}
          />
        </FilterRow>
        <ExportButton path="/v1/withdrawals" filters={filters} name="saques.csv" />
      </Group>
      <CursorTable
        label={t('withdrawals.title')}
        query={list}
        onOpen={(row) => void navigate({ to: '/withdrawals', search: { ...search, open: row.id } })}
        onPage={(next) =>
          void navigate({
            to: '/withdrawals',
            search: compact({ ...filters, cursor: next }),
            state: readOn(next),
          })
        }
        columns={[
          {
            key: 'created',
            header: t('common.created'),
            phone: true,
            cell: (row) => <RelativeTime at={row.createdAt} size="sm" />,
          },
          {
            key: 'status',
            header: t('common.status'),
            phone: true,
            cell: (row) => <Status kind="withdrawal" of={row.status} />,
          },
          {
            key: 'destination',
            header: t('withdrawals.destination'),
            cell: (row) => <Text size="sm">{row.pixKey ?? row.cryptoWalletAddress}</Text>,
          },
          { key: 'id', header: t('common.id'), cell: (row) => <Id id={row.id} /> },
          {
            key: 'fee',
            header: t('common.fee'),
            right: true,
            cell: (row) => <Money cents={row.feeAmount} size="sm" />,
          },
          {
            key: 'amount',
            header: t('common.amount'),
            right: true,
            phone: true,
            cell: (row) => <Money cents={row.amount} size="sm" fw={600} />,
          },
        ]}
        empty={
          <EmptyState
            icon={<Banknote />}
            title={filtered ? t('list.nothing') : t('withdrawals.emptyTitle')}
            hint={filtered ? t('list.nothingHint') : t('withdrawals.emptyHint')}
            action={filtered ? null : asking}
          />
        }
      />
      <Drawer
        opened={open !== undefined}
        onClose={() => void navigate({ to: '/withdrawals', search: compact({ ...search, open: undefined }) })}
        position="right"
        size="md"
        title={t('withdrawals.title')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {open === undefined ? null : <WithdrawalDetail id={open} />}
      </Drawer>
    </Stack>
  );
}
