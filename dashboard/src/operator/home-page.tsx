import { Anchor, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../api/clock.ts';
import { Money, RelativeTime } from '../components/values.tsx';
import { ErrorAlert, PageTitle } from '../components/feedback.tsx';
import { formatMoney, formatNumber, localDay } from '../i18n/format.ts';
import {
  applications,
  mails,
  allDisputes,
  pendingApprovals,
  providers,
  providerRoutes,
  reports,
  allReversals,
} from './queries.ts';
import { linesToReview } from './cnab/queries.ts';
import { days } from './reconciliation/queries.ts';
import { riskReviews } from './risk/queries.ts';
import { sellers } from './sellers/queries.ts';
import { pendingWithdrawals } from './withdrawals/queries.ts';
import { countDays, isDifferent, isFileMissing } from './reconciliation/count-days.ts';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const COUNT = { take: 1 } as const;

/** Pending work and problems, with links to each. */
export function OperatorHomePage(): ReactNode {
  const { t } = useTranslation();
  const work = useOpenWork();
  const { failed } = work;
  return (
    <Stack>
      <PageTitle title={t('operator.home.title')} intro={t('operator.home.intro')} />
      {failed === undefined ? null : <ErrorAlert error={failed.error} retry={() => void failed.refetch()} />}
      <Answer work={work} />
      <PendingWork work={work} />
      <Alerts work={work} />
    </Stack>
  );
}

/** How much waits, in a sentence. */
function Answer({ work: { decisions, alerts, amount } }: { readonly work: OpenWork }): ReactNode {
  const { t } = useTranslation();
  const counts = Object.values(decisions);
  const found = Object.values(alerts);
  if ([...counts, ...found].includes(undefined)) return null;
  const count = counts.reduce((sum: number, one = 0) => sum + one, 0);
  const problems = found.filter((one) => one !== 0).length;
  const text = [
    amount === 0
      ? t('operator.home.answer.decisions', { count })
      : t('operator.home.answer.decisionsAndMoney', { count, amount: formatMoney(amount) }),
    ...(problems === 0 ? [] : [t('operator.home.answer.alerts', { count: problems })]),
  ];
  return (
    <Text size="lg" fw={600}>
      {count + problems === 0 ? t('operator.home.allClear') : text.join(' ')}
    </Text>
  );
}

type OpenWork = ReturnType<typeof useOpenWork>;

/** Everything that waits for an operator or is out of order, with its count. */
function useOpenWork() {
  const endDate = localDay(new Date(serverNow()));
  const startDate = localDay(new Date(serverNow() - (WEEK_DAYS - 1) * DAY_MS));
  const queries = {
    withdrawals: useQuery(pendingWithdrawals()),
    riskReviews: useQuery(riskReviews()),
    disputes: useQuery(allDisputes({ ...COUNT, status: 'UNDER_REVIEW' })),
    applications: useQuery(applications({ ...COUNT, status: 'SUBMITTED' })),
    reversals: useQuery(allReversals({ ...COUNT, status: 'MANUAL' })),
    returnLines: useQuery(linesToReview()),
    approvals: useQuery(pendingApprovals()),
    sellers: useQuery(sellers({ ...COUNT, status: 'PENDING' })),
    unmatchedEvents: useQuery(reports({ ...COUNT, outcome: 'UNMATCHED', startDate })),
    days: useQuery(days({ startDate, endDate })),
    providers: useQuery(providers()),
    routes: useQuery(providerRoutes()),
    mails: useQuery(mails({ ...COUNT, status: 'FAILED' })),
  };
  const week = queries.days.data;
  const decisions = {
    withdrawals: queries.withdrawals.data?.count,
    riskReviews: queries.riskReviews.data?.count,
    disputes: queries.disputes.data?.count,
    applications: queries.applications.data?.count,
    reversals: queries.reversals.data?.count,
    returnLines: queries.returnLines.data?.count,
    approvals: queries.approvals.data?.length,
  };
  const alerts = {
    sellers: queries.sellers.data?.count,
    unmatchedEvents: queries.unmatchedEvents.data?.count,
    mismatchedDays: week && countDays(week.filter(isDifferent)),
    daysWithoutFile: week && countDays(week.filter(isFileMissing)),
    providers: queries.providers.data?.filter(({ state }) => state !== 'CLOSED').length,
    paused: queries.routes.data?.flatMap((route) => route.providers.filter((one) => one.paused !== null))
      .length,
    mails: queries.mails.data?.count,
  };
  return {
    startDate,
    endDate,
    queries,
    decisions,
    alerts,
    amount: queries.withdrawals.data?.totalAmount ?? 0,
    failed: Object.values(queries).find(({ isError, data }) => isError && data === undefined),
  };
}

function PendingWork({ work: { queries, decisions, amount } }: { readonly work: OpenWork }): ReactNode {
  const { t } = useTranslation();
  const oldest = queries.withdrawals.data?.data[0];
  return (
    <>
      <Title order={2} size="h4">
        {t('operator.home.pending')}
      </Title>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Card
          to="/operator/withdrawals"
          name={t('operator.home.withdrawals')}
          query={queries.withdrawals}
          count={decisions.withdrawals}
        >
          {oldest === undefined ? null : (
            <>
              <Money cents={amount} size="sm" fw={600} />
              <Text size="xs" c="dimmed">
                {t('operator.home.oldest')} <RelativeTime at={oldest.createdAt} size="xs" />
              </Text>
            </>
          )}
        </Card>
        <Card
          to="/operator/risk-reviews"
          name={t('operator.home.riskReviews')}
          query={queries.riskReviews}
          count={decisions.riskReviews}
        />
        <Card
          to="/operator/disputes?status=UNDER_REVIEW"
          name={t('operator.home.disputes')}
          query={queries.disputes}
          count={decisions.disputes}
        />
        <Card
          to="/operator/applications?status=SUBMITTED"
          name={t('operator.home.applications')}
          query={queries.applications}
          count={decisions.applications}
        />
        <Card
          to="/operator/reversals?status=MANUAL"
          name={t('operator.home.reversals')}
          query={queries.reversals}
          count={decisions.reversals}
        />
        <Card
          to="/operator/return-lines"
          name={t('operator.home.returnLines')}
          query={queries.returnLines}
          count={decisions.returnLines}
        />
        <Card
          to="/operator/rules"
          name={t('operator.approvals.title')}
          query={queries.approvals}
          count={decisions.approvals}
        />
      </SimpleGrid>
    </>
  );
}

function Alerts({ work: { startDate, endDate, queries, alerts } }: { readonly work: OpenWork }): ReactNode {
  const { t } = useTranslation();
  const { daysWithoutFile = 0 } = alerts;
  return (
    <>
      <Title order={2} size="h4">
        {t('operator.home.alerts')}
      </Title>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Card
          to={`/operator/reconciliation?startDate=${startDate}&endDate=${endDate}`}
          name={t('operator.home.mismatchedDays')}
          query={queries.days}
          count={alerts.mismatchedDays}
        >
          {daysWithoutFile > 0 ? (
            <Text size="sm" fw={600}>
              {t('operator.home.daysWithoutFile', { count: daysWithoutFile })}
            </Text>
          ) : null}
        </Card>
        <Card
          to={`/operator/provider-events?outcome=UNMATCHED&startDate=${startDate}&endDate=${endDate}`}
          name={t('operator.home.unmatchedEvents')}
          query={queries.unmatchedEvents}
          count={alerts.unmatchedEvents}
        />
        <Card
          to="/operator/system"
          name={t('operator.home.providers')}
          query={queries.providers}
          count={alerts.providers}
        />
        <Card
          to="/operator/settings"
          name={t('operator.home.paused')}
          query={queries.routes}
          count={alerts.paused}
        />
        <Card
          to="/operator/sellers?status=PENDING"
          name={t('operator.home.sellers')}
          query={queries.sellers}
          count={alerts.sellers}
        />
        <Card
          to="/operator/mails?status=FAILED"
          name={t('operator.home.mails')}
          query={queries.mails}
          count={alerts.mails}
        />
      </SimpleGrid>
    </>
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
