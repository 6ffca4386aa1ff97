import { Group, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { compact } from '../app/search.ts';
import { CursorTable, type Column, type Page, type Selection } from './cursor-table.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterRow } from './filters.tsx';
import { EmptyState, PageTitle } from './feedback.tsx';
import { Panel } from './overlay.tsx';
import { countPages } from './paging.ts';
import { Views, type Filters, type View } from './views.tsx';

/** Whether the list stays the same: only another record is open, or none. */
const isSameList = (before: Filters, next: Filters): boolean =>
  [...Object.keys(before), ...Object.keys(next)].every(
    (name) => name === 'open' || before[name] === next[name],
  );

/** Returns a function that updates the search parameters of the current screen. */
export function useUpdateSearch(): (search: Filters, cursor?: string) => void {
  const navigate = useNavigate();
  const router = useRouter();
  return (search, cursor) => {
    const next = compact<Filters>({ ...search, cursor });
    void navigate({
      to: '.',
      search: next,
      // A list under an open record stays where it is.
      resetScroll: !isSameList(router.state.location.search, next),
      ...(cursor === undefined ? {} : { state: countPages(cursor) }),
    });
  };
}

interface Empty {
  readonly icon: ReactNode;
  readonly title: string;
  readonly hint: string;
  /** Action of the empty state, shown if no filter is active. */
  readonly action?: ReactNode;
  /** An example request, shown as the action. */
  readonly command?: string;
}

interface DetailPanel {
  readonly title: string;
  readonly of: (id: string) => ReactNode;
}

export interface ListingProps<Row extends { readonly id: string }> {
  readonly title: string;
  readonly intro?: string;
  readonly actions?: ReactNode;
  /** The current search parameters. */
  readonly search: Filters;
  /** Renders the filters; `change` updates the search parameters. */
  readonly filters?: (change: (next: Filters) => void) => ReactNode;
  readonly views?: { readonly list: string; readonly given: readonly View[] };
  readonly query: UseQueryResult<Page<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly empty: Empty;
  /** CSV export of all rows that match the filters, or of those that are selected. */
  readonly file?: Omit<ComponentProps<typeof ExportButton<Row>>, 'filters'>;
  readonly selection?: Selection<Row>;
  /** The menu of the columns, beside the export. */
  readonly choice?: ReactNode;
  /** Detail panel of a row; without it, `onOpen` handles a click on a row. */
  readonly panel?: DetailPanel;
  readonly onOpen?: (row: Row) => void;
  /** The cents of a row, for the sum below the list. */
  readonly sumOf?: (row: Row) => number;
  /** What the list adds up to, above it. */
  readonly summary?: ReactNode;
  /** A search box, and its results in place of the list. The state of the location has its text. */
  readonly lookup?: { readonly box: ReactNode; readonly results: ReactNode };
}

/** List screen: filters in the URL, rows, a detail panel and CSV export. */
export function Listing<Row extends { readonly id: string }>({
  title,
  intro,
  actions,
  search,
  filters,
  views,
  query,
  columns,
  empty,
  file,
  selection,
  choice,
  panel,
  onOpen,
  sumOf,
  summary,
  lookup,
}: ListingProps<Row>): ReactNode {
  const navigate = useNavigate();
  const go = useUpdateSearch();
  const { cursor, open, ...chosen } = search;
  const filtered = Object.values(chosen).some((value) => value !== undefined);
  const opening = panel === undefined ? onOpen : (row: Row) => go({ ...search, open: row.id }, cursor);
  const close = () =>
    lookup === undefined
      ? go(chosen, cursor)
      : void navigate({ to: '.', search: compact({ ...chosen, cursor }), state: true, resetScroll: false });
  return (
    <Stack>
      <PageTitle title={title} {...(intro === undefined ? {} : { intro })}>
        {actions}
      </PageTitle>
      {lookup?.box}
      {lookup?.results ?? (
        <>
          {views === undefined ? null : (
            <Views list={views.list} given={views.given} filters={search} onChoose={(next) => go(next)} />
          )}
          {filters === undefined && file === undefined && choice === undefined ? null : (
            <Group justify={filters === undefined ? 'flex-end' : 'space-between'} align="flex-end">
              {filters === undefined ? null : (
                <FilterRow filters={search} onClear={() => go({})}>
                  {filters((next) => go({ ...chosen, ...next }))}
                </FilterRow>
              )}
              <Group gap="xs">
                {choice}
                {file === undefined ? null : <ExportButton {...file} filters={chosen} />}
              </Group>
            </Group>
          )}
          {summary}
          <CursorTable
            label={title}
            query={query}
            columns={columns}
            {...(opening === undefined ? {} : { onOpen: opening })}
            selection={selection}
            active={open}
            sumOf={sumOf}
            onPage={(next) => go(chosen, next)}
            empty={<NoRows filtered={filtered} empty={empty} />}
          />
        </>
      )}
      {panel === undefined ? null : <RecordPanel panel={panel} open={open} onClose={close} />}
    </Stack>
  );
}

/** The text of a list without rows: that nothing matches its filters, or what the list is for. */
function NoRows({ filtered, empty }: { readonly filtered: boolean; readonly empty: Empty }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={empty.icon}
      title={filtered ? t('list.nothing') : empty.title}
      hint={filtered ? t('list.nothingHint') : empty.hint}
      action={filtered ? null : empty.action}
      {...(filtered || empty.command === undefined ? {} : { command: empty.command })}
    />
  );
}

function RecordPanel({
  panel,
  open,
  onClose,
}: {
  readonly panel: DetailPanel;
  readonly open: string | undefined;
  readonly onClose: () => void;
}) {
  return (
    <Panel opened={open !== undefined} row={open} onClose={onClose} title={panel.title}>
      {open === undefined ? null : panel.of(open)}
    </Panel>
  );
}
