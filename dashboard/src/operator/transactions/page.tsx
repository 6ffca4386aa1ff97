import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouterState } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { compact, oneOf } from '../../app/search.ts';
import { ChargeSearchResults } from '../../charges/found.tsx';

import {
  amountAndStatusColumn,
  createdColumn,
  feeColumn,
  idColumn,
  methodColumn,
  sellerColumn,
  statusColumn,
} from '../../components/columns.tsx';

import { ChoiceFilter, IdFilter, StatusFilter } from '../../components/filters.tsx';
import { Listing } from '../../components/listing.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { PeriodFilter } from '../../components/period.tsx';
import type { Filters } from '../../components/views.tsx';
import { methodLabel } from '../../i18n/find-text.ts';
import { CHARGE_STATUSES, METHODS } from '../../i18n/statuses.ts';
import { SellerFilter } from '../components/seller-filter.tsx';
import { allTransactions, transactionLookup } from '../queries.ts';
import { TransactionPanel } from './panel.tsx';

const page = getRouteApi('/operator/transactions');
const TAKE = 20;

type Search = ReturnType<typeof page.useSearch>;

export function AllTransactionsPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, open: _open, ...chosen } = search;
  const navigate = useNavigate();
  // Not in the address, because names and documents must not be in logs.
  const text = useRouterState({ select: ({ location }) => location.state.text });
  const list = useQuery({
    ...allTransactions(compact({ ...chosen, method: oneOf(METHODS, chosen.method), cursor, take: TAKE })),
    enabled: text === undefined,
  });
  return (
    <Listing
      title={t('operator.transactions.title')}
      search={search}
      file={{ path: '/v1/admin/transactions', name: t('operator.transactions.file') }}
      views={{
        list: 'operator-transactions',
        given: [
          { name: t('charges.viewAll'), filters: {} },
          { name: t('charges.viewPaid'), filters: { status: 'PAID' } },
          { name: t('charges.viewProblems'), filters: { status: 'FAILED,REFUSED,CHARGEDBACK,DISPUTE' } },
        ],
      }}
      filters={(change) => <TransactionFilters chosen={chosen} onChange={change} />}
      query={list}
      columns={[
        sellerColumn(t),
        createdColumn(t),
        methodColumn(t),
        statusColumn(t, 'charge', { phone: false }),
        idColumn(t),
        feeColumn(t),
        amountAndStatusColumn(t, 'charge'),
      ]}
      empty={{
        icon: <ReceiptText />,
        title: t('operator.transactions.emptyTitle'),
        hint: t('operator.transactions.emptyHint'),
      }}
      lookup={{
        box: (
          <SearchBox
            label={t('charges.search')}
            placeholder={t('operator.transactions.searchHint')}
            clear={t('charges.clearSearch')}
            value={text}
            onChange={(next) =>
              void navigate({ to: '.', search: compact(chosen), state: () => ({ text: next }) })
            }
          />
        ),
        results: text === undefined ? null : <Found text={text} search={search} />,
      }}
      panel={{ title: t('operator.transactions.one'), of: (id) => <TransactionPanel id={id} /> }}
    />
  );
}

function TransactionFilters({
  chosen,
  onChange,
}: {
  readonly chosen: Omit<Search, 'cursor' | 'open'>;
  readonly onChange: (change: Filters) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={onChange} />
      <SellerFilter value={chosen.sellerId} onChange={(sellerId) => onChange({ sellerId })} />
      <StatusFilter
        kind="charge"
        statuses={CHARGE_STATUSES}
        value={chosen.status}
        onChange={(status) => onChange({ status })}
      />
      <ChoiceFilter
        label={t('common.method')}
        placeholder={t('common.anyFeminine')}
        data={METHODS.map((value) => ({ value, label: methodLabel(value) }))}
        value={chosen.method}
        onChange={(method) => onChange({ method })}
      />
      <IdFilter
        label={t('operator.transactions.id')}
        value={chosen.transactionId}
        onChange={(transactionId) => onChange({ transactionId })}
      />
    </>
  );
}

function Found({ text, search }: { readonly text: string; readonly search: Filters }): ReactNode {
  const navigate = useNavigate();
  return (
    <ChargeSearchResults
      text={text}
      query={useQuery(transactionLookup(text))}
      onOpen={(id) =>
        void navigate({
          to: '.',
          search: compact({ ...search, open: id }),
          state: true,
          resetScroll: false,
        })
      }
    />
  );
}
