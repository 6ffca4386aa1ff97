import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouterState } from '@tanstack/react-router';
import { CirclePlus, ReceiptText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { LISTED_CSV } from '../../../src/payments/transactions/summary-columns.ts';
import { useMay } from '../api/permissions.ts';
import { chargeLookup, charges, type ChargeSummary } from '../api/queries.ts';
import { compact, oneOf } from '../app/search.ts';
import { UUID } from '../app/uuid.ts';
import { useSelection } from '../components/cursor-table.tsx';
import { ChoiceFilter, StatusFilter, TextFilter } from '../components/filters.tsx';
import { Listing } from '../components/listing.tsx';
import { PeriodFilter } from '../components/period.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { useColumnChoice, type Filters } from '../components/views.tsx';
import { formatDateTime, formatMoney } from '../i18n/format.ts';
import { CHARGE_STATUSES, METHODS } from '../i18n/statuses.ts';
import { ChargeDetail } from './detail.tsx';
import { ChargeSearchResults } from './found.tsx';
import { DEFAULT_COLUMNS, listColumns, refundingColumn } from './list-columns.tsx';
import { useSampleCall } from './sample.ts';

const page = getRouteApi('/charges');
const TAKE = 20;

const nameOf = ({ customerName, amount, createdAt }: ChargeSummary): string =>
  [customerName, formatMoney(amount), formatDateTime(createdAt)].join(', ');

/** The search of the address, and the charges that match it. */
function useChargeList() {
  const search = page.useSearch();
  const { cursor, open: _open, ...filters } = search;
  // Kept in the history state and not in the URL, because it may hold names and emails.
  const text = useRouterState({ select: ({ location }) => location.state.text });
  const isRefunding = filters.refunding === 'true';
  const parameters = compact({
    ...filters,
    method: oneOf(METHODS, filters.method),
    refunding: isRefunding || undefined,
    cursor,
    take: TAKE,
  });
  const query = useQuery({ ...charges(parameters), enabled: text === undefined });
  return { search, filters, text, isRefunding, query };
}

export function ChargesPage(): ReactNode {
  const { t } = useTranslation();
  const { search, filters, text, isRefunding, query } = useChargeList();
  const navigate = page.useNavigate();
  const command = useSampleCall();
  const all = [...listColumns(t), ...(isRefunding ? [refundingColumn(t)] : [])];
  const { columns, choice } = useColumnChoice('charges', all, DEFAULT_COLUMNS);
  const selection = useSelection(nameOf);
  return (
    <Listing
      title={t('charges.title')}
      actions={<NewChargeButton />}
      search={search}
      file={{
        path: '/v1/transactions',
        name: t('charges.file'),
        selected: { rows: selection.rows, columns: LISTED_CSV },
      }}
      views={{
        list: 'charges',
        given: [
          { name: t('charges.viewAll'), filters: {} },
          { name: t('charges.viewPaid'), filters: { status: 'PAID' } },
          { name: t('charges.viewWaiting'), filters: { status: 'PENDING,WAITING_PAYMENT,PROCESSING' } },
          { name: t('charges.viewProblems'), filters: { status: 'FAILED,REFUSED,CHARGEDBACK,DISPUTE' } },
          ...(isRefunding ? [{ name: t('home.blockedBy.refunds'), filters: { refunding: 'true' } }] : []),
        ],
      }}
      filters={(change) => <ChargeFilters filters={filters} onChange={change} />}
      query={query}
      columns={columns}
      choice={choice}
      selection={selection}
      sumOf={(row) => (isRefunding ? (row.refundingAmount ?? 0) : row.amount)}
      empty={{
        icon: <ReceiptText />,
        title: t('charges.emptyTitle'),
        hint: t('charges.emptyHint'),
        command,
        action: <NewChargeButton onPhone />,
      }}
      lookup={{
        box: (
          <SearchBox
            label={t('charges.search')}
            placeholder={t('charges.searchHint')}
            clear={t('charges.clearSearch')}
            value={text}
            onChange={(next) =>
              void navigate({ to: '/charges', search: compact(filters), state: () => ({ text: next }) })
            }
          />
        ),
        results: text === undefined ? null : <SearchResults text={text} search={search} />,
      }}
      panel={{ title: t('charges.one'), of: (id) => <ChargeDetail id={id} panel /> }}
    />
  );
}

/** On phones, the bar at the bottom has it as well. */
function NewChargeButton({ onPhone = false }: { readonly onPhone?: boolean }) {
  const { t } = useTranslation();
  return useMay()('transactions:create') ? (
    <Button
      component={Link}
      to="/charges/new"
      leftSection={<CirclePlus size={16} aria-hidden />}
      {...(onPhone ? {} : { visibleFrom: 'sm' })}
    >
      {t('charges.new')}
    </Button>
  ) : null;
}

interface FiltersProps {
  readonly filters: Omit<ReturnType<typeof page.useSearch>, 'cursor' | 'open'>;
  readonly onChange: (next: Filters) => void;
}

function ChargeFilters({ filters, onChange: filter }: FiltersProps) {
  const { t } = useTranslation();
  return (
    <>
      <StatusFilter
        kind="charge"
        statuses={CHARGE_STATUSES}
        value={filters.status}
        onChange={(status) => filter({ status })}
      />
      <ChoiceFilter
        label={t('common.method')}
        placeholder={t('common.anyFeminine')}
        data={METHODS.map((value) => ({ value, label: t(`method.${value}`) }))}
        value={filters.method}
        onChange={(method) => filter({ method })}
      />
      <PeriodFilter
        label={t('charges.createdIn')}
        from={filters.startDate}
        to={filters.endDate}
        onChange={filter}
      />
      <PeriodFilter
        label={t('charges.paidIn')}
        from={filters.paidStartDate}
        to={filters.paidEndDate}
        onChange={({ startDate, endDate }) => filter({ paidStartDate: startDate, paidEndDate: endDate })}
      />
      <TextFilter
        label={t('charges.orderRef')}
        w={150}
        value={filters.externalRef}
        onChange={(externalRef) => filter({ externalRef })}
      />
      <TextFilter
        label={t('charges.filterId')}
        w={200}
        value={filters.transactionId}
        valid={(text) => UUID.test(text)}
        hint={t('charges.notUuid')}
        onChange={(transactionId) => filter({ transactionId })}
      />
      <MetadataFilters filters={filters} onChange={filter} />
    </>
  );
}

function MetadataFilters({ filters, onChange }: FiltersProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextFilter
        label={t('charges.filterKey')}
        w={110}
        value={filters.metadataKey}
        onChange={(metadataKey) => onChange({ metadataKey })}
      />
      {filters.metadataKey === undefined ? null : (
        <TextFilter
          label={t('charges.filterValue')}
          w={110}
          value={filters.metadataValue}
          onChange={(metadataValue) => onChange({ metadataValue })}
        />
      )}
    </>
  );
}

function SearchResults({ text, search }: { readonly text: string; readonly search: Filters }) {
  const navigate = page.useNavigate();
  return (
    <ChargeSearchResults
      text={text}
      query={useQuery(chargeLookup(text))}
      onOpen={(id) =>
        void navigate({
          to: '/charges',
          search: compact({ ...search, open: id }),
          state: true,
          resetScroll: false,
        })
      }
    />
  );
}
