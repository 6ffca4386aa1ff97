import { Button, Group, Menu, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouterState } from '@tanstack/react-router';
import { CirclePlus, Download, ReceiptText } from 'lucide-react';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { download, save } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { chargeLookup, charges, type ChargeQuery, type ChargeSummary } from '../api/queries.ts';
import { compact, oneOf } from '../app/search.ts';
import { UUID } from '../app/uuid.ts';
import { CursorTable } from '../components/cursor-table.tsx';
import { ChoiceFilter, FilterRow, StatusFilter, TextFilter } from '../components/filters.tsx';
import { EmptyState, PageTitle, notify, notifyError } from '../components/feedback.tsx';
import { countPages } from '../components/paging.ts';
import { PeriodFilter } from '../components/period.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { ColumnChoice, useColumns, Views, type Filters } from '../components/views.tsx';
import { Panel } from '../components/overlay.tsx';
import { currentLanguage, formatDateTime, formatMoney, shortId } from '../i18n/format.ts';
import { CHARGE_STATUSES, METHODS } from '../i18n/statuses.ts';
import { ChargeDetail } from './detail.tsx';
import { chargesAsCsv } from './csv.ts';
import { ChargeSearchResults } from './found.tsx';
import { DEFAULT_COLUMNS, listColumns } from './list-columns.tsx';
import { useSampleCall } from './sample.ts';

const page = getRouteApi('/charges');
const TAKE = 20;

/** The accessible name of a row. */
const nameOf = ({ customerName, amount, createdAt }: ChargeSummary): string =>
  [customerName, formatMoney(amount), formatDateTime(createdAt)].join(', ');

/** The charges that match the filters in the address, and those that are chosen for the export. */
function useChargeList() {
  const search = page.useSearch();
  const { cursor, open: _open, ...filters } = search;
  // Kept in the history state and not in the URL, because it may hold names and emails.
  const text = useRouterState({ select: ({ location }) => location.state.text });
  const parameters: ChargeQuery = compact({
    ...filters,
    method: oneOf(METHODS, filters.method),
    cursor,
    take: TAKE,
  });
  const query = useQuery({ ...charges(parameters), enabled: text === undefined });
  const columns = useColumns('charges', DEFAULT_COLUMNS);
  const [chosen, setChosen] = useState<ReadonlyMap<string, ChargeSummary>>(new Map());
  const choose = (id: string) => {
    const row = query.data?.data.find((known) => known.id === id);
    const next = new Map(chosen);
    if (next.has(id)) next.delete(id);
    else if (row !== undefined) next.set(id, row);
    setChosen(next);
  };
  return { search, filters, text, query, columns, chosen, choose };
}
type ChargeList = ReturnType<typeof useChargeList>;

export function ChargesPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = page.useNavigate();
  const list = useChargeList();
  const { search, filters, text } = list;
  const { open } = search;
  return (
    <Stack>
      <PageTitle title={t('charges.title')}>
        {may('transactions:create') ? (
          <Button
            component={Link}
            to="/charges/new"
            visibleFrom="sm"
            leftSection={<CirclePlus size={16} aria-hidden />}
          >
            {t('charges.new')}
          </Button>
        ) : null}
      </PageTitle>
      <SearchBox
        label={t('charges.search')}
        placeholder={t('charges.searchHint')}
        clear={t('charges.clearSearch')}
        value={text}
        onChange={(next) =>
          void navigate({ to: '/charges', search: compact(filters), state: () => ({ text: next }) })
        }
      />
      {text === undefined ? (
        <ListedCharges list={list} />
      ) : (
        <SellerSearchResults
          text={text}
          onOpen={(id) =>
            void navigate({
              to: '/charges',
              search: { ...search, open: id },
              state: () => ({ text }),
              resetScroll: false,
            })
          }
        />
      )}
      <Panel
        opened={open !== undefined}
        row={open}
        onClose={() =>
          void navigate({
            to: '/charges',
            search: compact({ ...search, open: undefined }),
            state: () => ({ text }),
            resetScroll: false,
          })
        }
        title={t('charges.one')}
      >
        {open === undefined ? null : <ChargeDetail id={open} panel />}
      </Panel>
    </Stack>
  );
}

