import { Group, Paper, Select, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ExportButton } from '../../components/export-button.tsx';
import { EmptyState, ErrorAlert, LoadingSkeleton, PageTitle } from '../../components/feedback.tsx';
import { Figure } from '../../components/figure.tsx';
import { FilterRow } from '../../components/filters.tsx';
import { useUpdateSearch } from '../../components/listing.tsx';
import { dayFromNow, PeriodFilter } from '../../components/period.tsx';
import { Money } from '../../components/values.tsx';
import { formatMoney, formatShare } from '../../i18n/format.ts';
import { formatFullDay } from '../reconciliation/format-day.ts';
import { revenue, type RevenueQuery, type RevenueReport } from '../queries.ts';
import { ProviderCosts } from './costs.tsx';
import { fillDays, GROUPS, periodBefore, type GroupBy } from './rows.ts';
import { RevenueTable } from './table.tsx';

/** Loaded separately, because the chart library is the largest chunk. */
const RevenueChart = lazy(() => import('./chart.tsx').then((module) => ({ default: module.RevenueChart })));

const page = getRouteApi('/operator/revenue');
const DEFAULT_DAYS = 30;
const CHART_PX = 260;
/** Sellers of the chart. */
const MAX_BARS = 10;

/** What the gateway earned, and what the providers cost. */
export function RevenuePage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const go = useUpdateSearch();
  const groupBy = GROUPS.find((one) => one === search.groupBy) ?? 'day';
  const startDate = search.startDate ?? dayFromNow(1 - DEFAULT_DAYS);
  const endDate = search.endDate ?? dayFromNow(0);
  const query = { startDate, endDate, groupBy };
  return (
    <Stack>
      <PageTitle title={t('operator.revenue.title')} intro={t('operator.revenue.intro')} />
      <Group justify="space-between" align="flex-end">
        <FilterRow filters={search} onClear={() => go({})}>
          <PeriodFilter from={startDate} to={endDate} onChange={(period) => go({ ...search, ...period })} />
          <Select
            size="xs"
            w={130}
            label={t('operator.revenue.groupBy')}
            data={GROUPS.map((value) => ({ value, label: t(`operator.revenue.groups.${value}`) }))}
            value={groupBy}
            allowDeselect={false}
            onChange={(next) => go({ ...search, groupBy: next ?? undefined })}
          />
        </FilterRow>
        <ExportButton path="/v1/admin/reports/revenue" filters={query} name={t('operator.revenue.file')} />
      </Group>
      <Report query={query} />
      <ProviderCosts />
    </Stack>
  );
}

function Report({ query }: { readonly query: RevenueQuery & { readonly groupBy: GroupBy } }): ReactNode {
  const { t } = useTranslation();
  const { data, isError, error, isPlaceholderData, refetch } = useQuery(revenue(query));
  if (isError && (data === undefined || isPlaceholderData))
    return <ErrorAlert error={error} retry={refetch} />;
  if (data === undefined) return <LoadingSkeleton count={6} height={56} />;
  if (data.rows.length === 0) {
    return (
      <EmptyState
        icon={<ChartColumn />}
        title={t('operator.revenue.emptyTitle')}
        hint={t('operator.revenue.emptyHint')}
      />
    );
  }
  return (
    <Stack className={isPlaceholderData ? 'faded' : ''} aria-busy={isPlaceholderData}>
      <Answer query={query} margin={data.total.margin} />
      <Totals total={data.total} />
      <Chart report={data} query={query} />
      <RevenueTable report={data} groupBy={query.groupBy} />
    </Stack>
  );
}

/** The margin as a sentence, compared with as many days before. */
function Answer({ query, margin }: { readonly query: RevenueQuery; readonly margin: number }): ReactNode {
  const { t } = useTranslation();
  const period = periodBefore(query);
  const earlier = useQuery(revenue({ ...period, groupBy: 'method' }));
  const before = earlier.isPlaceholderData ? 0 : (earlier.data?.total.margin ?? 0);
  // A share of zero, or of a loss, is meaningless.
  const change = before > 0 ? margin / before - 1 : 0;
  const kind = change === 0 ? 'alone' : change < 0 ? 'below' : 'above';
  const { startDate, endDate } = query;
  return (
    <Text size="lg" fw={600}>
      {t(`operator.revenue.answer.${kind}`, {
        period:
          startDate === endDate
            ? formatFullDay(startDate)
            : `${formatFullDay(startDate)} – ${formatFullDay(endDate)}`,
        margin: formatMoney(margin),
        percent: formatShare(Math.abs(change)),
        count: period.days,
      })}
    </Text>
  );
}

function Totals({ total }: { readonly total: RevenueReport['total'] }): ReactNode {
  const { t } = useTranslation();
  const figures = [
    [t('operator.revenue.volume'), total.volume],
    [t('operator.revenue.fees'), total.feesEarned],
    [t('operator.revenue.costs'), total.providerCosts],
    [t('operator.revenue.margin'), total.margin],
    [t('operator.revenue.refunds'), total.refunds],
    [t('operator.revenue.chargebacks'), total.chargebacks],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {figures.map(([name, cents]) => (
        <Figure key={name} name={name}>
          <Money cents={cents} fw={700} />
        </Figure>
      ))}
    </SimpleGrid>
  );
}

function Chart({
  report: { rows, total },
  query: { groupBy, startDate, endDate },
}: {
  readonly report: RevenueReport;
  readonly query: RevenueQuery & { readonly groupBy: GroupBy };
}): ReactNode {
  const { t } = useTranslation();
  if (rows.every(({ providerCosts, margin }) => providerCosts === 0 && margin === 0)) return null;
  const isCut = groupBy === 'seller' && rows.length > MAX_BARS;
  const bars =
    groupBy === 'day' ? fillDays(rows, startDate, endDate) : isCut ? rows.slice(0, MAX_BARS) : rows;
  return (
    <Paper withBorder p="md">
      {isCut ? (
        <Text size="sm" c="dimmed" mb="xs">
          {t('operator.revenue.topSellers', { count: MAX_BARS })}
        </Text>
      ) : null}
      <Suspense fallback={<Skeleton height={CHART_PX} />}>
        <figure
          style={{ margin: 0 }}
          aria-label={t('operator.revenue.chart', {
            fees: formatMoney(total.feesEarned),
            costs: formatMoney(total.providerCosts),
            margin: formatMoney(total.margin),
          })}
        >
          <RevenueChart rows={bars} height={CHART_PX} />
        </figure>
      </Suspense>
    </Paper>
  );
}
