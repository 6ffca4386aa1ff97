import { Text } from '@mantine/core';
import type { TFunction } from 'i18next';

import type { ChargeSummary } from '../api/queries.ts';
import { amountColumn, methodColumn } from '../components/columns.tsx';
import type { Column } from '../components/cursor-table.tsx';
import { RelativeTime, Status } from '../components/values.tsx';

/** Columns of charges within another record: who, what, when, how, status and amount. */
export const chargeColumns = (t: TFunction): readonly Column<ChargeSummary>[] => [
  {
    key: 'payer',
    header: t('charges.payer'),
    phone: true,
    cell: (row) => (
      <>
        <Text size="sm" fw={600} lineClamp={1} className="whole">
          {row.customerName}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1} className="whole">
          {row.description}
        </Text>
      </>
    ),
  },
  {
    key: 'time',
    header: t('common.date'),
    phone: true,
    cell: (row) => <RelativeTime at={row.paidAt ?? row.createdAt} size="sm" />,
  },
  methodColumn(t),
  {
    key: 'status',
    header: t('common.status'),
    phone: true,
    cell: (row) => <Status kind="charge" of={row.status} />,
  },
  amountColumn(t),
];
