import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { compact, oneOf } from '../../app/search.ts';
import { UUID } from '../../app/uuid.ts';
import { Id, Money, RelativeTime, Status } from '../../pieces/figures.tsx';
import { ChoiceFilter, StatusFilter, TextFilter } from '../../pieces/filters.tsx';
import { Listing } from '../../pieces/listing.tsx';
import { PeriodFilter } from '../../pieces/period.tsx';
import { sayMethod } from '../../words/i18n.ts';
import { CHARGE_STATUSES, METHODS } from '../../words/statuses.ts';
import { SellerFilter } from '../pieces/seller-filter.tsx';
import { transactionsOfAll } from '../queries.ts';
import { TransactionPanel } from './panel.tsx';

const page = getRouteApi('/operator/transactions');
const TAKE = 20;

/** The charges of all sellers. */
export function AllTransactionsPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, open: _open, ...chosen } = search;
  const list = useQuery(
    transactionsOfAll(compact({ ...chosen, method: oneOf(METHODS, chosen.method), cursor, take: TAKE })),
  );
  return (
    <Listing
      title={t('operator.transactions.title')}
      search={search}
      file={{ path: '/v1/admin/transactions', name: 'transacoes.csv' }}
      views={{
        list: 'operator-transactions',
        given: [
          { name: t('charges.viewAll'), filters: {} },
          { name: t('charges.viewPaid'), filters: { status: 'PAID' } },
          { name: t('charges.viewProblems'), filters: { status: 'FAILED,REFUSED,CHARGEDBACK,DISPUTE' } },
        ],
      }}
      filters={(change) => (
        <>
          <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={change} />
          <SellerFilter value={chosen.sellerId} onChange={(sellerId) => change({ sellerId })} />
          <StatusFilter
            kind="charge"
            statuses={CHARGE_STATUSES}
            value={chosen.status}
            onChange={(status) => change({ status })}
          />
          <ChoiceFilter
            label={t('common.method')}
            data={METHODS.map((value) => ({ value, label: sayMethod(value) }))}
            value={chosen.method}
            onChange={(method) => change({ method })}
          />
          <TextFilter
            label={t('charges.filterId')}
            value={chosen.transactionId}
            valid={(text) => UUID.test(text)}
            hint={t('charges.notUuid')}
            onChange={(transactionId) => change({ transactionId })}
          />
        </>
      )}
      query={list}
      columns={[
        {
          key: 'seller',
          header: t('operator.seller'),
          phone: true,
          cell: (row) => (
            <Text size="sm" fw={600} lineClamp={2} className="whole">
              {row.sellerName}
            </Text>
          ),
        },
        {
          key: 'created',
          header: t('common.created'),
          cell: (row) => <RelativeTime at={row.createdAt} size="sm" />,
        },
        { key: 'method', header: t('common.method'), cell: (row) => sayMethod(row.method) },
        {
          key: 'status',
          header: t('common.status'),
          phone: true,
          cell: (row) => <Status kind="charge" of={row.status} />,
        },
        { key: 'id', header: t('common.id'), cell: (row) => <Id id={row.id} /> },
        {
          key: 'fee',
          header: t('common.fee'),
          right: true,
          cell: (row) => <Money cents={row.feeAmount} size="sm" />,
        },
        {
          key: 'amount',
          header: t('common.amount'),
          right: true,
          phone: true,
          cell: (row) => <Money cents={row.amount} size="sm" fw={600} />,
        },
      ]}
      empty={{
        icon: <ReceiptText />,
        title: t('operator.transactions.emptyTitle'),
        hint: t('operator.transactions.emptyHint'),
      }}
      panel={{ title: t('operator.transactions.one'), of: (id) => <TransactionPanel id={id} /> }}
    />
  );
}
