import { Drawer, Group, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { compact } from '../app/search.ts';
import { CursorTable, type Column, type Page } from './cursor-table.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterRow } from './filters.tsx';
import { focusRow } from './focus-row.ts';
import { EmptyState, PageTitle } from './feedback.tsx';
import { readOn } from './paging.ts';
import { Views, type Filters, type View } from './views.tsx';

/** Changes what stands in the address of the screen one is on. */
export function useAddress(): (search: Filters, cursor?: string) => void {
  const navigate = useNavigate();
  return (search, cursor) =>
    void navigate({
      to: '.',
      search: compact({ ...search, cursor }),
      ...(cursor === undefined ? {} : { state: readOn(cursor) }),
    });
}

export interface ListingProps<Row extends { readonly id: string }> {
  readonly title: string;
  readonly intro?: string;
  readonly actions?: ReactNode;
  /** All that stands in the address. */
  readonly search: Filters;
  /** The filters; `change` writes what one of them says into the address. */
  readonly filters?: (change: (next: Filters) => void) => ReactNode;
  readonly views?: { readonly list: string; readonly given: readonly View[] };
  readonly query: UseQueryResult<Page<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly empty: {
    readonly icon: ReactNode;
    readonly title: string;
    readonly hint: string;
    /** What one can do about it, where nothing is filtered. */
    readonly action?: ReactNode;
  };
  /** What exports as CSV all that the filters find. */
  readonly file?: { readonly path: string; readonly name: string };
  /** What stands in the panel of a row; without it `onOpen` says what opening one does. */
  readonly panel?: { readonly title: string; readonly of: (id: string) => ReactNode };
  readonly onOpen?: (row: Row) => void;
}

/** A screen that lists records: filters that stand in the address, rows, a panel for one of them, an export of all. */
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
  panel,
  onOpen,
}: ListingProps<Row>): ReactNode {
  const { t } = useTranslation();
  const go = useAddress();
  const { cursor, open, ...chosen } = search;
  const filtered = Object.values(chosen).some((value) => value !== undefined);
  const opening = panel === undefined ? onOpen : (row: Row) => go({ ...search, open: row.id }, cursor);
  // Closing the panel gives the focus back to the row it was opened from.
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (open !== undefined) last.current = open;
    else if (last.current !== undefined) {
      focusRow(last.current);
      last.current = undefined;
    }
  }, [open]);
  return (
    <Stack>
      <PageTitle title={title} {...(intro === undefined ? {} : { intro })}>
        {actions}
      </PageTitle>
      {views === undefined ? null : (
        <Views list={views.list} given={views.given} filters={search} onChoose={(next) => go(next)} />
      )}
      {filters === undefined && file === undefined ? null : (
        <Group justify="space-between" align="flex-end">
          <FilterRow filters={search} onClear={() => go({})}>
            {filters?.((next) => go({ ...chosen, ...next }))}
          </FilterRow>
          {file === undefined ? null : <ExportButton path={file.path} filters={chosen} name={file.name} />}
        </Group>
      )}
      <CursorTable
        label={title}
        query={query}
        columns={columns}
        {...(opening === undefined ? {} : { onOpen: opening })}
        active={open}
        onPage={(next) => go(chosen, next)}
        empty={
          <EmptyState
            icon={empty.icon}
            title={filtered ? t('list.nothing') : empty.title}
            hint={filtered ? t('list.nothingHint') : empty.hint}
            action={filtered ? null : empty.action}
          />
        }
      />
      {panel === undefined ? null : (
        <Drawer
          opened={open !== undefined}
          onClose={() => go(chosen, cursor)}
          position="right"
          size="lg"
          title={panel.title}
          returnFocus={false}
          closeButtonProps={{ 'aria-label': t('common.close') }}
        >
          {open === undefined ? null : panel.of(open)}
        </Drawer>
      )}
    </Stack>
  );
}
