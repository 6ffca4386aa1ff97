import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { PROVIDER_EVENT_OUTCOMES } from '../../../../src/payments/provider-events/provider-event.ts';
import { compact, oneOf } from '../../app/search.ts';

import { Fact, Facts } from '../../pieces/facts.tsx';
import { amountColumn } from '../../pieces/columns.tsx';
import { DateTime, Id, Money, RelativeTime, Status } from '../../pieces/figures.tsx';
import { IdFilter, StatusFilter, TextFilter } from '../../pieces/filters.tsx';
import { Listing } from '../../pieces/listing.tsx';
import { Lines } from '../../pieces/notes.tsx';
import { PeriodFilter } from '../../pieces/period.tsx';
import { sayReportKind } from '../pieces/say.ts';
import { SellerFilter } from '../pieces/seller-filter.tsx';
import { reports, type Report } from '../queries.ts';

const page = getRouteApi('/operator/reports');
const TAKE = 20;

/** What providers reported, and what came of it. */
export function ReportsPage(): ReactNode {
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
      title={t('operator.reports.title')}
      intro={t('operator.reports.intro')}
      search={search}
      views={{
        list: 'operator-reports',
        given: [
          { name: t('operator.reports.viewAll'), filters: {} },
          { name: t('operator.reports.viewUnmatched'), filters: { outcome: 'UNMATCHED' } },
        ],
      }}
      filters={(change) => (
        <>
          <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={change} />
          <StatusFilter
            single
            kind="operator.report"
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
            label={t('operator.record')}
            value={chosen.recordId}
            onChange={(recordId) => change({ recordId })}
          />
        </>
      )}
      query={list}
      columns={[
        {
          key: 'received',
          header: t('operator.reports.received'),
          phone: true,
          cell: (row) => <RelativeTime at={row.receivedAt} size="sm" />,
        },
        {
          key: 'outcome',
          header: t('operator.reports.outcome'),
          phone: true,
          cell: (row) => <Status kind="operator.report" of={row.outcome} />,
        },
        { key: 'kind', header: t('operator.reports.kind'), cell: (row) => sayReportKind(row.kind) },
        { key: 'provider', header: t('operator.provider'), cell: (row) => row.provider },
        { key: 'record', header: t('operator.record'), cell: (row) => <Id id={row.recordId} /> },
        amountColumn(t),
      ]}
      empty={{
        icon: <Inbox />,
        title: t('operator.reports.emptyTitle'),
        hint: t('operator.reports.emptyHint'),
      }}
      panel={{
        title: t('operator.reports.one'),
        of: (id) => {
          const found = list.data?.data.find((one) => one.id === id);
          if (found !== undefined) return <ReportDetail report={found} />;
          return list.isPending ? <Lines /> : <Text>{t('operator.notOnPage')}</Text>;
        },
      }}
    />
  );
}

function ReportDetail({ report }: { readonly report: Report }): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack>
      <div>
        <Status kind="operator.report" of={report.outcome} size="lg" />
      </div>
      {report.detail === null ? null : <Text>{report.detail}</Text>}
      <Facts>
        <Fact name={t('operator.reports.kind')}>{sayReportKind(report.kind)}</Fact>
        {report.amount === null ? null : (
          <Fact name={t('common.amount')}>
            <Money cents={report.amount} size="sm" />
          </Fact>
        )}
        <Fact name={t('operator.provider')}>{report.provider}</Fact>
        <Fact name={t('operator.reports.reportId')}>{report.reportId}</Fact>
        <Fact name={t('operator.record')}>
          <Id id={report.recordId} />
        </Fact>
        <Fact name={t('operator.seller')}>
          <Id id={report.sellerId} />
        </Fact>
        <Fact name={t('operator.reports.occurred')}>
          <DateTime at={report.occurredAt} size="sm" />
        </Fact>
        <Fact name={t('operator.reports.received')}>
          <DateTime at={report.receivedAt} size="sm" />
        </Fact>
      </Facts>
    </Stack>
  );
}
