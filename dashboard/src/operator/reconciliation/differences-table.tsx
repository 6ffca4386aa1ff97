import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { DIFFERENCE_KINDS } from '../../../../src/accounting/reconciliation/difference-kinds.ts';
import { compact, oneOf } from '../../app/search.ts';
import { CursorTable, type Column } from '../../components/cursor-table.tsx';
import { ExportButton } from '../../components/export-button.tsx';
import { Id, Money } from '../../components/values.tsx';
import { ChoiceFilter } from '../../components/filters.tsx';
import { EmptyState } from '../../components/feedback.tsx';
import { skipOf } from '../../components/paging.ts';
import type { Filters } from '../../components/views.tsx';
import { differenceLabel, settlementTypeLabel } from '../components/labels.ts';
import { differences, type Difference } from './queries.ts';
import { formatFullDay } from './format-day.ts';

const TAKE = 20;

/** Missing and differing settlements, with the cause and both sides. */
export function DifferencesTable({
  period,
  provider,
  kind,
  cursor,
  onChange,
}: {
  readonly period: { readonly day?: string; readonly startDate?: string; readonly endDate?: string };
  readonly provider: string | undefined;
  readonly kind: string | undefined;
  readonly cursor: string | undefined;
  readonly onChange: (filters: Filters, cursor?: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  const filters = compact({ ...period, provider, kind: oneOf(DIFFERENCE_KINDS, kind) });
  const list = useQuery(differences({ ...filters, skip: skipOf(cursor), take: TAKE }));
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-end">
        <Title order={2} size="h4">
          {period.day === undefined
            ? t('operator.reconciliation.differences')
            : t('operator.reconciliation.differencesOf', { day: formatFullDay(period.day) })}
        </Title>
        <Group gap="xs" align="flex-end">
          <ChoiceFilter
            label={t('operator.ledger.kind')}
            placeholder={t('common.any')}
            data={DIFFERENCE_KINDS.map((value) => ({ value, label: differenceLabel(value) }))}
            value={kind}
            onChange={(next) => onChange({ kind: next })}
          />
          <ExportButton
            path="/v1/admin/reconciliation/differences"
            filters={filters}
            name={t('operator.reconciliation.file')}
          />
        </Group>
      </Group>
      <CursorTable
        label={t('operator.reconciliation.differences')}
        query={list}
        onPage={(next) => onChange({}, next)}
        columns={differenceColumns(t)}
        empty={
          <EmptyState
            icon={<CircleCheckBig />}
            title={t('operator.reconciliation.noneTitle')}
            hint={t('operator.reconciliation.noneHint')}
          />
        }
      />
    </Stack>
  );
}

const differenceColumns = (t: TFunction): readonly Column<Difference>[] => [
  {
    key: 'day',
    header: t('operator.reconciliation.day'),
    phone: true,
    cell: (row) => formatFullDay(row.day),
  },
  {
    key: 'kind',
    header: t('operator.ledger.kind'),
    phone: true,
    cell: (row) => <Reason difference={row} />,
  },
  {
    key: 'record',
    header: t('operator.record'),
    cell: (row) => <DifferentRecord difference={row} />,
  },
  {
    key: 'file',
    header: t('operator.reconciliation.inFile'),
    right: true,
    cell: (row) => (row.file === null ? '—' : <Money cents={row.file.amount} size="sm" />),
  },
  {
    key: 'ledger',
    header: t('operator.reconciliation.inLedger'),
    right: true,
    cell: (row) => (row.ledger === null ? '—' : <Money cents={row.ledger.amount} size="sm" />),
  },
  {
    key: 'apart',
    header: t('operator.reconciliation.difference'),
    right: true,
    phone: true,
    cell: (row) => (
      <Money cents={(row.file?.amount ?? 0) - (row.ledger?.amount ?? 0)} signed size="sm" fw={600} />
    ),
  },
];

/** The charge or withdrawal that was booked, or the reference in the file. */
function DifferentRecord({ difference: { ledger, file, type } }: { readonly difference: Difference }) {
  const { t } = useTranslation();
  const id = ledger?.recordId ?? file?.reference ?? file?.id;
  if (id === undefined) return null;
  const isWithdrawal = type === 'WITHDRAWAL';
  return (
    <Stack gap={0} align="flex-start">
      <Id id={id} />
      {ledger === null ? null : (
        <Anchor
          component={Link}
          to={
            isWithdrawal ? `/operator/withdrawals?status=ALL&open=${id}` : `/operator/transactions?open=${id}`
          }
          size="xs"
          underline="always"
        >
          {t(isWithdrawal ? 'operator.withdrawals.one' : 'operator.transactions.one')}
        </Anchor>
      )}
    </Stack>
  );
}

function Reason({ difference }: { readonly difference: Difference }): ReactNode {
  const { t } = useTranslation();
  const { kind, type, tolerated, file, report } = difference;
  const more = [
    settlementTypeLabel(type),
    ...(file === null ? [] : [t('operator.reconciliation.line', { line: file.line })]),
    ...(tolerated ? [t('operator.reconciliation.tolerated')] : []),
    ...(report?.outcome === 'LATE' ? [t('operator.reconciliation.late')] : []),
  ];
  return (
    <Stack gap={0}>
      <Text size="sm" fw={600}>
        {differenceLabel(kind)}
      </Text>
      <Text size="xs" c="dimmed">
        {more.join(' · ')}
      </Text>
    </Stack>
  );
}
