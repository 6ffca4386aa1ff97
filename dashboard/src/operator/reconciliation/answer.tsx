import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { DayReport } from './queries.ts';
import { countDays, isDifferent, isFileMissing } from './count-days.ts';
import { formatFullDay } from './format-day.ts';

/** Whether files and ledger agree, in a sentence. */
export function Answer({
  days,
  startDate,
  endDate,
}: {
  readonly days: readonly DayReport[];
  readonly startDate: string;
  readonly endDate: string;
}): ReactNode {
  const { t } = useTranslation();
  const differing = days.filter(isDifferent);
  const balanced = countDays(days.filter(({ status }) => status === 'BALANCED'));
  const missing = countDays(days.filter(isFileMissing));
  const period =
    startDate === endDate
      ? formatFullDay(startDate)
      : `${formatFullDay(startDate)} – ${formatFullDay(endDate)}`;
  return (
    <Text size="lg" fw={600}>
      {differing.length === 0
        ? t('operator.reconciliation.answer.balanced', { period, count: balanced })
        : t('operator.reconciliation.answer.different', {
            period,
            count: differing.reduce((sum, { differences }) => sum + differences, 0),
            days: t('operator.reconciliation.answer.onDays', { count: countDays(differing) }),
          })}{' '}
      {missing === 0 ? null : (
        <>
          <span>{t('operator.home.daysWithoutFile', { count: missing })}</span>.
        </>
      )}
    </Text>
  );
}
