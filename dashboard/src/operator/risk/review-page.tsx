import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../../api/permissions.ts';
import { CursorTable, type Column } from '../../components/cursor-table.tsx';
import { amountColumn, methodColumn } from '../../components/columns.tsx';
import { EmptyState, PageTitle } from '../../components/feedback.tsx';
import { useUpdateSearch } from '../../components/listing.tsx';
import { RelativeTime } from '../../components/values.tsx';
import { KeyHint, QueueLayout, useDecisionQueue, useSelection } from '../components/decision-queue.tsx';
import { riskReviews, type QueuedReview } from './queries.ts';
import { DecideReview, type ReviewDecision } from './decide-review.tsx';
import { ReviewPanel } from './review-panel.tsx';

const page = getRouteApi('/operator/risk-reviews');

/** Charges that a risk rule holds back, the longest waiting first: `a` approves, `r` refuses. */
export function RiskReviewsPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { open } = page.useSearch();
  const go = useUpdateSearch();
  const list = useQuery(riskReviews());
  const rows = list.data?.data ?? [];
  const mayDecide = may('operator:write');
  const selection = useSelection(rows, open);
  const { selected } = selection;
  const queue = useDecisionQueue<QueuedReview, ReviewDecision>({
    selection,
    rows,
    open,
    select: (id) => go({ open: id }),
    keys: { a: 'APPROVE', r: 'REFUSE' },
    current: rows.find(({ id }) => id === selected),
    mayDecide: () => mayDecide,
  });
  const decisions = [
    { key: 'A', label: t('operator.riskReviews.approve') },
    { key: 'R', label: t('operator.riskReviews.refuse') },
  ];
  return (
    <Stack>
      <PageTitle title={t('operator.riskReviews.title')} intro={t('operator.riskReviews.intro')} />
      <QueueLayout
        queue={queue}
        title={t('operator.riskReviews.one')}
        isEmpty={rows.length === 0}
        isOpen={open !== undefined}
        table={
          <CursorTable
            label={t('operator.riskReviews.title')}
            query={list}
            columns={useColumns()}
            {...queue.table}
            onPage={() => undefined}
            empty={
              <EmptyState
                icon={<CircleCheckBig />}
                title={t('operator.riskReviews.emptyTitle')}
                hint={t('operator.riskReviews.emptyHint')}
              />
            }
          />
        }
        hint={rows.length > 0 ? <KeyHint decisions={mayDecide ? decisions : []} /> : null}
        detail={
          selected === undefined ? null : (
            <ReviewPanel
              key={selected}
              id={selected}
              row={rows.find(({ id }) => id === selected)}
              onDecide={queue.decide}
            />
          )
        }
      />
      <DecideReview deciding={queue.deciding} onClose={queue.closeDecision} onDone={queue.selectNext} />
    </Stack>
  );
}

function useColumns(): readonly Column<QueuedReview>[] {
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
    methodColumn(t),
    amountColumn(t),
  ];
}
