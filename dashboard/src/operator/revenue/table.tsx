import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Money } from '../../components/values.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { SellerLink } from '../components/seller-link.tsx';
import type { RevenueReport } from '../queries.ts';
import { keyOf, nameOf, type GroupBy, type Row } from './rows.ts';

type Sums = RevenueReport['total'];

/** The rows of a report and their totals. */
export function RevenueTable({
  report,
  groupBy,
}: {
  readonly report: RevenueReport;
  readonly groupBy: GroupBy;
}): ReactNode {
  const { t } = useTranslation();
  const isTime = groupBy === 'day' || groupBy === 'month';
  const rows = isTime ? report.rows.toReversed() : report.rows;
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={0}>
        <Table verticalSpacing="xs" aria-label={t('operator.revenue.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t(`operator.revenue.groups.${groupBy}`)}</Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                {t('operator.revenue.charges')}
              </Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                {t('operator.revenue.volume')}
              </Table.Th>
              <Table.Th ta="right">{t('operator.revenue.fees')}</Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                {t('operator.revenue.costs')}
              </Table.Th>
              <Table.Th ta="right">{t('operator.revenue.margin')}</Table.Th>
              <Table.Th ta="right" visibleFrom="md">
                {t('operator.revenue.refunds')}
              </Table.Th>
              <Table.Th ta="right" visibleFrom="md">
                {t('operator.revenue.chargebacks')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={keyOf(row)}>
                <Table.Td>
                  <Name row={row} />
                </Table.Td>
                <Cells of={row} />
              </Table.Tr>
            ))}
            <Table.Tr>
              <Table.Th scope="row">{t('operator.revenue.total')}</Table.Th>
              <Cells of={report.total} fw={700} />
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function Name({ row }: { readonly row: Row }): ReactNode {
  const name = nameOf(row);
  return row.sellerId === undefined ? name : <SellerLink id={row.sellerId} name={name} />;
}

function Cells({ of, fw = 400 }: { readonly of: Sums; readonly fw?: number }): ReactNode {
  return (
    <>
      <Table.Td ta="right" className="figures" fw={fw} visibleFrom="sm">
        {formatNumber(of.charges)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        <Money cents={of.volume} size="sm" fw={fw} />
      </Table.Td>
      <Table.Td ta="right">
        <Money cents={of.feesEarned} size="sm" fw={fw} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        <Money cents={of.providerCosts} size="sm" fw={fw} />
      </Table.Td>
      <Table.Td ta="right">
        <Money
          cents={of.margin}
          size="sm"
          fw={fw}
          {...(of.margin < 0 ? { c: 'var(--mantine-color-error)' } : {})}
        />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md">
        <Money cents={of.refunds} size="sm" fw={fw} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md">
        <Money cents={of.chargebacks} size="sm" fw={fw} />
      </Table.Td>
    </>
  );
}
