import { Box, Text } from '@mantine/core';
import type { TFunction } from 'i18next';

import type { ChargeSummary } from '../api/queries.ts';
import { createdColumn, feeColumn, idColumn, methodColumn } from '../components/columns.tsx';
import type { Column } from '../components/cursor-table.tsx';
import { DateTime, Money, RelativeTime, Status } from '../components/values.tsx';
import { amountColumn, outcomeOf } from './columns.tsx';

export const DEFAULT_COLUMNS = ['payer', 'created', 'method', 'status', 'net', 'amount'] as const;

/** Columns of the list of charges, from which the user chooses. */
export const listColumns = (t: TFunction): readonly Column<ChargeSummary>[] => [
  {
    key: 'payer',
    header: t('charges.payer'),
    phone: true,
    grows: true,
    cell: (row) => (
      <>
        <Text size="sm" fw={600} lineClamp={2} className="whole">
          {row.customerName}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1} className="whole">
          {row.description}
        </Text>
        <Box hiddenFrom="sm">
          <RelativeTime at={row.createdAt} size="xs" c="dimmed" />
        </Box>
      </>
    ),
  },
  createdColumn(t),
  methodColumn(t),
  {
    key: 'status',
    header: t('common.status'),
    cell: (row) => <Status kind="charge" of={outcomeOf(row)} />,
  },
  idColumn(t),
  {
    key: 'externalRef',
    header: t('charges.orderRef'),
    cell: (row) => (
      <Text size="sm" className="whole">
        {row.externalRef}
      </Text>
    ),
  },
  {
    key: 'installments',
    header: t('charges.installments'),
    right: true,
    cell: (row) => (row.installments === null ? '' : `${row.installments}x`),
  },
  {
    key: 'paidAt',
    header: t('charges.paidAt'),
    cell: (row) => (row.paidAt === null ? '' : <DateTime at={row.paidAt} size="sm" />),
  },
  feeColumn(t),
  {
    key: 'net',
    header: t('common.net'),
    right: true,
    cell: (row) => <Money cents={row.netAmount} size="sm" />,
  },
  amountColumn(t),
];

/** In the list of refunds in progress. */
export const refundingColumn = (t: TFunction): Column<ChargeSummary> => ({
  key: 'refunding',
  header: t('charges.refunding'),
  right: true,
  phone: true,
  always: true,
  cell: (row) => <Money cents={row.refundingAmount ?? 0} size="sm" />,
});
