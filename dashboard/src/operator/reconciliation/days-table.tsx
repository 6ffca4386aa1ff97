import { Button, Paper, Table, Text } from '@mantine/core';
import { CalendarCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Money, Status } from '../../components/values.tsx';
import { EmptyState } from '../../components/feedback.tsx';
import { formatNumber } from '../../i18n/format.ts';
import type { DayReport } from './queries.ts';
import { formatFullDay } from './format-day.ts';
import { isFileMissing } from './count-days.ts';

/** Reconciliation state by provider and day; selects one. */
export function DaysTable({
  days,
  day: chosen,
  onChoose,
}: {
  readonly days: readonly DayReport[];
  readonly day: string | undefined;
  readonly onChoose: (day: string | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  if (days.length === 0) {
    return (
      <EmptyState
        icon={<CalendarCheck />}
        title={t('operator.reconciliation.emptyTitle')}
        hint={t('operator.reconciliation.emptyHint')}
      />
    );
  }
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={0}>
        <Table verticalSpacing="xs" aria-label={t('operator.reconciliation.days')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('operator.reconciliation.day')}</Table.Th>
              <Table.Th visibleFrom="sm">{t('operator.provider')}</Table.Th>
              <Table.Th>{t('common.status')}</Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                {t('operator.reconciliation.fileIn')}
              </Table.Th>
              <Table.Th ta="right" visibleFrom="sm">
                {t('operator.reconciliation.ledgerIn')}
              </Table.Th>
              <Table.Th ta="right" visibleFrom="md">
                {t('operator.reconciliation.out')}
              </Table.Th>
              <Table.Th ta="right">{t('operator.reconciliation.differences')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {days.toReversed().map((one) => (
              <DayRow
                key={`${one.day}-${one.provider}`}
                report={one}
                isChosen={one.day === chosen}
                onChoose={onChoose}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

const statusOf = (report: DayReport): string =>
  report.status === 'NO_FILE' && !isFileMissing(report) ? 'NO_FILE_DUE' : report.status;

function DayRow({
  report,
  isChosen,
  onChoose,
}: {
  readonly report: DayReport;
  readonly isChosen: boolean;
  readonly onChoose: (day: string | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Table.Tr {...(isChosen ? { 'aria-current': 'true', bg: 'var(--mantine-color-brand-light)' } : {})}>
      <Table.Td className="figures">{formatFullDay(report.day)}</Table.Td>
      <Table.Td visibleFrom="sm">{report.provider}</Table.Td>
      <Table.Td>
        <Status kind="operator.day" of={statusOf(report)} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        <Money cents={report.file.in} size="sm" />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        <Money cents={report.ledger.in} size="sm" />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md">
        <Money cents={report.ledger.out} size="sm" />
      </Table.Td>
      <Table.Td ta="right">
        {report.differences === 0 ? (
          <Text span size="sm" c="dimmed" pr="sm">
            0
          </Text>
        ) : (
          <Button
            size="compact-sm"
            variant={isChosen ? 'filled' : 'light'}
            // A missing file makes the whole day differ, which is not an error.
            color={report.status === 'NO_FILE' ? 'gray' : 'red'}
            autoContrast
            aria-pressed={isChosen}
            aria-label={t('operator.reconciliation.showDay', {
              day: formatFullDay(report.day),
              count: report.differences,
            })}
            onClick={() => onChoose(isChosen ? undefined : report.day)}
          >
            {formatNumber(report.differences)}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
