import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { compact } from '../../app/search.ts';
import { daysLeft, DaysLeft } from '../../disputes/deadline.tsx';
import {
  amountAndStatusColumn,
  createdColumn,
  sellerColumn,
  statusColumn,
} from '../../components/columns.tsx';

import { StatusFilter } from '../../components/filters.tsx';
import { Listing } from '../../components/listing.tsx';
import { skipOf } from '../../components/paging.ts';
import { PeriodFilter } from '../../components/period.tsx';
import { DISPUTE_STATUSES } from '../../i18n/statuses.ts';
import { translateReason } from '../../i18n/reasons.ts';
import { SellerFilter } from '../components/seller-filter.tsx';
import { allDisputes } from '../queries.ts';
import { DisputePanel } from './panel.tsx';

const page = getRouteApi('/operator/disputes');
const TAKE = 20;

/** Disputes of payers and banks that the operator resolves. */
export function OperatorDisputesPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, open: _open, ...chosen } = search;
  const list = useQuery(
    allDisputes(
      compact({
        ...chosen,
        skip: skipOf(cursor),
        take: TAKE,
      }),
    ),
  );
  return (
    <Listing
      title={t('operator.disputes.title')}
      intro={t('operator.disputes.intro')}
      search={search}
      views={{
        list: 'operator-disputes',
        given: [
          { name: t('operator.disputes.viewAll'), filters: {} },
          { name: t('operator.disputes.viewUnderReview'), filters: { status: 'UNDER_REVIEW' } },
          { name: t('operator.disputes.viewOpen'), filters: { status: 'OPEN' } },
        ],
      }}
      filters={(change) => (
        <>
          <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={change} />
          <SellerFilter value={chosen.sellerId} onChange={(sellerId) => change({ sellerId })} />
          <StatusFilter
            kind="operator.dispute"
            statuses={DISPUTE_STATUSES}
            value={chosen.status}
            onChange={(status) => change({ status })}
          />
        </>
      )}
      query={list}
      columns={[
        sellerColumn(t),
        statusColumn(t, 'operator.dispute', { phone: false }),
        {
          key: 'deadline',
          header: t('disputes.deadline'),
          cell: (row) => (row.status === 'OPEN' ? <DaysLeft days={daysLeft(row.appealUntil)} /> : ''),
        },
        {
          key: 'reason',
          header: t('common.reason'),
          cell: (row) => (
            <Text size="sm" lineClamp={1}>
              {translateReason(row.reason)}
            </Text>
          ),
        },
        createdColumn(t, { header: t('disputes.opened') }),
        amountAndStatusColumn(t, 'operator.dispute'),
      ]}
      empty={{
        icon: <ShieldAlert />,
        title: t('disputes.emptyTitle'),
        hint: t('operator.disputes.emptyHint'),
      }}
      panel={{ title: t('operator.disputes.one'), of: (id) => <DisputePanel id={id} /> }}
    />
  );
}
