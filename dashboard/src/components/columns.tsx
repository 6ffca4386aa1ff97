import { Box, Text } from '@mantine/core';
import type { TFunction } from 'i18next';

import { methodLabel } from '../i18n/find-text.ts';
import type { Kind } from '../i18n/statuses.ts';
import type { Column } from './cursor-table.tsx';
import { Id, Money, RelativeTime, Status } from './values.tsx';

/** Columns that several lists share. A screen adds its own beside them. */

export const sellerColumn = <Row extends { readonly sellerName: string }>(t: TFunction): Column<Row> => ({
  key: 'seller',
  header: t('operator.seller'),
  phone: true,
  cell: (row) => (
    <Text size="sm" fw={600} lineClamp={2} className="whole">
      {row.sellerName}
    </Text>
  ),
});

export const createdColumn = <Row extends { readonly createdAt: string }>(
  t: TFunction,
  options: { readonly header?: string; readonly phone?: boolean } = {},
): Column<Row> => ({
  key: 'created',
  header: options.header ?? t('common.created'),
  phone: options.phone ?? false,
  cell: (row) => <RelativeTime at={row.createdAt} size="sm" />,
});

export const statusColumn = <Row extends { readonly status: string }>(
  t: TFunction,
  kind: Kind,
  { phone = true }: { readonly phone?: boolean } = {},
): Column<Row> => ({
  key: 'status',
  header: t('common.status'),
  phone,
  cell: (row) => <Status kind={kind} of={row.status} />,
});

export const methodColumn = <Row extends { readonly method: string }>(t: TFunction): Column<Row> => ({
  key: 'method',
  header: t('common.method'),
  cell: (row) => methodLabel(row.method),
});

export const idColumn = <Row extends { readonly id: string }>(t: TFunction): Column<Row> => ({
  key: 'id',
  header: t('common.id'),
  cell: (row) => <Id id={row.id} />,
});

export const feeColumn = <Row extends { readonly feeAmount: number }>(t: TFunction): Column<Row> => ({
  key: 'fee',
  header: t('common.fee'),
  right: true,
  cell: (row) => <Money cents={row.feeAmount} size="sm" />,
});

export const amountColumn = <Row extends { readonly amount: number | null }>(t: TFunction): Column<Row> => ({
  key: 'amount',
  header: t('common.amount'),
  right: true,
  phone: true,
  cell: (row) => (row.amount === null ? '' : <Money cents={row.amount} size="sm" fw={600} />),
});

/** On phones with the status, which leaves the first column its width. */
export const amountAndStatusColumn = <Row extends { readonly status: string; readonly amount: number }>(
  t: TFunction,
  kind: Kind,
): Column<Row> => ({
  ...amountColumn(t),
  cell: (row) => (
    <>
      <Money cents={row.amount} size="sm" fw={600} />
      <Box hiddenFrom="sm">
        <Status kind={kind} of={row.status} size="sm" />
      </Box>
    </>
  ),
});
