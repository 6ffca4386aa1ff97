import { Anchor, Button, Drawer, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, ask } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { disputes, queryClient, type Dispute, type DisputeQuery } from '../api/queries.ts';
import { compact, oneOf } from '../app/search.ts';
import { Confirm } from '../pieces/confirm.tsx';
import { CursorTable } from '../pieces/cursor-table.tsx';
import { DateTime, Id, Money, RelativeTime, Status } from '../pieces/figures.tsx';
import { FilterRow, StatusFilter } from '../pieces/filters.tsx';
import { EmptyState, Lines, PageTitle } from '../pieces/notes.tsx';
import { readOn } from '../pieces/paging.ts';
import { PeriodFilter } from '../pieces/period.tsx';
import type { Filters } from '../pieces/views.tsx';
import { sayReason } from '../words/errors.ts';
import { formatMoney, shortId } from '../words/format.ts';
import { DISPUTE_STATUSES } from '../words/statuses.ts';
import { daysLeft, DaysLeft } from './deadline.tsx';

const page = getRouteApi('/disputes');
const TAKE = 20;

export function DisputesPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const { cursor, open, ...filters } = search;
  // This list is paged by how many are passed over: that number is its cursor.
  const skip = Number(cursor ?? 0) || 0;
  const wanted: DisputeQuery = compact({
    ...filters,
    status: oneOf(DISPUTE_STATUSES, filters.status),
    skip,
    take: TAKE,
  });
  const list = useQuery({
    ...disputes(wanted),
    select: ({ data, count }) => ({
      data,
      count,
      nextCursor: skip + data.length < count ? String(skip + TAKE) : null,
    }),
  });
  const filter = (next: Filters) =>
    void navigate({ to: '/disputes', search: compact({ ...filters, ...next }) });
  const filtered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <PageTitle title={t('disputes.title')} />
      <FilterRow filters={search} onClear={() => void navigate({ to: '/disputes', search: {} })}>
        <PeriodFilter from={filters.startDate} to={filters.endDate} onChange={filter} />
        <StatusFilter
          single
          kind="dispute"
          statuses={DISPUTE_STATUSES}
          value={filters.status}
          onChange={(status) => filter({ status })}
        />
      </FilterRow>
      <CursorTable
        label={t('disputes.title')}
        query={list}
        onOpen={(row) => void navigate({ to: '/disputes', search: { ...search, open: row.id } })}
        onPage={(next) =>
          void navigate({
            to: '/disputes',
            search: compact({ ...filters, cursor: next }),
            state: readOn(next),
          })
        }
        columns={[
          {
            key: 'status',
            header: t('common.status'),
            phone: true,
            cell: (row) => <Status kind="dispute" of={row.status} />,
          },
          {
            key: 'deadline',
            header: t('disputes.deadline'),
            phone: true,
            cell: (row) => (row.status === 'OPEN' ? <DaysLeft days={daysLeft(row.appealUntil)} /> : ''),
          },
          {
            key: 'reason',
            header: t('common.reason'),
            cell: (row) => <Text size="sm">{sayReason(row.reason)}</Text>,
          },
          {
            key: 'created',
            header: t('common.created'),
            cell: (row) => <RelativeTime at={row.createdAt} size="sm" />,
          },
          {
            key: 'amount',
            header: t('common.amount'),
            right: true,
            phone: true,
            cell: (row) => <Money cents={row.amount} size="sm" fw={600} />,
          },
        ]}
        empty={
          <EmptyState
            icon={<ShieldAlert />}
            title={filtered ? t('list.nothing') : t('disputes.emptyTitle')}
            hint={filtered ? t('list.nothingHint') : t('disputes.emptyHint')}
          />
        }
      />
      <Drawer
        opened={open !== undefined}
        onClose={() => void navigate({ to: '/disputes', search: compact({ ...search, open: undefined }) })}
        position="right"
        size="md"
        title={t('disputes.title')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {open === undefined ? null : <Opened id={open} />}
      </Drawer>
    </Stack>
  );
}

function Opened({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['disputes', 'one', id],
    queryFn: async ({ signal }) =>
      (await ask(api.GET('/v1/disputes/{id}', { params: { path: { id } }, signal }))).data.data[0],
  });
  if (query.isPending) return <Lines />;
  if (query.data === undefined) return <Text>{t('error.notFound')}</Text>;
  return <DisputeDetail dispute={query.data} />;
}

function DisputeDetail({ dispute }: { readonly dispute: Dispute }) {
  const { t } = useTranslation();
  const may = useMay();
  const [appealing, setAppealing] = useState(false);
  const [reason, setReason] = useState('');
  return (
    <Stack>
      <Group gap="sm">
        <Title order={2} className="figures">
          {formatMoney(dispute.amount)}
        </Title>
        <Status kind="dispute" of={dispute.status} size="lg" />
      </Group>
      <Id id={dispute.id} />
      <Paper withBorder p="md">
        <Stack gap={6}>
          <Text>{sayReason(dispute.reason)}</Text>
          <Text size="sm" c="dimmed">
            {t('disputes.openedBy')}{' '}
            {dispute.createdBy === 'PAYER' ? t('disputes.byPayer') : t('disputes.byOperator')}{' '}
            <DateTime at={dispute.createdAt} />
          </Text>
          <Text size="sm">
            {t('disputes.charge')}:{' '}
            <Anchor component={Link} to={`/charges/${dispute.transactionId}`} underline="always">
              {shortId(dispute.transactionId)}
            </Anchor>
          </Text>
          {dispute.status === 'OPEN' ? (
            <Text size="sm">
              {t('disputes.deadline')} <DateTime at={dispute.appealUntil} />{' '}
              <DaysLeft days={daysLeft(dispute.appealUntil)} />
            </Text>
          ) : null}
          {dispute.resolvedAt === null ? null : (
            <Text size="sm">
              {t('disputes.ended')} <DateTime at={dispute.resolvedAt} />
            </Text>
          )}
        </Stack>
      </Paper>
      {dispute.appealReason === null ? null : (
        <Paper withBorder p="md">
          <Title order={3} size="h5">
            {t('disputes.yourAppeal')}
          </Title>
          <Text className="wrapped">{dispute.appealReason}</Text>
        </Paper>
      )}
      {dispute.status === 'OPEN' && may('disputes:appeal') ? (
        <Group>
          <Button onClick={() => setAppealing(true)}>{t('disputes.appeal')}</Button>
        </Group>
      ) : null}
      <Confirm
        opened={appealing}
        onClose={() => setAppealing(false)}
        title={t('disputes.appealTitle')}
        means={t('disputes.appealHint')}
        action={t('disputes.appealSend')}
        done={t('disputes.appealDone')}
        run={async () => {
          await ask(
            api.POST('/v1/disputes/appeal', { body: { disputeId: dispute.id, appealReason: reason.trim() } }),
          );
          await queryClient.invalidateQueries({ queryKey: ['disputes'] });
        }}
      >
        <Textarea
          label={t('disputes.appealReason')}
          required
          withAsterisk={false}
          autosize
          minRows={5}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
      </Confirm>
    </Stack>
  );
}
