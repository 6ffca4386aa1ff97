import { Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { deliveries, eventTypes, webhooks, type Delivery } from '../api/queries.ts';
import { compact, oneOf } from '../app/search.ts';
import { createdColumn, statusColumn } from '../components/columns.tsx';
import { CountBars } from '../components/count-bars.tsx';
import type { Column } from '../components/cursor-table.tsx';
import { ChoiceFilter, IdFilter, StatusFilter } from '../components/filters.tsx';
import { Listing } from '../components/listing.tsx';
import { PeriodFilter } from '../components/period.tsx';
import { DELIVERY_STATUSES, STATUS_COLORS } from '../i18n/statuses.ts';
import { DeliveryDetail } from './delivery.tsx';
import { EventName } from './event-name.tsx';

const page = getRouteApi('/developers/deliveries');
const TAKE = 20;

const deliveryColumns = (t: TFunction): readonly Column<Delivery>[] => [
  createdColumn(t, { header: t('common.date'), phone: true }),
  statusColumn(t, 'delivery'),
  {
    key: 'event',
    header: t('deliveries.event'),
    phone: true,
    cell: (row) => (
      <Text size="xs">
        <EventName name={row.event} />
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
];

export function DeliveriesPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const search = page.useSearch();
  const { cursor, open: _open, ...chosen } = search;
  const list = useQuery(
    deliveries(compact({ ...chosen, status: oneOf(DELIVERY_STATUSES, chosen.status), cursor, take: TAKE })),
  );
  const hooks = useQuery({ ...webhooks(), enabled: may('webhooks:read') });
  const types = useQuery(eventTypes());
  return (
    <Listing
      title={t('deliveries.title')}
      search={search}
      filters={(change) => (
        <>
          <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={change} />
          <StatusFilter
            single
            kind="delivery"
            statuses={DELIVERY_STATUSES}
            value={chosen.status}
            onChange={(status) => change({ status })}
          />
          <ChoiceFilter
            label={t('deliveries.webhook')}
            placeholder={t('common.any')}
            data={hooks.data?.map(({ id, url }) => ({ value: id, label: url })) ?? []}
            value={chosen.webhookId}
            onChange={(webhookId) => change({ webhookId })}
          />
          <ChoiceFilter
            label={t('deliveries.event')}
            placeholder={t('common.any')}
            data={types.data?.map(({ name }) => ({ value: name, label: name })) ?? []}
            value={chosen.event}
            onChange={(event) => change({ event })}
          />
          <IdFilter
            label={t('deliveries.record')}
            value={chosen.recordId}
            onChange={(recordId) => change({ recordId })}
          />
        </>
      )}
      summary={<Results filters={chosen} />}
      query={list}
      columns={deliveryColumns(t)}
      empty={{ icon: <Send />, title: t('deliveries.emptyTitle'), hint: t('deliveries.emptyHint') }}
      panel={{ title: t('deliveries.one'), of: (id) => <DeliveryDetail id={id} /> }}
    />
  );
}

/** The results of the deliveries that match the filters, whatever the status. */
function Results({
  filters,
}: {
  readonly filters: Omit<ReturnType<typeof page.useSearch>, 'cursor' | 'open'>;
}) {
  const { t } = useTranslation();
  const counts = useQueries({
    queries: DELIVERY_STATUSES.map((status) => deliveries(compact({ ...filters, status, take: 1 }))),
  });
  return (
    <CountBars
      title={t('deliveries.results')}
      of="all"
      cols={{ base: 2, md: 4 }}
      bars={DELIVERY_STATUSES.map((status, index) => ({
        name: t(`deliveryStatus.${status}.label`),
        to: `/developers/deliveries?${new URLSearchParams({ ...compact(filters), status }).toString()}`,
        color: STATUS_COLORS.delivery[status],
        page: counts[index]?.data,
      }))}
    />
  );
}
