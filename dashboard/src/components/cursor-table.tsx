import { Button, Checkbox, Group, Paper, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { formatMoney } from '../i18n/format.ts';
import { ErrorAlert } from './feedback.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly right?: boolean;
  /** Takes the remaining width and truncates its text. */
  readonly grows?: boolean;
  /** Also shown on small screens. */
  readonly phone?: boolean;
  /** The user cannot hide it. */
  readonly always?: boolean;
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly count: number;
  /** More than `count` match. */
  readonly countCapped?: true;
  readonly nextCursor?: string | null;
}

export interface Selection<Row> {
  readonly rows: readonly Row[];
  readonly toggle: (row: Row) => void;
  /** The accessible name of a row. */
  readonly nameOf: (row: Row) => string;
}

/** Rows that the user selects, also on several pages of a list. */
export function useSelection<Row extends { readonly id: string }>(
  nameOf: (row: Row) => string,
): Selection<Row> {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const toggle = (row: Row) => {
    const others = rows.filter(({ id }) => id !== row.id);
    setRows(others.length < rows.length ? others : [...rows, row]);
  };
  return { rows, toggle, nameOf };
}

const SKELETON_ROWS = 6;
const GROWING = { className: 'cut', w: { base: '60%', sm: '35%' } } as const;

/** What the rows show, and what they do. */
interface RowOptions<Row> {
  readonly columns: readonly Column<Row>[];
  readonly onOpen?: (row: Row) => void;
  readonly selection?: Selection<Row> | undefined;
  /** Id of the row whose details are open. */
  readonly active?: string | undefined;
  /** Called when a row gets the focus by keyboard. */
  readonly onRowFocus?: (row: Row) => void;
}

/** Hides a column that phones do not show. */
const hiding = ({ phone = false }: { readonly phone?: boolean }) => (phone ? {} : { visibleFrom: 'sm' });

/** Arrow keys, J and K move between rows; Enter opens one. */
export function onRowKey(event: KeyboardEvent<HTMLTableRowElement>, open: () => void): void {
  const { target, currentTarget, ctrlKey, metaKey, altKey } = event;
  if (target !== currentTarget || ctrlKey || metaKey || altKey) return;
  const key = event.key.toLowerCase();
  const isNext = key === 'arrowdown' || key === 'j';
  const near = isNext ? currentTarget.nextElementSibling : currentTarget.previousElementSibling;
  if (key === 'enter' || key === ' ') open();
  else if (!isNext && key !== 'arrowup' && key !== 'k') return;
  else if (near instanceof HTMLElement) near.focus();
  event.preventDefault();
}

/**
 * Table with cursor pagination. The cursor is in the URL, so that Back returns to the previous page
 * and links can be shared.
 */
export function CursorTable<Row extends { readonly id: string }>({
  label,
  query,
  onPage,
  empty,
  sumOf,
  cursorName = 'cursor',
  ...rowOptions
}: RowOptions<Row> & {
  readonly label: string;
  readonly query: UseQueryResult<Page<Row>>;
  /** Opens the page of a cursor, or the first page without one. */
  readonly onPage: (cursor: string | undefined) => void;
  readonly empty: ReactNode;
  /** The cents of a row. Their sum is shown below a list that has one page. */
  readonly sumOf?: ((row: Row) => number) | undefined;
  /** The parameter of the address that has the cursor. */
  readonly cursorName?: 'cursor' | 'returnsCursor';
}) {
  const rows = query.data?.data ?? [];
  const isWhole = query.data?.count === rows.length;
  const sum =
    sumOf === undefined || !isWhole ? undefined : rows.reduce((total, row) => total + sumOf(row), 0);
  if (query.isError && query.data === undefined) {
    return <ErrorAlert error={query.error} retry={query.refetch} />;
  }
  const isEmpty = query.data !== undefined && rows.length === 0;
  return (
    <Paper withBorder={!isEmpty} radius="md" aria-busy={query.isPlaceholderData}>
      {isEmpty ? empty : <Rows label={label} query={query} {...rowOptions} />}
      <Pager
        page={query.data}
        sum={sum}
        cursorName={cursorName}
        next={query.data?.nextCursor ?? undefined}
        onPage={onPage}
      />
    </Paper>
  );
}

