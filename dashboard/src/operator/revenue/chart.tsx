import '@mantine/charts/styles.css';

import { BarChart } from '@mantine/charts';
import { useTranslation } from 'react-i18next';

import { formatCompactMoney, formatMoney } from '../../i18n/format.ts';
import { shortNameOf, type Row } from './rows.ts';

/**
 * Costs and margin of each row, stacked: together they are the fees, unless the margin is negative.
 */
export function RevenueChart({ rows, height }: { readonly rows: readonly Row[]; readonly height: number }) {
  const { t } = useTranslation();
  return (
    <BarChart
      h={height}
      data={rows.map((row) => ({
        name: shortNameOf(row),
        costs: row.providerCosts,
        margin: row.margin,
      }))}
      dataKey="name"
      type="stacked"
      series={[
        { name: 'margin', label: t('operator.revenue.margin'), color: 'brand.6' },
        { name: 'costs', label: t('operator.revenue.costs'), color: 'orange.6' },
      ]}
      withLegend
      legendProps={{ verticalAlign: 'bottom' }}
      gridAxis="x"
      tickLine="none"
      maxBarWidth={48}
      valueFormatter={formatMoney}
      // The figure around it has a name, and a table follows. A stop of Tab would say nothing.
      accessibilityLayer={false}
      yAxisProps={{ width: 76, tickFormatter: formatCompactMoney }}
      xAxisProps={{ minTickGap: 24 }}
    />
  );
}
