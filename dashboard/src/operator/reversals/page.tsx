import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CornerUpLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { compact, oneOf } from '../../app/search.ts';

import { amountColumn, createdColumn, methodColumn, statusColumn } from '../../components/columns.tsx';

import { IdFilter, StatusFilter } from '../../components/filters.tsx';
import { Listing } from '../../components/listing.tsx';
import { PeriodFilter } from '../../components/period.tsx';

import { REVERSAL_STATUSES } from '../../i18n/statuses.ts';
import { reversalReasonLabel } from '../components/labels.ts';
import { SellerFilter } from '../components/seller-filter.tsx';
import { allReversals } from '../queries.ts';
import { ReversalPanel } from './panel.tsx';

const page = getRouteApi('/operator/reversals');
const TAKE = 20;

/**
 * Received payments that belong to no transaction: automatic reversals, and those that need manual
 * action.
 */
export function ReversalsPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, open: _open, ...chosen } = search;
  const list = useQuery(
    allReversals(compact({ ...chosen, status: oneOf(REVERSAL_STATUSES, chosen.status), cursor, take: TAKE })),
  );
  return (
    <Listing
      title={t('operator.reversals.title')}
      intro={t('operator.reversals.intro')}
      search={search}
      views={{
        list: 'operator-reversals',
        given: [
          { name: t('operator.reversals.viewAll'), filters: {} },
          { name: t('operator.reversals.viewManual'), filters: { status: 'MANUAL' } },
        ],
      }}
      filters={(change) => (
        <>
          <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={change} />
          <SellerFilter value={chosen.sellerId} onChange={(sellerId) => change({ sellerId })} />
          <StatusFilter
            single
            kind="operator.reversal"
            statuses={REVERSAL_STATUSES}
            value={chosen.status}
            onChange={(status) => change({ status })}
          />
          <IdFilter
            label={t('operator.transactions.id')}
            value={chosen.transactionId}
            onChange={(transactionId) => change({ transactionId })}
          />
        </>
      )}
      query={list}
      columns={[
        createdColumn(t, { header: t('operator.reversals.receivedAt'), phone: true }),
        statusColumn(t, 'operator.reversal'),
        {
          key: 'reason',
          header: t('common.reason'),
          cell: (row) => <Text size="sm">{reversalReasonLabel(row.reason)}</Text>,
        },
        methodColumn(t),
        { key: 'provider', header: t('operator.provider'), cell: (row) => row.provider },
        amountColumn(t),
      ]}
      empty={{
        icon: <CornerUpLeft />,
        title: t('operator.reversals.emptyTitle'),
        hint: t('operator.reversals.emptyHint'),
      }}
      panel={{
        title: t('operator.reversals.one'),
        of: (id) => <ReversalPanel id={id} known={list.data?.data} isPending={list.isPending} />,
      }}
    />
  );
}
