import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay, useUser } from '../../api/permissions.ts';
import { Confirm } from '../../components/confirm.tsx';
import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { useChecks } from '../../components/field-errors.ts';
import { CopyBlock, RelativeTime } from '../../components/values.tsx';
import { formatValue } from '../audit/changes.ts';
import { fieldLabel } from '../components/labels.ts';
import { usePeople } from '../components/people.ts';
import { SellerLink } from '../components/seller-link.tsx';
import { pendingApprovals, refresh, type PendingApproval } from '../queries.ts';
import { seller } from '../sellers/queries.ts';

/** Changes of one administrator that wait for another one. */
export function PendingApprovals(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(pendingApprovals());
  const [rejecting, setRejecting] = useState<PendingApproval>();
  const [approving, setApproving] = useState<PendingApproval>();
  const [key, setKey] = useState<string>();
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {t('operator.approvals.title')}
        </Title>
        <Text>{t('operator.approvals.intro')}</Text>
        {key === undefined ? null : (
          <Alert role="alert" title={t('operator.approvals.key')}>
            <CopyBlock value={key} label={t('keys.secretLabel')} />
          </Alert>
        )}
        {query.data === undefined ? (
          query.isError ? (
            <ErrorAlert error={query.error} retry={query.refetch} />
          ) : (
            <LoadingSkeleton count={2} />
          )
        ) : query.data.length === 0 ? (
          <Text c="dimmed">{t('operator.approvals.none')}</Text>
        ) : (
          query.data.map((one) => (
            <Row
              key={one.id}
              approval={one}
              onApprove={() => setApproving(one)}
              onReject={() => setRejecting(one)}
            />
          ))
        )}
      </Stack>
      <Confirm
        opened={approving !== undefined}
        onClose={() => setApproving(undefined)}
        title={t('operator.approvals.approve')}
        message={t('operator.approvals.approveMeans')}
        action={t('operator.approvals.approve')}
        done={t('operator.approvals.approved')}
        run={async () => {
          const path = { id: approving?.id ?? '' };
          const { data } = await unwrap(api.POST('/v1/admin/approvals/{id}/approve', { params: { path } }));
          const made = data.result?.['key'];
          if (typeof made === 'string') setKey(made);
          await refresh('approvals', 'settings', 'sellers', 'users', 'seller-users', 'seller-keys', 'audit');
        }}
      />
      <Reject about={rejecting} onClose={() => setRejecting(undefined)} />
    </Paper>
  );
}

function Row({
  approval: { action, request, sellerId, requestedBy, requesterName, createdAt },
  onApprove,
  onReject,
}: {
  readonly approval: PendingApproval;
  readonly onApprove: () => void;
  readonly onReject: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { id: me } = useUser();
  const nameOf = usePeople();
  const owner = useQuery({ ...seller(sellerId ?? ''), enabled: sellerId !== null }).data;
  const recordType = action.slice(0, action.indexOf('.'));
  const valueLabel = (name: string, value: unknown) =>
    (name === 'userId' ? nameOf(String(value)) : undefined) ?? formatValue(recordType, name, value);
  return (
    <Group justify="space-between">
      <div>
        <Text fw={600}>{t(`operator.approvals.actions.${action}`)}</Text>
        <Text size="sm">
          {Object.entries(request)
            .map(([name, value]) => `${fieldLabel(name)}: ${valueLabel(name, value)}`)
            .join(', ')}
        </Text>
        {owner === undefined ? null : (
          <Text size="sm">
            {t('operator.seller')}: <SellerLink id={owner.id} name={owner.name} />
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {requesterName}, <RelativeTime at={createdAt} size="xs" />
        </Text>
        {requestedBy === me ? <Text size="xs">{t('operator.approvals.own')}</Text> : null}
      </div>
      {may('operator:write') ? (
        <Group gap="xs">
          <Button size="xs" disabled={requestedBy === me} onClick={onApprove}>
            {t('operator.approvals.approve')}
          </Button>
          <Button size="xs" variant="default" onClick={onReject}>
            {t('operator.approvals.reject')}
          </Button>
        </Group>
      ) : null}
    </Group>
  );
}

function Reject({
  about,
  onClose,
}: {
  readonly about: PendingApproval | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const { errors, check, clear } = useChecks();
  return (
    <Confirm
      opened={about !== undefined}
      onClose={onClose}
      danger
      title={t('operator.approvals.reject')}
      message={t('operator.approvals.rejectMeans')}
      action={t('operator.approvals.reject')}
      done={t('operator.approvals.rejected')}
      check={() => check({ reason: reason.trim() === '' && t('charges.needReason') })}
      // A reason belongs to one request.
      onClosed={() => {
        check({});
        setReason('');
      }}
      run={async () => {
        const path = { id: about?.id ?? '' };
        const body = { reason: reason.trim() };
        await unwrap(api.POST('/v1/admin/approvals/{id}/reject', { params: { path }, body }));
        await refresh('approvals', 'audit');
      }}
    >
      <TextInput
        label={t('common.reason')}
        required
        withAsterisk={false}
        maxLength={255}
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
