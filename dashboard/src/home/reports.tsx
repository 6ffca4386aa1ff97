import {
  Anchor,
  Grid,
  Group,
  Paper,
  Progress,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../api/clock.ts';
import { summary, type Summary, type SummaryQuery } from '../api/queries.ts';
import { Money } from '../components/values.tsx';
import { ErrorAlert } from '../components/feedback.tsx';
import { formatChange, formatMoney, formatShare, localDay } from '../i18n/format.ts';
import { METHODS } from '../i18n/statuses.ts';

/** Loaded separately, because the chart library is the largest chunk. */
const VolumeChart = lazy(() =>
  import('./volume-chart.tsx').then((module) => ({ default: module.VolumeChart })),
);

const PERIODS = ['1', '7', '30', '90', '365'] as const;
const YEAR = 365;
const CHART_PX = 220;
const DAY_MS = 86_400_000;

/**
 * The first of the twelve months that end with this one. Whole months are compared with a year
 * before.
 */
function startOfTwelveMonths(today: string): string {
  const [year = 0, month = 0] = today.split('-').map(Number);
  return month === 12 ? `${year}-01-01` : `${year - 1}-${String(month + 1).padStart(2, '0')}-01`;
}

function queryOf(days: number): SummaryQuery {
  const now = serverNow();
  const endDate = localDay(new Date(now));
  return {
    startDate: days < YEAR ? localDay(new Date(now - (days - 1) * DAY_MS)) : startOfTwelveMonths(endDate),
    endDate,
    interval: days === 1 ? 'hour' : days < YEAR ? 'day' : 'month',
  };
}

/** Paid volume compared with the previous period, and the payment rate. */
export function Reports() {
  const [days, setDays] = useLocalStorage({ key: 'vereda-period', defaultValue: '30' });
  const period = PERIODS.find((known) => known === days) ?? '30';
  const query = useQuery(summary(queryOf(Number(period))));
  const { data } = query;
  if (query.isError && data === undefined) return <ErrorAlert error={query.error} retry={query.refetch} />;
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Paper withBorder p="md" h="100%">
          <Group justify="space-between" align="flex-start">
            <Volume summary={data} />
            <PeriodControl value={period} onChange={setDays} />
          </Group>
          <Chart summary={data} />
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <PaymentRates summary={data} />
      </Grid.Col>
    </Grid>
  );
}

const periodOf = ({ current: { startDate, endDate } }: Summary): string =>
  `startDate=${startDate}&endDate=${endDate}`;

/** The charges that were created in the period and were paid or can no longer be paid. */
const endedOf = (summary: Summary): string =>
  `&status=PAID,DISPUTE,REFUNDED,CHARGEDBACK,FAILED,REFUSED&${periodOf(summary)}`;

interface Report {
  /** Undefined while it loads. */
  readonly summary: Summary | undefined;
}

function Volume({ summary }: Report) {
  const { t } = useTranslation();
  const volume = summary?.current.total.volume;
  const before = summary?.previous.total.volume ?? 0;
  return (
    <div>
      <Title order={2} size="h4">
        {summary === undefined ? (
          t('home.volume')
        ) : (
          <Anchor component={Link} to={`/statement?cause=PAYMENT&${periodOf(summary)}`} inherit c="inherit">
            {t('home.volume')}
          </Anchor>
        )}
      </Title>
      {volume === undefined ? (
        <Skeleton height={30} width={160} />
      ) : (
        <Money cents={volume} fz={24} fw={700} display="block" />
      )}
      <Text size="sm" c="dimmed">
        {summary === undefined ? '…' : t('home.payments', { count: summary.current.total.count })}
        {volume === undefined || before === 0
          ? ''
          : ` · ${t('home.change', { percent: formatChange(volume / before - 1) })}`}
      </Text>
    </div>
  );
}

function PeriodControl({
  value,
  onChange,
}: {
  readonly value: (typeof PERIODS)[number];
  readonly onChange: (days: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('common.period')}
      value={value}
      onChange={onChange}
      data={PERIODS.map((days) => ({
        value: days,
        label:
          days === '1'
            ? t('home.today')
            : days === '365'
              ? t('home.year')
              : t('home.days', { count: Number(days) }),
      }))}
    />
  );
}

function Chart({ summary }: Report) {
  const { t } = useTranslation();
  return (
    <Suspense fallback={<Skeleton height={CHART_PX} mt="md" />}>
      {summary === undefined ? (
        <Skeleton height={CHART_PX} mt="md" />
      ) : (
        <figure
          style={{ margin: 0 }}
          aria-label={t('home.chart', {
            total: formatMoney(summary.current.total.volume),
            before: formatMoney(summary.previous.total.volume),
          })}
        >
          <VolumeChart summary={summary} height={CHART_PX} />
        </figure>
      )}
    </Suspense>
  );
}

function PaymentRates({ summary }: Report) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md" h="100%">
      <Title order={2} size="h4" mb="sm">
        {t('home.success')}
      </Title>
      <Stack>
        {METHODS.map((method) => {
          const found = summary?.current.success[method];
          const rate = found?.rate ?? null;
          return (
            <div key={method}>
              <Group justify="space-between">
                <Anchor
                  component={Link}
                  to={`/charges?method=${method}${summary === undefined ? '' : endedOf(summary)}`}
                  size="sm"
                >
                  {t(`method.${method}`)}
                </Anchor>
                <Text fw={600} className="figures">
                  {rate === null ? '—' : formatShare(rate)}
                </Text>
              </Group>
              <Progress value={(rate ?? 0) * 100} aria-label={t(`method.${method}`)} />
              <Text size="xs" c="dimmed">
                {found === undefined || found.ended === 0
                  ? t('home.noneEnded')
                  : t('home.paidOf', { count: found.paid, ended: found.ended })}
              </Text>
            </div>
          );
        })}
      </Stack>
    </Paper>
  );
}
