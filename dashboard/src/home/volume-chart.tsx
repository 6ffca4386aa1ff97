import '@mantine/charts/styles.css';

import { AreaChart } from '@mantine/charts';
import { useTranslation } from 'react-i18next';

import { formatDayMonth, formatHour, formatMoney, formatMonth, formatCompactMoney } from '../i18n/format.ts';

interface Period {
  readonly buckets: readonly { readonly start: string; readonly volume: number }[];
}

/** Paid volume by day or hour, with the previous period as a faint line. */
export function VolumeChart({
  summary: { interval, current, previous },
  height,
}: {
  readonly summary: { readonly interval: string; readonly current: Period; readonly previous: Period };
  readonly height: number;
}) {
  const { t } = useTranslation();
  const label = interval === 'hour' ? formatHour : interval === 'month' ? formatMonth : formatDayMonth;
  const data = current.buckets.map(({ start, volume }, index) => ({
    at: label(start),
    volume,
    before: previous.buckets[index]?.volume ?? 0,
  }));
  return (
    <AreaChart
      h={height}
      mt="md"
      data={data}
      dataKey="at"
      series={[
        { name: 'before', label: t('home.previous'), color: 'gray.6', strokeDasharray: '4 4' },
        { name: 'volume', label: t('home.volume'), color: 'brand.5' },
      ]}
      curveType="monotone"
      withDots={false}
      strokeWidth={2}
      fillOpacity={0.12}
      gridAxis="x"
      tickLine="none"
      valueFormatter={formatMoney}
      // The figure around it has a name. A stop of Tab without one would say nothing.
      accessibilityLayer={false}
      yAxisProps={{ width: 76, tickFormatter: formatCompactMoney }}
      xAxisProps={{ minTickGap: 24 }}
    />
  );
}
