import { SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Figure } from '../components/figure.tsx';
import { Money } from '../components/values.tsx';
import { formatNumber, formatPercent } from '../i18n/format.ts';
import { summary } from './queries.ts';

/**
 * Recurring revenue, and what was lost and recovered this month. Nothing before the first
 * subscription.
 */
export function Revenue(): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(summary);
  const month = data?.months.at(-1);
  if (data === undefined || month === undefined) return null;
  const isEmpty = data.months.every((one) => one.activeSubscriptions === 0 && one.canceled === 0);
  if (isEmpty) return null;
  const churn = month.churn === null ? '–' : formatPercent(month.churn);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
      <Figure name={t('subscriptions.revenue.monthly')} hint={t('subscriptions.revenue.monthlyHint')}>
        <Money cents={data.monthlyRevenue} fw={700} size="lg" />
      </Figure>
      <Figure name={t('subscriptions.revenue.active')} hint={t('subscriptions.revenue.activeHint')}>
        <Text fw={700} size="lg">
          {formatNumber(data.activeSubscriptions)}
        </Text>
      </Figure>
      <Figure
        name={t('subscriptions.revenue.churn')}
        hint={t('subscriptions.revenue.canceled', { count: month.canceled })}
      >
        <Text fw={700} size="lg">
          {churn}
        </Text>
      </Figure>
      <Figure
        name={t('subscriptions.revenue.recovered')}
        hint={t('subscriptions.revenue.payments', { count: month.recoveredPayments })}
      >
        <Money cents={month.recoveredAmount} fw={700} size="lg" />
      </Figure>
    </SimpleGrid>
  );
}
