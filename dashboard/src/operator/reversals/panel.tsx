import { Alert, Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { Confirm } from '../../components/confirm.tsx';
import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { DateTime, Id, Status, StatusDescription } from '../../components/values.tsx';
import { useChecks } from '../../components/field-errors.ts';
import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { detailLabel } from '../components/details.ts';
import { HistoryList } from '../components/history-list.tsx';
import { usePeople } from '../components/people.ts';
import { RecordLinks } from '../components/record-links.tsx';
import { SellerFacts } from '../components/seller-facts.tsx';
import { reversalReasonLabel } from '../components/labels.ts';
import { refresh, reversalsOf, type Reversal } from '../queries.ts';
import { ChargeSummaryCard } from '../transactions/brief.tsx';

/** A reversal, taken from the list because the API has no endpoint for a single one. */
export function ReversalPanel({
  id,
  known,
  isPending,
}: {
  readonly id: string;
  readonly known: readonly Reversal[] | undefined;
  readonly isPending: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const found = known?.find((one) => one.id === id);
  if (found !== undefined) return <Known key={id} one={found} />;
  return isPending ? <LoadingSkeleton /> : <Text>{t('operator.notOnPage')}</Text>;
}

function Known({ one }: { readonly one: Reversal }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const nameOf = usePeople();
  const [settling, setSettling] = useState(false);
  return (
    <Stack>
      <Group gap="sm">
        <Title order={2} className="figures">
          {formatMoney(one.amount)}
        </Title>
        <Status kind="operator.reversal" of={one.status} size="lg" />
      </Group>
      <StatusDescription kind="operator.reversal" of={one.status} />
      {one.detail === null || one.status !== 'MANUAL' ? null : (
        <Alert color="orange" title={t('operator.reversals.whyManual')}>
          {detailLabel(one.detail)}
        </Alert>
      )}
      {one.status === 'MANUAL' && may('operator:write') ? (
        <Group>
          <Button onClick={() => setSettling(true)}>{t('operator.reversals.settle')}</Button>
        </Group>
      ) : null}
      <DescriptionList>
        <DescriptionItem name={t('common.reason')}>{reversalReasonLabel(one.reason)}</DescriptionItem>
        <DescriptionItem name={t('operator.provider')}>{one.provider}</DescriptionItem>
        <DescriptionItem name={t('operator.reversals.paymentId')}>{one.reportId}</DescriptionItem>
        <DescriptionItem name={t('operator.reversals.receivedAt')}>
          <DateTime at={one.createdAt} size="sm" />
        </DescriptionItem>
        <DescriptionItem name={t('operator.reversals.attempts')}>{one.attempts}</DescriptionItem>
        {one.providerReference === null ? null : (
          <DescriptionItem name={t('operator.reversals.reference')}>{one.providerReference}</DescriptionItem>
        )}
        {one.sentAt === null ? null : (
          <DescriptionItem name={t('operator.reversals.sentAt')}>
            <DateTime at={one.sentAt} size="sm" />
          </DescriptionItem>
        )}
        {one.settledBy === null ? null : (
          <DescriptionItem name={t('operator.reversals.settledBy')}>
            {nameOf(one.settledBy) ?? t('operator.deletedUser')}
          </DescriptionItem>
        )}
        {one.note === null ? null : (
          <DescriptionItem name={t('operator.reversals.note')}>{one.note}</DescriptionItem>
        )}
        <DescriptionItem name={t('common.id')}>
          <Id id={one.id} />
        </DescriptionItem>
      </DescriptionList>
      <ChargeSummaryCard id={one.transactionId} />
      <OtherReversals one={one} />
      <SellerFacts sellerId={one.sellerId} />
      <RecordLinks id={one.id} />
      <SettleDialog reversal={one} opened={settling} onClose={() => setSettling(false)} />
    </Stack>
  );
}

/** Other payments of the charge that were returned: the same one must not be returned twice. */
function OtherReversals({ one }: { readonly one: Reversal }): ReactNode {
  const { t } = useTranslation();
  const { data, isError, error, refetch } = useQuery(reversalsOf(one.transactionId));
  if (isError && data === undefined) return <ErrorAlert error={error} retry={refetch} />;
  return (
    <HistoryList
      title={t('operator.reversals.others')}
      none={t('operator.reversals.noOthers')}
      kind="operator.reversal"
      records={data}
      except={one.id}
      pathOf={(id) => `/operator/reversals?transactionId=${one.transactionId}&open=${id}`}
    />
  );
}

function SettleDialog({
  reversal,
  opened,
  onClose,
}: {
  readonly reversal: Reversal;
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const [note, setNote] = useState('');
  const { errors, check, clear } = useChecks();
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={t('operator.reversals.settleTitle')}
      message={t('operator.reversals.settleDescription', { amount: formatMoney(reversal.amount) })}
      action={t('operator.reversals.settle')}
      done={t('operator.reversals.marked')}
      check={() => check({ note: note.trim() === '' && t('operator.reversals.needNote') })}
      onClosed={() => check({})}
      run={async () => {
        await unwrap(
          api.POST('/v1/admin/reversals/{id}/settle', {
            params: { path: { id: reversal.id } },
            body: { note: note.trim() },
          }),
        );
        await refresh('returns', 'audit');
      }}
    >
      <Textarea
        label={t('operator.reversals.note')}
        description={t('operator.reversals.noteHint')}
        required
        withAsterisk={false}
        autosize
        minRows={2}
        maxLength={500}
        value={note}
        error={errors['note']}
        onChange={(event) => {
          setNote(event.currentTarget.value);
          clear('note');
        }}
        data-autofocus
      />
    </Confirm>
  );
}