function ListedCharges({ list }: { readonly list: ChargeList }) {
  const { t } = useTranslation();
  const navigate = page.useNavigate();
  const { search, filters, query, columns, chosen, choose } = list;
  const all = listColumns(t);
  return (
    <>
      <Views
        list="charges"
        given={[
          { name: t('charges.viewAll'), filters: {} },
          { name: t('charges.viewPaid'), filters: { status: 'PAID' } },
          { name: t('charges.viewWaiting'), filters: { status: 'PENDING,WAITING_PAYMENT,PROCESSING' } },
          {
            name: t('charges.viewProblems'),
            filters: { status: 'FAILED,REFUSED,CHARGEDBACK,DISPUTE' },
          },
        ]}
        filters={search}
        onChoose={(next) => void navigate({ to: '/charges', search: compact(next) })}
      />
      <Group justify="space-between" align="flex-end">
        <ListFilters list={list} />
        <Group gap="xs">
          <ColumnChoice all={all} {...columns} />
          <ExportMenu list={list} />
        </Group>
      </Group>
      <CursorTable
        label={t('charges.title')}
        query={query}
        columns={all.filter(({ key }) => columns.shown.includes(key))}
        onOpen={(row) =>
          void navigate({ to: '/charges', search: { ...search, open: row.id }, resetScroll: false })
        }
        onPage={(next) =>
          void navigate({
            to: '/charges',
            search: compact({ ...filters, cursor: next }),
            state: countPages(next),
          })
        }
        selection={{
          ids: new Set(chosen.keys()),
          toggle: choose,
          name: (id) => {
            const row = query.data?.data.find((known) => known.id === id);
            return t('list.select', { name: row === undefined ? shortId(id) : nameOf(row) });
          },
        }}
        sumOf={(row) => row.amount}
        empty={<Nothing filtered={Object.keys(filters).length > 0} />}
      />
    </>
  );
}

function ListFilters({ list: { search, filters } }: { readonly list: ChargeList }) {
  const { t } = useTranslation();
  const navigate = page.useNavigate();
  const filter = (next: Filters) =>
    void navigate({ to: '/charges', search: compact({ ...filters, ...next }) });
  return (
    <FilterRow filters={search} onClear={() => void navigate({ to: '/charges', search: {} })}>
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
    </FilterRow>
  );
}

function MetadataFilters({
  filters,
  onChange,
}: {
  readonly filters: ChargeList['filters'];
  readonly onChange: (next: Filters) => void;
}) {
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

function ExportMenu({ list: { query, filters, chosen } }: { readonly list: ChargeList }) {
  const { t } = useTranslation();
  const exportAll = async () => {
    const parameters = new URLSearchParams({ export: 'true' });
    if (currentLanguage() === 'pt-BR') parameters.set('locale', 'pt-BR');
    for (const [name, value] of Object.entries(filters)) if (value !== undefined) parameters.set(name, value);
    try {
      await download(`/v1/transactions?${parameters.toString()}`, t('charges.file'));
      notify(t('list.exported'));
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Download size={14} aria-hidden />}>
          {t('list.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={(query.data?.count ?? 0) === 0} onClick={() => void exportAll()}>
          {t(query.data?.countCapped ? 'list.exportAllCapped' : 'list.exportAll', {
            count: query.data?.count ?? 0,
          })}
        </Menu.Item>
        {chosen.size === 0 ? null : (
          <Menu.Item
            onClick={() =>
              save(new Blob([chargesAsCsv([...chosen.values()])], { type: 'text/csv' }), t('charges.file'))
            }
          >
            {t('list.exportSelected', { count: chosen.size })}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  const { t } = useTranslation();
  const may = useMay();
  const command = useSampleCall();
  if (filtered) {
    return <EmptyState icon={<ReceiptText />} title={t('list.nothing')} hint={t('list.nothingHint')} />;
  }
  return (
    <EmptyState
      icon={<ReceiptText />}
      title={t('charges.emptyTitle')}
      hint={t('charges.emptyHint')}
      command={command}
      action={
        may('transactions:create') ? (
          <Button component={Link} to="/charges/new">
            {t('charges.new')}
          </Button>
        ) : null
      }
    />
  );
}

function SellerSearchResults({ text, onOpen }: Omit<ComponentProps<typeof ChargeSearchResults>, 'query'>) {
  return <ChargeSearchResults text={text} query={useQuery(chargeLookup(text))} onOpen={onOpen} />;
}
