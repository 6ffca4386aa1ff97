import { Drawer, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { deliveries, eventTypes, webhooks, type DeliveryQuery } from '../api/queries.ts';
import { compact, oneOf } from '../app/search.ts';
import { UUID } from '../app/uuid.ts';
import { CursorTable } from '../pieces/cursor-table.tsx';
import { RelativeTime, Status } from '../pieces/figures.tsx';
import { ChoiceFilter, FilterRow, StatusFilter, TextFilter } from '../pieces/filters.tsx';
import { EmptyState, PageTitle } from '../pieces/notes.tsx';
import { readOn } from '../pieces/paging.ts';
import { PeriodFilter } from '../pieces/period.tsx';
import type { Filters } from '../pieces/views.tsx';
import { DELIVERY_STATUSES } from '../words/statuses.ts';
import { DeliveryDetail } from './delivery.tsx';

const page = getRouteApi('/developers/deliveries');

export function DeliveriesPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const { cursor, open, ...filters } = search;
  const query: DeliveryQuery = compact({
    ...filters,
    status: oneOf(DELIVERY_STATUSES, filters.status),
    cursor,
    take: 20,
  });
  const list = useQuery(deliveries(query));
  const hooks = useQuery({ ...webhooks(), enabled: may('webhooks:read') });
  const types = useQuery(eventTypes());
  const to = '/developers/deliveries';
  const filter = (next: Filters) => void navigate({ to, search: compact({ ...filters, ...next }) });
  const filtered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <PageTitle title={t('deliveries.title')} />
      <FilterRow filters={search} onClear={() => void navigate({ to, search: {} })}>
        <PeriodFilter from={filters.startDate} to={filters.endDate} onChange={filter} />
        <StatusFilter
          single
          kind="delivery"
          statuses={DELIVERY_STATUSES}
          value={filters.status}
          onChange={(status) => filter({ status })}
        />
        <ChoiceFilter
          label={t('deliveries.webhook')}
          data={hooks.data?.map(({ id, url }) => ({ value: id, label: url })) ?? []}
          value={filters.webhookId}
          onChange={(webhookId) => filter({ webhookId })}
        />
        <ChoiceFilter
          label={t('deliveries.event')}
          data={types.data?.map(({ name }) => ({ value: name, label: name })) ?? []}
          value={filters.event}
          onChange={(event) => filter({ event })}
        />
        <TextFilter
          label={t('deliveries.record')}
          value={filters.recordId}
          valid={(text) => UUID.test(text)}
          hint={t('charges.notUuid')}
          onChange={(recordId) => filter({ recordId })}
        />
      </FilterRow>
      <CursorTable
        label={t('deliveries.title')}
        query={list}
        onOpen={(row) => void navigate({ to, search: { ...search, open: row.id } })}
        onPage={(next) =>
          void navigate({ to, search: compact({ ...filters, cursor: next }), state: readOn(next) })
        }
        columns={[
          {
            key: 'created',
            header: t('common.date'),
            phone: true,
            cell: (row) => <RelativeTime at={row.createdAt} size="sm" />,
          },
          {
            key: 'status',
            header: t('common.status'),
            phone: true,
            cell: (row) => <Status kind="delivery" of={row.status} />,
          },
          {
            key: 'event',
            header: t('deliveries.event'),
            phone: true,
            cell: (row) => (
              <Text size="xs" className="whole">
                {row.event}
              </Text>
            ),
          },
          {
            key: 'url',
            header: t('deliveries.webhook'),
            cell: (row) => (
              <Text size="sm" maw={280} truncate>
                {row.url}
              </Text>
            ),
          },
          {
            key: 'attempts',
            header: t('deliveries.attempts'),
            right: true,
            cell: (row) => row.attemptCount,
          },
        ]}
        empty={
          <EmptyState
            icon={<Send />}
            title={filtered ? t('list.nothing') : t('deliveries.emptyTitle')}
            hint={filtered ? t('list.nothingHint') : t('deliveries.emptyHint')}
          />
        }
      />
      <Drawer
        opened={open !== undefined}
        onClose={() => void navigate({ to, search: compact({ ...search, open: undefined }) })}
        position="right"
        size="lg"
        title={t('deliveries.title')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {open === undefined ? null : <DeliveryDetail id={open} />}
      </Drawer>
    </Stack>
  );
}
