import { Anchor, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../api/clock.ts';
import { Money, RelativeTime } from '../components/values.tsx';
import { ErrorAlert, PageTitle } from '../components/feedback.tsx';
import { formatNumber, localDay } from '../i18n/format.ts';
import {
  days,
  mails,
  allDisputes,
  providers,
  providerRoutes,
  reports,
  allReversals,
  sellers,
  pendingWithdrawals,
  riskReviews,
} from './queries.ts';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const COUNT = { take: 1 } as const;

/** Pending work and problems, with links to each. */
export function OperatorHomePage(): ReactNode {
  const { t } = useTranslation();
  const endDate = localDay(new Date(serverNow()));
  const startDate = localDay(new Date(serverNow() - (WEEK_DAYS - 1) * DAY_MS));
  const queue = useQuery(pendingWithdrawals(undefined));
  const held = useQuery(riskReviews());
  const appealed = useQuery(allDisputes({ ...COUNT, status: 'UNDER_REVIEW' }));
  const manual = useQuery(allReversals({ ...COUNT, status: 'MANUAL' }));
  const pending = useQuery(sellers({ ...COUNT, status: 'PENDING' }));
  const unmatched = useQuery(reports({ ...COUNT, outcome: 'UNMATCHED', startDate }));
  const week = useQuery(days({ startDate, endDate }));
  const rails = useQuery(providers());
  const routes = useQuery(providerRoutes());
  const undelivered = useQuery(mails({ ...COUNT, status: 'FAILED' }));
  const oldest = queue.data?.data[0];
  const all = [queue, held, appealed, manual, pending, unmatched, week, rails, routes, undelivered];
  const failed = all.find(({ isError, data }) => isError && data === undefined);
  const different = week.data?.filter(({ status }) => status === 'DIFFERENT').length;
  // The file of a day arrives on the next one. A day without movements needs none.
  const withoutFile = week.data?.filter(
    ({ status, day, ledger }) => status === 'NO_FILE' && day < endDate && ledger.movements > 0,
  ).length;
  const paused = routes.data?.flatMap((route) => route.providers.filter((one) => one.paused !== null)).length;
  const down = rails.data?.filter(({ state }) => state !== 'CLOSED').length;
  const counts = [
    queue.data?.count,
    held.data?.count,
    appealed.data?.count,
    manual.data?.count,
    pending.data?.count,
    unmatched.data?.count,
    different,
    withoutFile,
    down,
    paused,
    undelivered.data?.count,
  ];
  const isQuiet = counts.every((count) => count === 0);
  return (
    <Stack>
      <PageTitle title={t('operator.home.title')} intro={t('operator.home.intro')} />
      {failed === undefined ? null : <ErrorAlert error={failed.error} retry={() => void failed.refetch()} />}
      {isQuiet ? (
        <Paper withBorder p="md">
          <Text>
            <CircleCheckBig size={16} aria-hidden /> {t('operator.home.allClear')}
          </Text>
        </Paper>
      ) : null}
      <Title order={2} size="h4">
        {t('operator.home.pending')}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Card
          to="/operator/withdrawals"
          name={t('operator.home.withdrawals')}
          query={queue}
          count={queue.data?.count}
        >
          {oldest === undefined ? null : (
            <>
              <Money
                cents={queue.data?.data.reduce((sum, { amount }) => sum + amount, 0) ?? 0}
                size="sm"
                fw={600}
              />
              <Text size="xs" c="dimmed">
                {t('operator.home.oldest')} <RelativeTime at={oldest.createdAt} size="xs" />
              </Text>
            </>
          )}
        </Card>
        <Card
          to="/operator/risk-reviews"
          name={t('operator.home.riskReviews')}
          query={held}
          count={held.data?.count}
        />
        <Card
          to="/operator/disputes?status=UNDER_REVIEW"
          name={t('operator.home.disputes')}
          query={appealed}
          count={appealed.data?.count}
        />
        <Card
          to="/operator/reversals?status=MANUAL"
          name={t('operator.home.reversals')}
          query={manual}
          count={manual.data?.count}
        />
        <Card
          to="/operator/sellers?status=PENDING"
          name={t('operator.home.sellers')}
          query={pending}
          count={pending.data?.count}
        />
      </SimpleGrid>
      <Title order={2} size="h4">
        {t('operator.home.alerts')}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Card
          to="/operator/reconciliation"
          name={t('operator.home.mismatchedDays')}
          query={week}
          count={different}
        >
          {(withoutFile ?? 0) > 0 ? (
            <Text size="sm" fw={600}>
              {t('operator.home.daysWithoutFile', { count: withoutFile ?? 0 })}
            </Text>
          ) : null}
        </Card>
        <Card
          to={`/operator/provider-events?outcome=UNMATCHED&startDate=${startDate}&endDate=${endDate}`}
          name={t('operator.home.unmatchedEvents')}
          query={unmatched}
          count={unmatched.data?.count}
        />
        <Card to="/operator/system" name={t('operator.home.providers')} query={rails} count={down} />
        <Card to="/operator/settings" name={t('operator.home.paused')} query={routes} count={paused} />
        <Card
          to="/operator/mails?status=FAILED"
          name={t('operator.home.mails')}
          query={undelivered}
          count={undelivered.data?.count}
        />
      </SimpleGrid>
    </Stack>
  );
}

function Card({
  to,
  name,
  query,
  count,
  children,
}: {
  readonly to: string;
  readonly name: string;
  readonly query: Pick<UseQueryResult, 'isPending'>;
  readonly count: number | undefined;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Paper withBorder p="md" className="tile">
      <Anchor component={Link} to={to} className="tile-link" size="sm">
        {name}
      </Anchor>
      {query.isPending ? (
        <Skeleton height={32} width={50} mt={4} />
      ) : (
        <Text fz={26} fw={700} className="figures" c={count === 0 ? 'dimmed' : 'var(--mantine-color-text)'}>
          {count === undefined ? '—' : formatNumber(count)}
        </Text>
      )}
      {children}
    </Paper>
  );
}
