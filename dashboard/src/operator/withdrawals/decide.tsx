import { Chip, Group, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Confirm } from '../../components/confirm.tsx';
import { useChecks } from '../../components/field-errors.ts';
import { notify } from '../../components/feedback.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { destinationLabel } from '../../money/destination.ts';
import { refresh } from '../queries.ts';
import { QUEUE_KEY, type OwnedWithdrawal } from './queries.ts';

interface Queue {
  readonly data: readonly OwnedWithdrawal[];
  readonly count: number;
  readonly totalAmount?: number;
}

/** Updates the cache with the response, so that the queue changes before the refetch. */
function updateCache(saved: OwnedWithdrawal): void {
  queryClient.setQueryData(['operator', 'withdrawals', 'one', saved.id], saved);
  queryClient.setQueriesData<Queue>({ queryKey: QUEUE_KEY }, (queue) => {
    if (queue === undefined) return undefined;
    if (saved.status === 'PENDING') {
      return { ...queue, data: queue.data.map((one) => (one.id === saved.id ? saved : one)) };
    }
    const data = queue.data.filter(({ id }) => id !== saved.id);
    if (data.length === queue.data.length) return queue;
    const totalAmount = (queue.totalAmount ?? 0) - saved.amount;
    return { ...queue, data, count: queue.count - 1, totalAmount };
  });
  void refresh('withdrawals', 'audit');
  void queryClient.invalidateQueries({ queryKey: ['operator', 'context', saved.sellerId] });
}

interface Decision {
  readonly about: OwnedWithdrawal | undefined;
  readonly onClose: () => void;
  readonly onDone: (decided: OwnedWithdrawal) => void;
}

/** Keeps the content of the dialog during its closing animation. */
function useLastDefined(about: OwnedWithdrawal | undefined): OwnedWithdrawal | undefined {
  const [last, setLast] = useState(about);
  if (about !== undefined && about !== last) setLast(about);
  return about ?? last;
}

export function Approve({ about, onClose, onDone }: Decision): ReactNode {
  const { t } = useTranslation();
  const shown = useLastDefined(about);
  if (shown === undefined) return null;
  const { amount, netAmount, approvalsNeeded, approvals } = shown;
  const isLast = approvals.length + 1 >= approvalsNeeded;
  const values = {
    amount: formatMoney(amount),
    net: formatMoney(netAmount),
    seller: shown.sellerName,
    destination: destinationLabel(shown),
  };
  return (
    <Confirm
      opened={about !== undefined}
      onClose={onClose}
      ready
      title={t('operator.withdrawals.approveTitle', values)}
      message={t(
        isLast ? 'operator.withdrawals.approveDescription' : 'operator.withdrawals.approveFirstDescription',
        values,
      )}
      action={t('operator.withdrawals.approve')}
      run={async () => {
        const path = { id: shown.id };
        const { data } = await unwrap(api.POST('/v1/admin/withdrawals/{id}/approve', { params: { path } }));
        updateCache(data);
        notify(
          data.status === 'PENDING'
            ? t('operator.withdrawals.firstRecorded', values)
            : t('operator.withdrawals.approved', values),
        );
        onDone(shown);
      }}
    />
  );
}

const REASONS = ['beneficiary', 'fraud', 'data', 'documents'] as const;

export function Reject({ about, onClose, onDone }: Decision): ReactNode {
  const { t } = useTranslation();
  const shown = useLastDefined(about);
  const [reason, setReason] = useState('');
  const [reasonOf, setReasonOf] = useState<string>();
  const { errors, check, clear } = useChecks();
  // A reason belongs to one withdrawal. It is kept if the gateway rejects the request.
  if (about !== undefined && about.id !== reasonOf) {
    setReasonOf(about.id);
    setReason('');
  }
  if (shown === undefined) return null;
  const values = { amount: formatMoney(shown.amount), seller: shown.sellerName };
  const change = (text: string) => {
    setReason(text);
    clear('reason');
  };
  return (
    <Confirm
      opened={about !== undefined}
      onClose={onClose}
      ready
      danger
      title={t('operator.withdrawals.rejectTitle', values)}
      message={t('operator.withdrawals.rejectDescription', values)}
      action={t('operator.withdrawals.reject')}
      check={() => check({ reason: reason.trim() === '' && t('charges.needReason') })}
      onClosed={() => check({})}
      run={async () => {
        const path = { id: shown.id };
        const body = { reason: reason.trim() };
        const { data } = await unwrap(
          api.POST('/v1/admin/withdrawals/{id}/reject', { params: { path }, body }),
        );
        updateCache(data);
        notify(t('operator.withdrawals.rejected', values));
        onDone(shown);
      }}
    >
      <TextInput
        label={t('common.reason')}
        description={t('operator.withdrawals.reasonHint')}
        required
        withAsterisk={false}
        maxLength={255}
        value={reason}
        error={errors['reason']}
        onChange={(event) => change(event.currentTarget.value)}
        data-autofocus
      />
      <CommonReasons reason={reason} onChoose={change} />
    </Confirm>
  );
}

function CommonReasons({
  reason,
  onChoose,
}: {
  readonly reason: string;
  readonly onChoose: (reason: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Group gap="xs" role="radiogroup" aria-label={t('operator.withdrawals.commonReasons')}>
      <Text size="xs" c="dimmed">
        {t('operator.withdrawals.commonReasons')}
      </Text>
      {REASONS.map((name) => {
        const text = t(`operator.withdrawals.reasons.${name}`);
        return (
          <Chip
            type="radio"
            name="reason"
            size="xs"
            key={name}
            checked={reason === text}
            onChange={() => onChoose(text)}
          >
            {text}
          </Chip>
        );
      })}
    </Group>
  );
}
