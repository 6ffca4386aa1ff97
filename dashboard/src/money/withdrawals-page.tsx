import { Box, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Banknote } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { CSV_COLUMNS } from '../../../src/payouts/withdrawals/csv-columns.ts';
import { useMay } from '../api/permissions.ts';
import { withdrawals, type Withdrawal } from '../api/queries.ts';
import { compact, oneOf } from '../app/search.ts';

import {
  amountAndStatusColumn,
  createdColumn,
  feeColumn,
  idColumn,
  statusColumn,
} from '../components/columns.tsx';
import { useSelection, type Column } from '../components/cursor-table.tsx';

import {
  ChoiceFilter,
  IdFilter,
  MoneyFilter,
  StatusFilter,
  TextFilter,
  parseCents,
} from '../components/filters.tsx';
import { Listing } from '../components/listing.tsx';
import { PeriodFilter } from '../components/period.tsx';
import { RelativeTime } from '../components/values.tsx';
import { useColumnChoice, type Filters } from '../components/views.tsx';
import { methodLabel } from '../i18n/find-text.ts';
import { formatDateTime, formatMoney } from '../i18n/format.ts';
import { WITHDRAWAL_METHODS, WITHDRAWAL_STATUSES } from '../i18n/statuses.ts';
import { destinationLabel } from './destination.ts';
import { WithdrawalDetail } from './withdrawal.tsx';

const page = getRouteApi('/withdrawals');
const TAKE = 20;

/** Columns of withdrawals: to where, when, status, id, fee and amount. */
const withdrawalColumns = (t: TFunction): readonly Column<Withdrawal>[] => [
  {
    key: 'destination',
    header: t('withdrawals.destination'),
    phone: true,
    cell: (row) => (
      <>
        <Text size="sm" className="whole">
          {destinationLabel(row)}
        </Text>
        <Box hiddenFrom="sm">
          <RelativeTime at={row.createdAt} size="xs" c="dimmed" />
        </Box>
      </>
    ),
  },
  createdColumn(t),
  statusColumn(t, 'withdrawal', { phone: false }),
  idColumn(t),
  feeColumn(t),
  amountAndStatusColumn(t, 'withdrawal'),
];

const nameOf = (row: Withdrawal): string =>
  [destinationLabel(row), formatMoney(row.amount), formatDateTime(row.createdAt)].join(', ');

export function WithdrawalsPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const search = page.useSearch();
  const { cursor, open: _open, ...chosen } = search;
  const list = useQuery(
    withdrawals(
      compact({
        ...chosen,
        method: oneOf(WITHDRAWAL_METHODS, chosen.method),
        minAmount: parseCents(chosen.minAmount) || undefined,
        maxAmount: parseCents(chosen.maxAmount) || undefined,
        cursor,
        take: TAKE,
      }),
    ),
  );
  const { columns, choice } = useColumnChoice('withdrawals', withdrawalColumns(t));
  const selection = useSelection(nameOf);
  const asking = may('withdrawals:create') ? (
    <Button component={Link} to="/withdrawals/new" leftSection={<Banknote size={16} aria-hidden />}>
      {t('withdrawals.new')}
    </Button>
  ) : null;
  return (
    <Listing
      title={t('withdrawals.title')}
      actions={asking}
      search={search}
      file={{
        path: '/v1/withdrawals',
        name: t('withdrawals.file'),
        selected: { rows: selection.rows, columns: CSV_COLUMNS },
      }}
      filters={(change) => <WithdrawalFilters chosen={chosen} change={change} />}
      query={list}
      sumOf={(row) => row.amount}
      columns={columns}
      choice={choice}
      selection={selection}
      empty={{
        icon: <Banknote />,
        title: t('withdrawals.emptyTitle'),
        hint: t('withdrawals.emptyHint'),
        action: asking,
      }}
      panel={{ title: t('withdrawals.one'), of: (id) => <WithdrawalDetail id={id} /> }}
    />
  );
}

function WithdrawalFilters({
  chosen,
  change,
}: {
  readonly chosen: Omit<ReturnType<typeof page.useSearch>, 'cursor' | 'open'>;
  readonly change: (next: Filters) => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={change} />
      <StatusFilter
        kind="withdrawal"
        statuses={WITHDRAWAL_STATUSES}
        value={chosen.status}
        onChange={(status) => change({ status })}
      />
      <ChoiceFilter
        label={t('withdrawals.method')}
        placeholder={t('common.anyFeminine')}
        data={WITHDRAWAL_METHODS.map((value) => ({ value, label: methodLabel(value) }))}
        value={chosen.method}
        onChange={(method) => change({ method })}
      />
      <MoneyFilter
        label={t('withdrawals.atLeast')}
        value={chosen.minAmount}
        onChange={(minAmount) => change({ minAmount })}
      />
      <MoneyFilter
        label={t('withdrawals.atMost')}
        value={chosen.maxAmount}
        onChange={(maxAmount) => change({ maxAmount })}
      />
      <TextFilter
        label={t('charges.filterKey')}
        w={110}
        value={chosen.metadataKey}
        onChange={(metadataKey) => change({ metadataKey })}
      />
      {chosen.metadataKey === undefined ? null : (
        <TextFilter
          label={t('charges.filterValue')}
          w={110}
          value={chosen.metadataValue}
          onChange={(metadataValue) => change({ metadataValue })}
        />
      )}
      <IdFilter
        label={t('common.id')}
        value={chosen.withdrawalId}
        onChange={(withdrawalId) => change({ withdrawalId })}
      />
    </>
  );
}
