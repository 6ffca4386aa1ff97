import { Box, Text } from '@mantine/core';
import type { TFunction } from 'i18next';

import type { ChargeSummary } from '../api/queries.ts';
import { methodColumn } from '../components/columns.tsx';
import type { Column } from '../components/cursor-table.tsx';
import { Money, RelativeTime, Status } from '../components/values.tsx';
import { chargeOutcome } from '../i18n/statuses.ts';

/** Columns of charges within another record: who, what, when, how, status and amount. */
export const chargeColumns = (t: TFunction): readonly Column<ChargeSummary>[] => [
  {
    key: 'payer',
    header: t('charges.payer'),
    phone: true,
    cell: (row) => (
      <>
        <Text size="sm" fw={600} lineClamp={2} className="whole">
          {row.customerName}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1} className="whole">
          {row.description}
        </Text>
        <Box hiddenFrom="sm">
          <RelativeTime at={timeOf(row)} size="xs" c="dimmed" />
        </Box>
      </>
    ),
  },
  { key: 'time', header: t('common.date'), cell: (row) => <RelativeTime at={timeOf(row)} size="sm" /> },
  methodColumn(t),
  { key: 'status', header: t('common.status'), cell: (row) => <Status kind="charge" of={outcomeOf(row)} /> },
  amountColumn(t),
];

/** On phones with the status, which leaves the name of the payer its width. */
export const amountColumn = (t: TFunction): Column<ChargeSummary> => ({
  key: 'amount',
  header: t('common.amount'),
  right: true,
  phone: true,
  cell: (row) => (
    <>
      <Money cents={row.amount} size="sm" fw={600} />
      <Box hiddenFrom="sm">
        <Status kind="charge" of={outcomeOf(row)} size="sm" />
      </Box>
    </>
  ),
});

export const outcomeOf = ({ method, status, refundedAmount }: ChargeSummary) =>
  chargeOutcome(method, status, null, refundedAmount);

const timeOf = ({ paidAt, createdAt }: ChargeSummary): string => paidAt ?? createdAt;
