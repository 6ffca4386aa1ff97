import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { PROVIDER_EVENT_OUTCOMES } from '../../../../src/payments/provider-events/provider-event.ts';
import { compact, oneOf } from '../../app/search.ts';
import { UUID } from '../../app/uuid.ts';

import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { amountColumn } from '../../components/columns.tsx';
import type { Column } from '../../components/cursor-table.tsx';
import { DateTime, Id, Money, RelativeTime, Status, StatusDescription } from '../../components/values.tsx';
import { IdFilter, StatusFilter, TextFilter } from '../../components/filters.tsx';
import { Listing } from '../../components/listing.tsx';
import { isGone, LoadingSkeleton } from '../../components/feedback.tsx';
import { PeriodFilter } from '../../components/period.tsx';
import { detailLabel } from '../components/details.ts';
import { providerEventKindLabel } from '../components/labels.ts';
import { SellerFilter } from '../components/seller-filter.tsx';
import { SellerLink } from '../components/seller-link.tsx';
import { operatorTransaction, reports, type Report } from '../queries.ts';
import { seller } from '../sellers/queries.ts';
import { operatorWithdrawal } from '../withdrawals/queries.ts';
import { ChargeSummaryCard } from '../transactions/brief.tsx';
import { WithdrawalSummaryCard } from '../withdrawals/brief.tsx';

const page = getRouteApi('/operator/provider-events');
const TAKE = 20;

/** Provider events with their outcome. */
export function ProviderEventsPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, open: _open, ...chosen } = search;
  const list = useQuery(
    reports(
      compact({ ...chosen, outcome: oneOf(PROVIDER_EVENT_OUTCOMES, chosen.outcome), cursor, take: TAKE }),
    ),
  );
  return (
    <Listing
      title={t('operator.providerEvents.title')}
      intro={t('operator.providerEvents.intro')}
      search={search}
      views={{
        list: 'operator-provider-events',
        given: [
          { name: t('operator.providerEvents.viewAll'), filters: {} },
          { name: t('operator.providerEvents.viewUnmatched'), filters: { outcome: 'UNMATCHED' } },
        ],
      }}
      filters={(change) => (
        <>
          <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={change} />
          <StatusFilter
            single
            kind="operator.providerEvent"
            statuses={PROVIDER_EVENT_OUTCOMES}
            value={chosen.outcome}
            onChange={(outcome) => change({ outcome })}
          />
          <SellerFilter value={chosen.sellerId} onChange={(sellerId) => change({ sellerId })} />
          <TextFilter
            label={t('operator.provider')}
            w={120}
            value={chosen.provider}
            onChange={(provider) => change({ provider })}
          />
          <IdFilter
            label={t('deliveries.record')}
            value={chosen.recordId}
            onChange={(recordId) => change({ recordId })}
          />
        </>
      )}
      query={list}
      columns={providerEventColumns(t)}
      empty={{
        icon: <Inbox />,
        title: t('operator.providerEvents.emptyTitle'),
        hint: t('operator.providerEvents.emptyHint'),
      }}
      panel={{
        title: t('operator.providerEvents.one'),
        of: (id) => {
          const found = list.data?.data.find((one) => one.id === id);
          if (found !== undefined) return <ProviderEventDetail report={found} />;
          return list.isPending ? <LoadingSkeleton /> : <Text>{t('operator.notOnPage')}</Text>;
        },
      }}
    />
  );
}

const providerEventColumns = (t: TFunction): readonly Column<Report>[] => [
  {
    key: 'received',
    header: t('operator.providerEvents.received'),
    phone: true,
    cell: (row) => <RelativeTime at={row.receivedAt} size="sm" />,
  },
  {
    key: 'outcome',
    header: t('operator.providerEvents.outcome'),
    phone: true,
    cell: (row) => <Status kind="operator.providerEvent" of={row.outcome} />,
  },
  {
    key: 'kind',
    header: t('operator.providerEvents.kind'),
    cell: (row) => providerEventKindLabel(row.kind),
  },
  { key: 'provider', header: t('operator.provider'), cell: (row) => row.provider },
  { key: 'record', header: t('operator.record'), cell: (row) => <Id id={row.recordId} /> },
  amountColumn(t),
];

/** The charge or withdrawal that an event names, if it exists. The event does not say which it is. */
function EventRecord({ id }: { readonly id: string }): ReactNode {
  const charge = useQuery({ ...operatorTransaction(id), refetchInterval: false });
  const isNoCharge = isGone(charge.error);
  const withdrawal = useQuery({ ...operatorWithdrawal(id), refetchInterval: false, enabled: isNoCharge });
  if (!isNoCharge) return <ChargeSummaryCard id={id} />;
  return isGone(withdrawal.error) ? null : <WithdrawalSummaryCard id={id} />;
}

function ProviderEventDetail({ report }: { readonly report: Report }): ReactNode {
  const { t } = useTranslation();
  const isMatched = report.outcome !== 'UNMATCHED' && report.outcome !== 'PENDING';
  const owner = useQuery({ ...seller(report.sellerId), enabled: isMatched }).data;
  return (
    <Stack>
      <div>
        <Status kind="operator.providerEvent" of={report.outcome} size="lg" />
      </div>
      <StatusDescription kind="operator.providerEvent" of={report.outcome} />
      {report.detail === null ? null : <Text>{detailLabel(report.detail)}</Text>}
      <DescriptionList>
        <DescriptionItem name={t('operator.providerEvents.kind')}>
          {providerEventKindLabel(report.kind)}
        </DescriptionItem>
        {report.amount === null ? null : (
          <DescriptionItem name={t('common.amount')}>
            <Money cents={report.amount} size="sm" />
          </DescriptionItem>
        )}
        <DescriptionItem name={t('operator.provider')}>{report.provider}</DescriptionItem>
        <DescriptionItem name={t('operator.providerEvents.eventId')}>{report.reportId}</DescriptionItem>
        <DescriptionItem name={t('operator.record')}>
          <Id id={report.recordId} />
        </DescriptionItem>
        <DescriptionItem name={t('operator.seller')}>
          {owner === undefined ? <Id id={report.sellerId} /> : <SellerLink id={owner.id} name={owner.name} />}
        </DescriptionItem>
        <DescriptionItem name={t('operator.providerEvents.occurred')}>
          <DateTime at={report.occurredAt} size="sm" />
        </DescriptionItem>
        <DescriptionItem name={t('operator.providerEvents.received')}>
          <DateTime at={report.receivedAt} size="sm" />
        </DescriptionItem>
      </DescriptionList>
      {UUID.test(report.recordId) ? <EventRecord id={report.recordId} /> : null}
    </Stack>
  );
}
