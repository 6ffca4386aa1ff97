import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CornerUpLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { compact, oneOf } from '../../app/search.ts';

import { amountColumn, createdColumn, methodColumn, statusColumn } from '../../pieces/columns.tsx';

import { IdFilter, StatusFilter } from '../../pieces/filters.tsx';
import { Listing } from '../../pieces/listing.tsx';
import { PeriodFilter } from '../../pieces/period.tsx';

import { RETURN_STATUSES } from '../../words/statuses.ts';
import { sayReturnReason } from '../pieces/say.ts';
import { SellerFilter } from '../pieces/seller-filter.tsx';
import { returnsOfAll } from '../queries.ts';
import { ReturnPanel } from './panel.tsx';

const page = getRouteApi('/operator/returns');
const TAKE = 20;

/** Money that came and is nobody's here: what machines send back, and what somebody has to. */
export function ReturnsPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, open: _open, ...chosen } = search;
  const list = useQuery(
    returnsOfAll(compact({ ...chosen, status: oneOf(RETURN_STATUSES, chosen.status), cursor, take: TAKE })),
  );
  return (
    <Listing
      title={t('operator.returns.title')}
      intro={t('operator.returns.intro')}
      search={search}
      views={{
        list: 'operator-returns',
        given: [
          { name: t('operator.returns.viewAll'), filters: {} },
          { name: t('operator.returns.viewManual'), filters: { status: 'MANUAL' } },
        ],
      }}
      filters={(change) => (
        <>
          <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={change} />
          <SellerFilter value={chosen.sellerId} onChange={(sellerId) => change({ sellerId })} />
          <StatusFilter
            single
            kind="operator.return"
            statuses={RETURN_STATUSES}
            value={chosen.status}
            onChange={(status) => change({ status })}
          />
          <IdFilter
            label={t('charges.filterId')}
            value={chosen.transactionId}
            onChange={(transactionId) => change({ transactionId })}
          />
        </>
      )}
      query={list}
      columns={[
        createdColumn(t, { header: t('operator.returns.came'), phone: true }),
        statusColumn(t, 'operator.return'),
        {
          key: 'reason',
          header: t('common.reason'),
          cell: (row) => <Text size="sm">{sayReturnReason(row.reason)}</Text>,
        },
        methodColumn(t),
        { key: 'provider', header: t('operator.provider'), cell: (row) => row.provider },
        amountColumn(t),
      ]}
      empty={{
        icon: <CornerUpLeft />,
        title: t('operator.returns.emptyTitle'),
        hint: t('operator.returns.emptyHint'),
      }}
      panel={{
        title: t('operator.returns.one'),
        of: (id) => <ReturnPanel id={id} known={list.data?.data} isPending={list.isPending} />,
      }}
    />
  );
}
