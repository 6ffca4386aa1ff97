import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Banknote, CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { destinationKind } from '../components/labels.ts';

import { useMay, useUser } from '../../api/permissions.ts';
import { compact } from '../../app/search.ts';
import { CursorTable, type Column } from '../../components/cursor-table.tsx';
import { ExportButton } from '../../components/export-button.tsx';
import { Money, RelativeTime, Status } from '../../components/values.tsx';
import { FilterRow, StatusFilter } from '../../components/filters.tsx';
import { useUpdateSearch } from '../../components/listing.tsx';
import { EmptyState, PageTitle } from '../../components/feedback.tsx';
import { Views } from '../../components/views.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { WITHDRAWAL_STATUSES } from '../../i18n/statuses.ts';
import { destinationLabel } from '../../money/destination.ts';
import {
  KeyHint,
  QueueLayout,
  useDecisionQueue,
  useSelection,
  type DecisionQueue,
} from '../components/decision-queue.tsx';
import { SellerFilter } from '../components/seller-filter.tsx';
import { pendingWithdrawals, operatorWithdrawal, allWithdrawals, type OwnedWithdrawal } from './queries.ts';
import { canApprove, canReject } from './can-approve.ts';
import { Approve, Reject } from './decide.tsx';
import { WithdrawalPanel } from './panel.tsx';
import { Approvals } from './approvals.tsx';

const page = getRouteApi('/operator/withdrawals');
const TAKE = 25;

type Search = ReturnType<typeof page.useSearch>;
type Decision = 'approve' | 'reject';

const statusOf = (search: Search): string => search.status ?? 'PENDING';

/** Withdrawals that await approval are a queue, oldest first; the others are a list, newest first. */
const isPending = (search: Search): boolean => statusOf(search) === 'PENDING';

function useWithdrawals(search: Search) {
  const { cursor, sellerId } = search;
  const status = statusOf(search);
  const isQueue = isPending(search);
  const waiting = useQuery({ ...pendingWithdrawals(sellerId, cursor), enabled: isQueue });
  const others = useQuery({
    ...allWithdrawals(
      compact({
        status: status === 'ALL' ? undefined : status,
        sellerId,
        cursor,
        take: TAKE,
      }),
    ),
    enabled: !isQueue,
  });
  return isQueue ? waiting : others;
}

function useApprovalQueue(rows: readonly OwnedWithdrawal[], { cursor, open, ...filters }: Search) {
  const may = useMay();
  const { id: me } = useUser();
  const go = useUpdateSearch();
  const selection = useSelection(rows, open);
  const { selected } = selection;
  const one = useQuery({ ...operatorWithdrawal(selected ?? ''), enabled: selected !== undefined });
  return useDecisionQueue<OwnedWithdrawal, Decision>({
    selection,
    rows,
    open,
    select: (id) => go({ ...filters, open: id }, cursor),
    keys: { a: 'approve', r: 'reject' },
    current: one.data ?? rows.find(({ id }) => id === selected),
    mayDecide: (what, about) =>
      may('operator:write') && canReject(about) && (what === 'reject' || canApprove(about, me)),
  });
}

/** Approval queue, oldest first: `a` approves, `r` rejects. */
export function QueuePage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const search = page.useSearch();
  const go = useUpdateSearch();
  const { cursor, open, ...filters } = search;
  const isQueue = isPending(filters);
  const list = useWithdrawals(search);
  const rows = list.data?.data ?? [];
  const queue = useApprovalQueue(rows, search);
  const { selected } = queue;
  const columns = useColumns(isQueue);
  const detail =
    selected === undefined ? null : (
      <WithdrawalPanel
        key={selected}
        id={selected}
        known={rows.find(({ id }) => id === selected)}
        onDecide={queue.decide}
      />
    );
  const table = (
    <CursorTable
      label={t('operator.withdrawals.title')}
      query={list}
      columns={columns}
      {...queue.table}
      onPage={(next) => go(filters, next)}
      empty={<Nothing isQueue={isQueue && filters.sellerId === undefined && cursor === undefined} />}
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
      <Toolbar filters={filters} total={list.data?.totalAmount} />
      <QueueLayout
        queue={queue}
        title={t('operator.withdrawals.one')}
        isEmpty={rows.length === 0}
        isOpen={open !== undefined}
        table={table}
        hint={isQueue && rows.length > 0 ? <Hint mayDecide={may('operator:write')} /> : null}
        detail={detail}
      />
      <DecisionDialogs queue={queue} />
    </Stack>
  );
}

function Toolbar({
  filters,
  total = 0,
}: {
  readonly filters: Omit<Search, 'cursor' | 'open'>;
  /** Cents of all withdrawals of the queue. */
  readonly total: number | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const go = useUpdateSearch();
  const status = statusOf(filters);
  const isQueue = isPending(filters);
  return (
    <Group justify="space-between" align="flex-end">
      <FilterRow filters={filters} onClear={() => go({})}>
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
        {isQueue && total > 0 ? (
          <Text size="sm">
            {t('operator.withdrawals.total')} <Money fw={700} cents={total} />
          </Text>
        ) : null}
        <ExportButton
          path="/v1/admin/withdrawals"
          filters={{ sellerId: filters.sellerId, status: status === 'ALL' ? undefined : status }}
          name={t('withdrawals.file')}
        />
      </Group>
    </Group>
  );
}

function DecisionDialogs({
  queue: { deciding, closeDecision, selectNext },
}: {
  readonly queue: DecisionQueue<OwnedWithdrawal, Decision>;
}): ReactNode {
  return (
    <>
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
    </>
  );
}

function Hint({ mayDecide }: { readonly mayDecide: boolean }): ReactNode {
  const { t } = useTranslation();
  const decisions = [
    { key: 'A', label: t('operator.withdrawals.approve') },
    { key: 'R', label: t('operator.withdrawals.reject') },
  ];
  return <KeyHint decisions={mayDecide ? decisions : []} />;
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
            {destinationLabel(row)}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {row.beneficiaryName ?? destinationKind(row)}
          </Text>
          {row.otherHolder === true ? (
            <Text size="xs" fw={600} c="var(--mantine-color-error)">
              {t('operator.withdrawals.owners.other')}
            </Text>
          ) : null}
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
