import { Box, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { FileClock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ACTIONS } from '../../../../src/audit/actions.ts';
import { compact, oneOf } from '../../app/search.ts';
import { Id, RelativeTime } from '../../components/values.tsx';
import { ChoiceFilter, TextFilter } from '../../components/filters.tsx';
import type { Column } from '../../components/cursor-table.tsx';
import { Listing } from '../../components/listing.tsx';
import { LoadingSkeleton } from '../../components/feedback.tsx';
import { PeriodFilter } from '../../components/period.tsx';
import type { Filters } from '../../components/views.tsx';
import { capitalize } from '../../i18n/format.ts';
import { actionLabel, actorLabel, recordTypeLabel } from '../components/labels.ts';
import { SellerFilter } from '../components/seller-filter.tsx';
import { auditLog, operatorUsers, type AuditEntry } from '../queries.ts';
import { AuditDetail } from './detail.tsx';

const page = getRouteApi('/operator/audit');
const TAKE = 25;

/** Actions grouped by resource. */
const GROUPS = Map.groupBy(ACTIONS, (action) => action.slice(0, action.indexOf('.')));

export function AuditPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, open: _open, ...chosen } = search;
  const list = useQuery(
    auditLog(compact({ ...chosen, action: oneOf(ACTIONS, chosen.action), cursor, take: TAKE })),
  );
  return (
    <Listing
      title={t('operator.audit.title')}
      intro={t('operator.audit.intro')}
      search={search}
      file={{ path: '/v1/admin/audit-log', name: t('operator.audit.file') }}
      filters={(change) => <AuditFilters chosen={chosen} onChange={change} />}
      query={list}
      columns={auditColumns(t)}
      empty={{
        icon: <FileClock />,
        title: t('operator.audit.emptyTitle'),
        hint: t('operator.audit.emptyHint'),
      }}
      panel={{
        title: t('operator.audit.one'),
        of: (id) => {
          const found = list.data?.data.find((one) => one.id === id);
          if (found !== undefined) return <AuditDetail entry={found} />;
          return list.isPending ? <LoadingSkeleton /> : <Text>{t('operator.notOnPage')}</Text>;
        },
      }}
    />
  );
}

function AuditFilters({
  chosen,
  onChange,
}: {
  readonly chosen: ReturnType<typeof page.useSearch>;
  readonly onChange: (next: Filters) => void;
}): ReactNode {
  const { t } = useTranslation();
  const people = useQuery(operatorUsers()).data ?? [];
  return (
    <>
      <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={onChange} />
      <Select
        size="xs"
        w={220}
        label={t('operator.audit.action')}
        placeholder={t('common.anyFeminine')}
        searchable
        clearable
        data={Array.from(GROUPS, ([group, actions]) => ({
          group: recordTypeLabel(group),
          items: actions.map((value) => ({ value, label: actionLabel(value) })),
        }))}
        value={oneOf(ACTIONS, chosen.action) ?? null}
        onChange={(action) => onChange({ action: action ?? undefined })}
      />
      <ChoiceFilter
        label={t('operator.audit.who')}
        placeholder={t('common.any')}
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen.actorId}
        onChange={(actorId) => onChange({ actorId })}
      />
      <SellerFilter value={chosen.sellerId} onChange={(sellerId) => onChange({ sellerId })} />
      <TextFilter
        label={t('deliveries.record')}
        value={chosen.recordId}
        onChange={(recordId) => onChange({ recordId })}
      />
      <TextFilter
        label={t('operator.audit.request')}
        value={chosen.requestId}
        onChange={(requestId) => onChange({ requestId })}
      />
    </>
  );
}

function Actor({ of: { kind, name } }: { readonly of: AuditEntry['actor'] }): ReactNode {
  return (
    <Text size="sm">
      {name ?? capitalize(actorLabel(kind))}{' '}
      {name === null ? null : (
        <Text span size="xs" c="dimmed">
          {actorLabel(kind)}
        </Text>
      )}
    </Text>
  );
}

const auditColumns = (t: TFunction): readonly Column<AuditEntry>[] => [
  {
    key: 'at',
    header: t('operator.audit.when'),
    phone: true,
    cell: (row) => <RelativeTime at={row.at} size="sm" />,
  },
  {
    key: 'action',
    header: t('operator.audit.action'),
    phone: true,
    cell: (row) => (
      <>
        <Text size="sm" fw={600}>
          {actionLabel(row.action)}
        </Text>
        <Box hiddenFrom="sm">
          <Actor of={row.actor} />
        </Box>
      </>
    ),
  },
  { key: 'who', header: t('operator.audit.who'), cell: (row) => <Actor of={row.actor} /> },
  {
    key: 'record',
    header: t('operator.record'),
    cell: (row) => (
      <Stack gap={0} align="flex-start">
        <Text size="sm">{recordTypeLabel(row.recordType)}</Text>
        {row.recordId === null ? null : <Id id={row.recordId} />}
      </Stack>
    ),
  },
];
