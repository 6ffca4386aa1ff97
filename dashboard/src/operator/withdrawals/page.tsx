import { Drawer, Grid, Group, Kbd, Paper, Stack, Text } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Banknote, CircleCheckBig } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { destinationKind } from '../components/labels.ts';

import { useMay, useUser } from '../../api/permissions.ts';
import { compact } from '../../app/search.ts';
import { CursorTable, type Column } from '../../components/cursor-table.tsx';
import { ExportButton } from '../../components/export-button.tsx';
import { Money, RelativeTime, Status } from '../../components/values.tsx';
import { FilterRow, StatusFilter } from '../../components/filters.tsx';
import { focusRow } from '../../components/focus-row.ts';
import { useUpdateSearch } from '../../components/listing.tsx';
import { EmptyState, PageTitle } from '../../components/feedback.tsx';
import { Views } from '../../components/views.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { WITHDRAWAL_STATUSES } from '../../i18n/statuses.ts';
import { SellerFilter } from '../components/seller-filter.tsx';
import { pendingWithdrawals, operatorWithdrawal, allWithdrawals, type OwnedWithdrawal } from '../queries.ts';
import { canApprove, canReject } from './can-approve.ts';
import { Approve, Reject } from './decide.tsx';
import { WithdrawalPanel } from './panel.tsx';
import { Approvals } from './approvals.tsx';

const page = getRouteApi('/operator/withdrawals');
const TAKE = 25;
/** Wide enough for the list and the panel side by side. */
const WIDE = '(min-width: 75em)';

type Decision = 'approve' | 'reject';

/**
 * Approval queue, oldest first, optimized for the keyboard: arrows move through the list, `a`
 * approves, `r` rejects, and the next withdrawal is selected afterwards. New withdrawals appear
 * without moving the selection.
 */
export function QueuePage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { id: me } = useUser();
  const search = page.useSearch();
  const go = useUpdateSearch();
  const wide = useMediaQuery(WIDE, window.matchMedia(WIDE).matches, { getInitialValueInEffect: false });
  const { cursor, open, ...filters } = search;
  const status = filters.status ?? 'PENDING';
  const isQueue = status === 'PENDING';
  const waiting = useQuery({ ...pendingWithdrawals(filters.sellerId), enabled: isQueue });
  const others = useQuery({
    ...allWithdrawals(
      compact({
        status: status === 'ALL' ? undefined : status,
        sellerId: filters.sellerId,
        cursor,
        take: TAKE,
      }),
    ),
    enabled: !isQueue,
  });
  const list = isQueue ? waiting : others;
  const rows = list.data?.data ?? [];
  const selected = open ?? (wide ? rows[0]?.id : undefined);
  const row = rows.find(({ id }) => id === selected);
  const one = useQuery({ ...operatorWithdrawal(selected ?? ''), enabled: selected !== undefined });
  // Decides the withdrawal of the panel, even if it is not on this page of the list.
  const current = one.data ?? row;
  const [deciding, setDeciding] = useState<{ readonly what: Decision; readonly about: OwnedWithdrawal }>();
  const panel = useRef<HTMLDivElement>(null);
  const movedOn = useRef(false);

  const select = (id: string | undefined) => go({ ...filters, open: id }, cursor);
  const step = (by: 1 | -1) => {
    const index = rows.findIndex(({ id }) => id === selected);
    const next = rows[index === -1 ? 0 : index + by];
    if (next === undefined) return;
    if (wide) select(next.id);
    focusRow(next.id);
  };
  const decide = (what: Decision, about: OwnedWithdrawal | undefined) => {
    if (about === undefined || !canReject(about) || !may('operator:write')) return;
    if (what === 'approve' && !canApprove(about, me)) return;
    setDeciding({ what, about });
  };
  const selectNext = (decided: OwnedWithdrawal) => {
    movedOn.current = true;
    setDeciding(undefined);
    const index = rows.findIndex(({ id }) => id === decided.id);
    const next = rows[index + 1] ?? rows[index - 1];
    select(wide || open !== undefined ? next?.id : undefined);
    // The focus can move only after the dialog has closed.
    if (next !== undefined) setTimeout(() => focusRow(next.id), 50);
  };
  const closeDecision = () => {
    setDeciding(undefined);
    // The dialog also closes after a decision, when the next withdrawal is already selected.
    if (movedOn.current) movedOn.current = false;
    else if (selected !== undefined) setTimeout(() => focusRow(selected), 50);
  };

  const key = (run: () => void) => (event: KeyboardEvent) => {
    // Ignores keys that a row has handled or that are typed into a dialog.
    if (!event.defaultPrevented && deciding === undefined) run();
  };
  const quiet = { preventDefault: false };
  useHotkeys([
    ['ArrowDown', key(() => step(1)), quiet],
    ['ArrowUp', key(() => step(-1)), quiet],
    ['a', key(() => decide('approve', current)), quiet],
    ['r', key(() => decide('reject', current)), quiet],
  ]);

  const columns = useColumns(isQueue);
  const detail =
    selected === undefined ? null : (
      <WithdrawalPanel
        key={selected}
        id={selected}
        known={row}
        onDecide={(what, about) => decide(what, about)}
      />
    );
  const table = (
    <CursorTable
      label={t('operator.withdrawals.title')}
      query={list}
      columns={columns}
      active={selected}
      {...(wide ? { onRowFocus: ({ id }: OwnedWithdrawal) => (id === open ? undefined : select(id)) } : {})}
      onOpen={({ id }) => {
        select(id);
        if (wide) panel.current?.focus();
      }}
      onPage={(next) => go(filters, next)}
      empty={<Nothing isQueue={isQueue && filters.sellerId === undefined} />}
    />
  );

  return (
    <Stack>
      <PageTitle
        title={t('operator.withdrawals.title')}
        intro={isQueue ? t('operator.withdrawals.intro') : t('operator.withdrawals.introAll')}
      />
      <Views
        list="operator-withdrawals"
        given={[
          { name: t('operator.withdrawals.viewPending'), filters: {} },
          { name: t('operator.withdrawals.viewInTransit'), filters: { status: 'APPROVED,PROCESSING' } },
          { name: t('operator.withdrawals.viewUnpaid'), filters: { status: 'REJECTED,FAILED' } },
          { name: t('operator.withdrawals.viewAll'), filters: { status: 'ALL' } },
        ]}
        filters={search}
        onChoose={(next) => go(next)}
      />
      <Group justify="space-between" align="flex-end">
        <FilterRow filters={search} onClear={() => go({})}>
          <SellerFilter value={filters.sellerId} onChange={(sellerId) => go({ ...filters, sellerId })} />
          {isQueue ? null : (
            <StatusFilter
              kind="operator.withdrawal"
              statuses={WITHDRAWAL_STATUSES}
              value={status === 'ALL' ? undefined : status}
              onChange={(next) => go({ ...filters, status: next ?? 'ALL' })}
            />
          )}
        </FilterRow>
        <Group gap="md">
          {isQueue && rows.length > 0 ? (
            <Text size="sm">
              {t('operator.withdrawals.total')}{' '}
              <Money fw={700} cents={rows.reduce((sum, { amount }) => sum + amount, 0)} />
            </Text>
          ) : null}
          <ExportButton
            path="/v1/admin/withdrawals"
            filters={{ sellerId: filters.sellerId, status: status === 'ALL' ? undefined : status }}
            name={t('withdrawals.file')}
          />
        </Group>
      </Group>
      {wide ? (
        <Grid gap="md">
          <Grid.Col span={rows.length === 0 && open === undefined ? 12 : 7}>
            {table}
            {isQueue && rows.length > 0 ? <Hint mayDecide={may('operator:write')} /> : null}
          </Grid.Col>
          {detail === null ? null : (
            <Grid.Col span={5}>
              <Paper
                withBorder
                p="md"
                component="section"
                aria-label={t('operator.withdrawals.one')}
                ref={panel}
                tabIndex={-1}
                className="beside"
              >
                {detail}
              </Paper>
            </Grid.Col>
          )}
        </Grid>
      ) : (
        <>
          {table}
          <Drawer
            opened={open !== undefined}
            onClose={() => {
              select(undefined);
              if (open !== undefined) setTimeout(() => focusRow(open), 50);
            }}
            position="right"
            size="md"
            title={t('operator.withdrawals.one')}
            returnFocus={false}
            closeButtonProps={{ 'aria-label': t('common.close') }}
          >
            {detail}
          </Drawer>
        </>
      )}
      <Approve
        about={deciding?.what === 'approve' ? deciding.about : undefined}
        onClose={closeDecision}
        onDone={selectNext}
      />
      <Reject
        about={deciding?.what === 'reject' ? deciding.about : undefined}
        onClose={closeDecision}
        onDone={selectNext}
      />
    </Stack>
  );
}