function Rows<Row extends { readonly id: string }>({
  label,
  query,
  ...rowOptions
}: RowOptions<Row> & { readonly label: string; readonly query: UseQueryResult<Page<Row>> }) {
  const { t } = useTranslation();
  const { columns, onOpen, selection } = rowOptions;
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table highlightOnHover={onOpen !== undefined} verticalSpacing="sm" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {selection === undefined ? null : (
              <Table.Th w={36} visibleFrom="sm" aria-label={t('list.selection')} />
            )}
            {columns.map((column) => (
              <Table.Th key={column.key} ta={column.right === true ? 'right' : 'left'} {...hiding(column)}>
                {column.header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className={query.isPlaceholderData ? 'faded' : ''}>
          {query.data === undefined
            ? Array.from({ length: SKELETON_ROWS }, (_, index) => (
                <Table.Tr key={index}>
                  <Table.Td colSpan={columns.length + 1}>
                    <Skeleton height={22} />
                  </Table.Td>
                </Table.Tr>
              ))
            : query.data.data.map((row) => <RecordRow key={row.id} row={row} {...rowOptions} />)}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function RecordRow<Row extends { readonly id: string }>({
  row,
  columns,
  onOpen,
  selection,
  active,
  onRowFocus,
}: RowOptions<Row> & { readonly row: Row }) {
  const { t } = useTranslation();
  return (
    <Table.Tr
      {...(onOpen === undefined
        ? {}
        : {
            tabIndex: 0,
            className: 'openable',
            onClick: () => onOpen(row),
            onKeyDown: (event) => onRowKey(event, () => onOpen(row)),
            onFocus: () => onRowFocus?.(row),
          })}
      data-row={row.id}
      {...(row.id === active ? { 'aria-current': 'true', bg: 'var(--mantine-color-brand-light)' } : {})}
    >
      {selection === undefined ? null : (
        <Table.Td visibleFrom="sm" onClick={(event) => event.stopPropagation()}>
          <Checkbox
            checked={selection.rows.some(({ id }) => id === row.id)}
            onChange={() => selection.toggle(row)}
            aria-label={t('list.select', { name: selection.nameOf(row) })}
          />
        </Table.Td>
      )}
      {columns.map((column) => (
        <Table.Td
          key={column.key}
          ta={column.right === true ? 'right' : 'left'}
          {...(column.grows === true ? GROWING : {})}
          {...hiding(column)}
        >
          {column.cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function Pager({
  page,
  sum,
  cursorName,
  next,
  onPage,
}: {
  readonly page: Page<unknown> | undefined;
  readonly sum: number | undefined;
  readonly cursorName: 'cursor' | 'returnsCursor';
  readonly next: string | undefined;
  readonly onPage: (cursor: string | undefined) => void;
}) {
  const { t } = useTranslation();
  const router = useRouter();
  const cursor = useRouterState({ select: ({ location }) => location.search[cursorName] });
  const isEmpty = page?.data.length === 0;
  const canBack = useRouterState({ select: ({ location }) => (location.state.page ?? 0) > 0 });
  return (
    <Group justify="space-between" p={isEmpty ? 0 : 'sm'} gap="xs" className="no-print">
      {/* Stays when the list becomes empty, so that a screen reader says so. */}
      <div role="status">
        {isEmpty ? (
          <VisuallyHidden>{t('list.none')}</VisuallyHidden>
        ) : (
          <Text size="sm" c="dimmed">
            {page === undefined
              ? '…'
              : t(page.countCapped ? 'list.countCapped' : 'list.count', { count: page.count })}
            {sum === undefined
              ? null
              : ` · ${t(sum < 0 ? 'list.sumOut' : 'list.sum', { amount: formatMoney(sum) })}`}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {cursor === undefined ? null : (
          <Button
            size="xs"
            variant="default"
            leftSection={<ChevronLeft size={14} aria-hidden />}
            onClick={() => (canBack ? router.history.back() : onPage(undefined))}
          >
            {canBack ? t('list.previous') : t('list.first')}
          </Button>
        )}
        {next === undefined ? null : (
          <Button
            size="xs"
            variant="default"
            rightSection={<ChevronRight size={14} aria-hidden />}
            onClick={() => onPage(next)}
          >
            {t('list.next')}
          </Button>
        )}
      </Group>
    </Group>
  );
}
