import { Anchor, Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { disputes, queryClient, type Dispute } from '../api/queries.ts';
import { compact } from '../app/search.ts';
import { Confirm } from '../components/confirm.tsx';
import { amountAndStatusColumn, createdColumn, statusColumn } from '../components/columns.tsx';
import { Author } from '../components/author.tsx';
import { DateTime, Id, RelativeTime, Status, StatusDescription } from '../components/values.tsx';
import { useChecks } from '../components/field-errors.ts';
import { StatusFilter } from '../components/filters.tsx';
import { Listing } from '../components/listing.tsx';
import { ErrorAlert, LoadingSkeleton } from '../components/feedback.tsx';
import { bySkip, skipOf } from '../components/paging.ts';
import { PeriodFilter } from '../components/period.tsx';
import { translateReason } from '../i18n/reasons.ts';
import { formatMoney, shortId } from '../i18n/format.ts';
import { DISPUTE_STATUSES } from '../i18n/statuses.ts';
import { daysLeft, DaysLeft } from './deadline.tsx';
import { Evidence } from './evidence.tsx';
import { MedRecovery, SandboxMed } from './med-recovery.tsx';

const page = getRouteApi('/disputes');
const TAKE = 20;

export function DisputesPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, open: _open, ...chosen } = search;
  const skip = skipOf(cursor);
  const list = useQuery({
    ...disputes(compact({ ...chosen, skip, take: TAKE })),
    select: (found) => bySkip(skip, found),
  });
  return (
    <Listing
      title={t('disputes.title')}
      search={search}
      filters={(change) => (
        <>
          <PeriodFilter from={chosen.startDate} to={chosen.endDate} onChange={change} />
          <StatusFilter
            kind="dispute"
            statuses={DISPUTE_STATUSES}
            value={chosen.status}
            onChange={(status) => change({ status })}
          />
        </>
      )}
      query={list}
      sumOf={(row) => row.amount}
      columns={[
        {
          key: 'payer',
          header: t('charges.payer'),
          phone: true,
          cell: (row) => (
            <>
              <Text size="sm" fw={600} lineClamp={2} className="whole">
                {row.customerName}
              </Text>
              <Text size="xs" c="dimmed">
                {translateReason(row.reason)}
              </Text>
              <Stack gap={0} hiddenFrom="sm">
                <RelativeTime at={row.createdAt} size="xs" c="dimmed" />
                <Deadline of={row} />
              </Stack>
            </>
          ),
        },
        statusColumn(t, 'dispute', { phone: false }),
        { key: 'deadline', header: t('disputes.deadline'), cell: (row) => <Deadline of={row} /> },
        createdColumn(t, { header: t('disputes.opened') }),
        amountAndStatusColumn(t, 'dispute'),
      ]}
      empty={{ icon: <ShieldAlert />, title: t('disputes.emptyTitle'), hint: t('disputes.emptyHint') }}
      panel={{ title: t('disputes.one'), of: (id) => <Opened id={id} /> }}
    />
  );
}

const Deadline = ({ of: { status, appealUntil } }: { readonly of: Dispute }): ReactNode =>
  status === 'OPEN' ? <DaysLeft days={daysLeft(appealUntil)} /> : null;

function Opened({ id }: { readonly id: string }) {
  const query = useQuery({
    queryKey: ['disputes', 'one', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/disputes/{id}', { params: { path: { id } }, signal }))).data.data[0],
  });
  if (query.data === undefined) {
    return query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : <LoadingSkeleton />;
  }
  return <DisputeDetail key={id} dispute={query.data} />;
}

/**
 * Disputes are opened by the payer, by a user of the operator, or by a provider, which has a name.
 */
const openedBy = (by: string) =>
  by === 'PAYER' ? 'byPayer' : /^[0-9a-f-]{36}$/.test(by) ? 'byOperator' : 'byProvider';

function DisputeDetail({ dispute }: { readonly dispute: Dispute }) {
  const { t } = useTranslation();
  const may = useMay();
  const [appealing, setAppealing] = useState(false);
  return (
    <Stack>
      <Group gap="sm">
        <Title order={2} className="figures">
          {formatMoney(dispute.amount)}
        </Title>
        <Status kind="dispute" of={dispute.status} size="lg" />
      </Group>
      <StatusDescription kind="dispute" of={dispute.status} />
      <Id id={dispute.id} />
      <DisputeFacts dispute={dispute} />
      {dispute.appealReason === null ? null : (
        <Paper withBorder p="md">
          <Title order={3} size="h5">
            {t('disputes.yourAppeal')}
          </Title>
          <Text className="wrapped">{dispute.appealReason}</Text>
          {dispute.appealedBy === null ? null : (
            <Text size="sm" c="dimmed">
              <Author by={dispute.appealedBy} />
            </Text>
          )}
        </Paper>
      )}
      {dispute.status === 'OPEN' && may('disputes:appeal') ? (
        <Group>
          <Button onClick={() => setAppealing(true)}>{t('disputes.appeal')}</Button>
        </Group>
      ) : null}
      <MedRecovery med={dispute.med} />
      <SandboxMed dispute={dispute} />
      <Evidence dispute={dispute} />
      <AppealDialog dispute={dispute} opened={appealing} onClose={() => setAppealing(false)} />
    </Stack>
  );
}

function DisputeFacts({ dispute }: { readonly dispute: Dispute }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <Stack gap={6}>
        <Text>{translateReason(dispute.reason)}</Text>
        <Text size="sm" c="dimmed">
          {t('disputes.openedBy')}: {t(`disputes.${openedBy(dispute.createdBy)}`)}
          {' · '}
          <DateTime at={dispute.createdAt} />
        </Text>
        <Text size="sm">
          {t('charges.payer')}: <b>{dispute.customerName}</b>
        </Text>
        <Text size="sm">
          {t('disputes.charge')}:{' '}
          <Anchor component={Link} to={`/charges/${dispute.transactionId}`} underline="always">
            {shortId(dispute.transactionId)}
          </Anchor>
        </Text>
        {dispute.resolvedAt === null ? (
          <Text size="sm">
            {t('disputes.deadline')}: <DateTime at={dispute.appealUntil} />
            {' · '}
            <DaysLeft days={daysLeft(dispute.appealUntil)} />
          </Text>
        ) : null}
        {dispute.resolvedAt === null ? null : (
          <Text size="sm">
            {t('disputes.closed')}: <DateTime at={dispute.resolvedAt} />
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function AppealDialog({
  dispute,
  opened,
  onClose,
}: {
  readonly dispute: Dispute;
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const { errors, check, clear } = useChecks();
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={t('disputes.appealTitle')}
      message={t('disputes.appealHint')}
      action={t('disputes.appealSend')}
      done={t('disputes.appealDone')}
      check={() => check({ reason: reason.trim() === '' && t('disputes.needAppeal') })}
      onClosed={() => check({})}
      run={async () => {
        await unwrap(
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
        error={errors['reason']}
        onChange={(event) => {
          setReason(event.currentTarget.value);
          clear('reason');
        }}
        data-autofocus
      />
    </Confirm>
  );
}
