import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../../api/permissions.ts';
import { amountColumn } from '../../components/columns.tsx';
import { CursorTable, type Column } from '../../components/cursor-table.tsx';
import { EmptyState, PageTitle } from '../../components/feedback.tsx';
import { useUpdateSearch } from '../../components/listing.tsx';
import { Status } from '../../components/values.tsx';
import { KeyHint, QueueLayout, useDecisionQueue, useSelection } from '../components/decision-queue.tsx';
import { lineKindLabel } from '../components/labels.ts';
import { formatFullDay } from '../reconciliation/format-day.ts';
import { linesToReview, type QueuedLine } from './queries.ts';
import { canAccept, DecideLine, type LineDecision } from './decide-line.tsx';
import { LinePanel } from './line-panel.tsx';

const page = getRouteApi('/operator/return-lines');

/** Lines of return files that wait for a decision: `a` accepts, `r` dismisses. */
export function ReturnLinesPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { open } = page.useSearch();
  const go = useUpdateSearch();
  const list = useQuery(linesToReview());
  const rows = list.data?.data ?? [];
  const mayWrite = may('operator:write');
  const selection = useSelection(rows, open);
  const current = rows.find(({ id }) => id === selection.selected);
  const queue = useDecisionQueue<QueuedLine, LineDecision>({
    selection,
    rows,
    open,
    select: (id) => go({ open: id }),
    keys: { a: 'ACCEPTED', r: 'DISMISSED' },
    current,
    mayDecide: (what, about) => mayWrite && (what === 'DISMISSED' || canAccept(about)),
  });
  const decisions = [
    { key: 'A', label: t('operator.cnab.accept') },
    { key: 'R', label: t('operator.cnab.dismiss') },
  ];
  return (
    <Stack>
      <PageTitle title={t('operator.returnLines.title')} intro={t('operator.returnLines.intro')} />
      <QueueLayout
        queue={queue}
        title={t('operator.returnLines.one')}
        isEmpty={rows.length === 0}
        isOpen={open !== undefined}
        table={
          <CursorTable
            label={t('operator.returnLines.title')}
            query={list}
            columns={useColumns()}
            {...queue.table}
            onPage={() => undefined}
            empty={
              <EmptyState
                icon={<CircleCheckBig />}
                title={t('operator.returnLines.emptyTitle')}
                hint={t('operator.returnLines.emptyHint')}
              />
            }
          />
        }
        hint={rows.length > 0 ? <KeyHint decisions={mayWrite ? decisions : []} /> : null}
        detail={
          current === undefined ? (
            <Text>{list.isPending ? '…' : t('operator.returnLines.notWaiting')}</Text>
          ) : (
            <LinePanel key={current.id} line={current} onDecide={queue.decide} />
          )
        }
      />
      <DecideLine deciding={queue.deciding} onClose={queue.closeDecision} onDone={queue.selectNext} />
    </Stack>
  );
}

function useColumns(): readonly Column<QueuedLine>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'kind',
      header: t('operator.providerEvents.kind'),
      phone: true,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {lineKindLabel(row.kind)}
          </Text>
          <Text size="xs" c="dimmed">
            {row.occurredOn === null ? row.record : formatFullDay(row.occurredOn)}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'outcome',
      header: t('operator.providerEvents.outcome'),
      cell: (row) => <Status kind="operator.providerEvent" of={row.outcome ?? 'WAITING'} />,
    },
    amountColumn(t),
  ];
}