function Hint({ mayDecide }: { readonly mayDecide: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <Group gap="xs" mt="xs">
      <Kbd size="xs">↑</Kbd>
      <Kbd size="xs">↓</Kbd>
      <Text size="xs" c="dimmed">
        {t('operator.withdrawals.keyNavigate')}
      </Text>
      {mayDecide ? (
        <>
          <Kbd size="xs">A</Kbd>
          <Text size="xs" c="dimmed">
            {t('operator.withdrawals.approve')}
          </Text>
          <Kbd size="xs">R</Kbd>
          <Text size="xs" c="dimmed">
            {t('operator.withdrawals.reject')}
          </Text>
        </>
      ) : null}
    </Group>
  );
}

function Nothing({ isQueue }: { readonly isQueue: boolean }): ReactNode {
  const { t } = useTranslation();
  return isQueue ? (
    <EmptyState
      icon={<CircleCheckBig />}
      title={t('operator.withdrawals.emptyTitle')}
      hint={t('operator.withdrawals.emptyHint')}
    />
  ) : (
    <EmptyState icon={<Banknote />} title={t('list.nothing')} hint={t('list.nothingHint')} />
  );
}

function useColumns(isQueue: boolean): readonly Column<OwnedWithdrawal>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'seller',
      header: t('operator.seller'),
      phone: true,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" fw={600} lineClamp={2}>
            {row.sellerName}
          </Text>
          <RelativeTime at={row.createdAt} size="xs" c="dimmed" />
        </Stack>
      ),
    },
    {
      key: 'destination',
      header: t('withdrawals.destination'),
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" lineClamp={1}>
            {row.pixKey ?? row.cryptoWalletAddress}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {row.beneficiaryName ?? destinationKind(row)}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'state',
      header: t('common.status'),
      phone: !isQueue,
      cell: (row) =>
        row.status === 'PENDING' ? (
          <Approvals of={row} />
        ) : (
          <Status kind="operator.withdrawal" of={row.status} />
        ),
    },
    {
      key: 'amount',
      header: t('common.amount'),
      right: true,
      phone: true,
      cell: (row) => (
        <Text span size="sm" fw={600} className="figures">
          {formatMoney(row.amount)}
        </Text>
      ),
    },
  ];
}
