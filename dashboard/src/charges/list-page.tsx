import { Box, Button, Group, Menu, Stack, Text } from '@mantine/core';
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
import { CursorTable, type Column } from '../components/cursor-table.tsx';
import { DateTime, Id, Money, RelativeTime, Status } from '../components/values.tsx';
import { ChoiceFilter, FilterRow, StatusFilter, TextFilter } from '../components/filters.tsx';
import { EmptyState, PageTitle, notify, notifyError } from '../components/feedback.tsx';
import { countPages } from '../components/paging.ts';
import { PeriodFilter } from '../components/period.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { ColumnChoice, useColumns, Views, type Filters } from '../components/views.tsx';
import { Panel } from '../components/overlay.tsx';
import { currentLanguage, formatDateTime, formatMoney, shortId } from '../i18n/format.ts';
import { methodLabel } from '../i18n/find-text.ts';
import { chargeOutcome, CHARGE_STATUSES, METHODS } from '../i18n/statuses.ts';
import { ChargeDetail } from './detail.tsx';
import { chargesAsCsv } from './csv.ts';
import { ChargeSearchResults } from './found.tsx';
import { useSampleCall } from './sample.ts';

const page = getRouteApi('/charges');
const TAKE = 20;

const ALL_COLUMNS = [
  'payer',
  'created',
  'method',
  'status',
  'id',
  'externalRef',
  'installments',
  'paidAt',
  'fee',
  'net',
  'amount',
] as const;
type ColumnName = (typeof ALL_COLUMNS)[number];
const DEFAULT_COLUMNS: readonly ColumnName[] = ['payer', 'created', 'method', 'status', 'net', 'amount'];

function useAllColumns(): readonly (Column<ChargeSummary> & { readonly key: ColumnName })[] {
  const { t } = useTranslation();
  return [
    {
      key: 'payer',
      header: t('charges.payer'),
      phone: true,
      grows: true,
      cell: (row) => (
        <>
          <Text size="sm" fw={600} truncate>
            {row.customerName}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {row.description}
          </Text>
          <Box hiddenFrom="sm">
            <RelativeTime at={row.createdAt} size="xs" c="dimmed" />
          </Box>
        </>
      ),
    },
    {
      key: 'created',
      header: t('common.created'),
      cell: (row) => <RelativeTime at={row.createdAt} size="sm" />,
    },
    {
      key: 'method',
      header: t('common.method'),
      cell: (row) => methodLabel(row.method),
    },
    {
      key: 'status',
      header: t('common.status'),
      phone: true,
      cell: (row) => (
        <Status kind="charge" of={chargeOutcome(row.method, row.status, null, row.refundedAmount)} />
      ),
    },
    { key: 'id', header: t('common.id'), cell: (row) => <Id id={row.id} /> },
    {
      key: 'externalRef',
      header: t('charges.orderRef'),
      cell: (row) => (
        <Text size="sm" className="whole">
          {row.externalRef}
        </Text>
      ),
    },
    {
      key: 'installments',
      header: t('charges.installments'),
      right: true,
      cell: (row) => (row.installments === null ? '' : `${row.installments}x`),
    },
    {
      key: 'paidAt',
      header: t('charges.paidAt'),
      cell: (row) => (row.paidAt === null ? '' : <DateTime at={row.paidAt} size="sm" />),
    },
    {
      key: 'fee',
      header: t('common.fee'),
      right: true,
      cell: (row) => <Money cents={row.feeAmount} size="sm" />,
    },
    {
      key: 'net',
      header: t('common.net'),
      right: true,
      cell: (row) => <Money cents={row.netAmount} size="sm" />,
    },
    {
      key: 'amount',
      header: t('common.amount'),
      right: true,
      phone: true,
      cell: (row) => <Money cents={row.amount} fw={600} size="sm" />,
    },
  ];
}

/** Tells a row from others to a screen reader. */
const nameOf = ({ customerName, amount, createdAt }: ChargeSummary): string =>
  [customerName, formatMoney(amount), formatDateTime(createdAt)].join(', ');

export function ChargesPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const { cursor, open, ...filters } = search;
  // Kept in the history state and not in the URL, because it may hold names and emails.
  const text = useRouterState({ select: ({ location }) => location.state.text });
  const query: ChargeQuery = compact({
    ...filters,
    method: oneOf(METHODS, filters.method),
    cursor,
    take: TAKE,
  });
  const list = useQuery({ ...charges(query), enabled: text === undefined });
  const all = useAllColumns();
  const { shown, toggle } = useColumns('charges', DEFAULT_COLUMNS);
  const [chosen, setChosen] = useState<ReadonlyMap<string, ChargeSummary>>(new Map());

  const filter = (next: Filters) =>
    void navigate({ to: '/charges', search: compact({ ...filters, ...next }) });
  const choose = (id: string) => {
    const row = list.data?.data.find((known) => known.id === id);
    const next = new Map(chosen);
    if (next.has(id)) next.delete(id);
    else if (row !== undefined) next.set(id, row);
    setChosen(next);
  };
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
        listed()
      ) : (
        <SellerSearchResults
          text={text}
          onOpen={(id) =>
            void navigate({ to: '/charges', search: { ...search, open: id }, state: () => ({ text }) })
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
          })
        }
        title={t('charges.one')}
      >
        {open === undefined ? null : <ChargeDetail id={open} panel />}
      </Panel>
    </Stack>
  );

  function listed(): ReactNode {
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
              onChange={({ startDate, endDate }) =>
                filter({ paidStartDate: startDate, paidEndDate: endDate })
              }
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
            <TextFilter
              label={t('charges.filterKey')}
              w={110}
              value={filters.metadataKey}
              onChange={(metadataKey) => filter({ metadataKey })}
            />
            {filters.metadataKey === undefined ? null : (
              <TextFilter
                label={t('charges.filterValue')}
                w={110}
                value={filters.metadataValue}
                onChange={(metadataValue) => filter({ metadataValue })}
              />
            )}
          </FilterRow>
          <Group gap="xs">
            <ColumnChoice all={all} shown={shown} toggle={toggle} />
            <Menu position="bottom-end">
              <Menu.Target>
                <Button size="xs" variant="default" leftSection={<Download size={14} aria-hidden />}>
                  {t('list.export')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item disabled={(list.data?.count ?? 0) === 0} onClick={() => void exportAll()}>
                  {t(list.data?.countCapped ? 'list.exportAllCapped' : 'list.exportAll', {
                    count: list.data?.count ?? 0,
                  })}
                </Menu.Item>
                {chosen.size === 0 ? null : (
                  <Menu.Item
                    onClick={() =>
                      save(
                        new Blob([chargesAsCsv([...chosen.values()])], { type: 'text/csv' }),
                        t('charges.file'),
                      )
                    }
                  >
                    {t('list.exportSelected', { count: chosen.size })}
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          </Group>
        </Group>
        <CursorTable
          label={t('charges.title')}
          query={list}
          columns={all.filter(({ key }) => shown.includes(key))}
          onOpen={(row) => void navigate({ to: '/charges', search: { ...search, open: row.id } })}
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
              const row = list.data?.data.find((known) => known.id === id);
              return t('list.select', { name: row === undefined ? shortId(id) : nameOf(row) });
            },
          }}
          sumOf={(row) => row.amount}
          empty={<Nothing filtered={Object.keys(filters).length > 0} />}
        />
      </>
    );
  }
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
