import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { UUID } from '../../app/uuid.ts';
import { daysLeft, DaysLeft } from '../../disputes/deadline.tsx';
import { EvidenceList } from '../../disputes/evidence.tsx';
import { MedRecovery } from '../../disputes/med-recovery.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { Author } from '../../components/author.tsx';
import { DateTime, Id, Status, StatusDescription } from '../../components/values.tsx';
import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { translateReason } from '../../i18n/reasons.ts';
import { HistoryList } from '../components/history-list.tsx';
import { usePeople } from '../components/people.ts';
import { RecordLinks } from '../components/record-links.tsx';
import { SellerFacts } from '../components/seller-facts.tsx';
import { disputeEvidence, operatorDispute, recentDisputes, refresh, type OwnedDispute } from '../queries.ts';
import { ChargeSummaryCard } from '../transactions/brief.tsx';

export function DisputePanel({ id }: { readonly id: string }): ReactNode {
  const query = useQuery(operatorDispute(id));
  if (query.data === undefined) {
    return query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : <LoadingSkeleton />;
  }
  return <Known dispute={query.data} />;
}

type Outcome = 'RESOLVED' | 'REJECTED';

function Known({ dispute }: { readonly dispute: OwnedDispute }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [outcome, setOutcome] = useState<Outcome>();
  const [confirming, setConfirming] = useState<Outcome>('RESOLVED');
  const isOpen = dispute.status === 'OPEN' || dispute.status === 'UNDER_REVIEW';
  const start = (next: Outcome) => {
    setConfirming(next);
    setOutcome(next);
  };
  return (
    <Stack>
      <Group gap="sm">
        <Title order={2} className="figures">
          {formatMoney(dispute.amount)}
        </Title>
        <Status kind="operator.dispute" of={dispute.status} size="lg" />
      </Group>
      <StatusDescription kind="operator.dispute" of={dispute.status} />
      {isOpen && may('operator:write') ? (
        <Stack gap="xs">
          <Group gap="xs">
            <Button onClick={() => start('RESOLVED')}>{t('operator.disputes.forSeller')}</Button>
            <Button variant="default" onClick={() => start('REJECTED')}>
              {t('operator.disputes.forPayer')}
            </Button>
          </Group>
          {dispute.status === 'OPEN' ? (
            <Text size="sm" c="dimmed">
              {t('operator.disputes.notAppealed')}
            </Text>
          ) : null}
        </Stack>
      ) : null}
      <Complaint dispute={dispute} />
      <DescriptionList title={t('operator.disputes.appeal')}>
        <Text
          className="wrapped"
          c={dispute.appealReason === null ? 'dimmed' : 'var(--mantine-color-text)'}
          size="sm"
        >
          {dispute.appealReason ?? t('operator.disputes.noAppeal')}
        </Text>
        {dispute.appealedBy === null ? null : (
          <Text size="sm" c="dimmed">
            <Author by={dispute.appealedBy} />
          </Text>
        )}
        <PresentedEvidence id={dispute.id} />
      </DescriptionList>
      <MedRecovery med={dispute.med} />
      <ChargeSummaryCard id={dispute.transactionId} />
      <SellerFacts sellerId={dispute.sellerId} />
      <OtherDisputes dispute={dispute} />
      <RecordLinks id={dispute.id} />
      <ResolveDialog
        dispute={dispute}
        outcome={confirming}
        opened={outcome !== undefined}
        onClose={() => setOutcome(undefined)}
      />
    </Stack>
  );
}

function Complaint({ dispute }: { readonly dispute: OwnedDispute }): ReactNode {
  const { t } = useTranslation();
  const nameOf = usePeople();
  const who = (by: string) =>
    by === 'PAYER'
      ? t('disputes.byPayer')
      : by === 'deadline'
        ? t('operator.disputes.byDeadline')
        : // The id of a user, or the name of a provider.
          UUID.test(by)
          ? (nameOf(by) ?? t('operator.deletedUser'))
          : t('operator.disputes.byProvider');
  return (
    <DescriptionList title={t('operator.disputes.complaint')}>
      <Text className="wrapped">{translateReason(dispute.reason)}</Text>
      <DescriptionItem name={t('disputes.openedBy')}>
        {who(dispute.createdBy)}, <DateTime at={dispute.createdAt} size="sm" />
      </DescriptionItem>
      {dispute.status === 'OPEN' ? (
        <DescriptionItem name={t('disputes.deadline')}>
          <DateTime at={dispute.appealUntil} size="sm" />
          {' · '}
          <DaysLeft days={daysLeft(dispute.appealUntil)} />
        </DescriptionItem>
      ) : null}
      {dispute.resolvedAt === null ? null : (
        <DescriptionItem name={t('operator.disputes.closed')}>
          {who(dispute.resolvedBy ?? '')}, <DateTime at={dispute.resolvedAt} size="sm" />
        </DescriptionItem>
      )}
      <DescriptionItem name={t('common.id')}>
        <Id id={dispute.id} />
      </DescriptionItem>
    </DescriptionList>
  );
}

/** How the seller's other disputes ended. */
function OtherDisputes({ dispute: { id, sellerId } }: { readonly dispute: OwnedDispute }): ReactNode {
  const { t } = useTranslation();
  const recent = useQuery(recentDisputes(sellerId));
  if (recent.isError && recent.data === undefined)
    return <ErrorAlert error={recent.error} retry={recent.refetch} />;
  return (
    <HistoryList
      title={t('operator.disputes.others')}
      none={t('operator.disputes.noOthers')}
      kind="operator.dispute"
      records={recent.data?.data}
      except={id}
      pathOf={(other) => `/operator/disputes?sellerId=${sellerId}&open=${other}`}
    >
      <Anchor component={Link} to={`/operator/disputes?sellerId=${sellerId}`} size="sm" underline="always">
        {t('operator.disputes.allOfSeller', { count: recent.data?.count ?? 0 })}
      </Anchor>
    </HistoryList>
  );
}

function ResolveDialog({
  dispute,
  outcome,
  opened,
  onClose,
}: {
  readonly dispute: OwnedDispute;
  readonly outcome: Outcome;
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const values = { amount: formatMoney(dispute.amount), seller: dispute.sellerName };
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      danger={outcome === 'REJECTED'}
      title={t(`operator.disputes.${outcome === 'RESOLVED' ? 'forSellerTitle' : 'forPayerTitle'}`, values)}
      message={t(
        `operator.disputes.${outcome === 'RESOLVED' ? 'forSellerDescription' : 'forPayerDescription'}`,
        values,
      )}
      action={t(`operator.disputes.${outcome === 'RESOLVED' ? 'forSeller' : 'forPayer'}`)}
      done={t('operator.disputes.resolved')}
      run={async () => {
        await unwrap(
          api.POST('/v1/admin/disputes/{id}/resolve', {
            params: { path: { id: dispute.id } },
            body: { outcome },
          }),
        );
        await refresh('disputes', 'transactions', 'context', 'audit');
      }}
    />
  );
}

/** What the seller has attached and added to its appeal. */
function PresentedEvidence({ id }: { readonly id: string }): ReactNode {
  const query = useQuery(disputeEvidence(id));
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} retry={query.refetch} />
    ) : (
      <LoadingSkeleton count={1} />
    );
  }
  return (
    <EvidenceList
      {...query.data}
      pathOf={(attachment) => `/v1/admin/disputes/${id}/attachments/${attachment.id}`}
    />
  );
}
