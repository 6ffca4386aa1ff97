import { Alert, Button, Group, Kbd, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { destinationKind } from '../components/labels.ts';

import { useMay, useUser } from '../../api/permissions.ts';
import { Author } from '../../components/author.tsx';
import { DateTime, Id, Money, RelativeTime, Status, StatusDescription } from '../../components/values.tsx';
import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { translateReason } from '../../i18n/reasons.ts';
import { destinationLabel } from '../../money/destination.ts';
import { usePeople } from '../components/people.ts';
import { RecordLinks } from '../components/record-links.tsx';
import { SellerLink } from '../components/seller-link.tsx';
import { seller } from '../sellers/queries.ts';
import { operatorWithdrawal, type OwnedWithdrawal } from './queries.ts';
import { Approvals } from './approvals.tsx';
import { canApprove, canReject } from './can-approve.ts';
import { SellerContext, useWarnings } from './context.tsx';

/** Everything needed for a decision: the withdrawal, then its seller. */
export function WithdrawalPanel({
  id,
  known,
  onDecide,
}: {
  readonly id: string;
  /** The row of the list, shown while the details load. */
  readonly known: OwnedWithdrawal | undefined;
  readonly onDecide: (what: 'approve' | 'reject', about: OwnedWithdrawal) => void;
}): ReactNode {
  const query = useQuery({
    ...operatorWithdrawal(id),
    ...(known === undefined ? {} : { placeholderData: known }),
  });
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} retry={query.refetch} />
    ) : (
      <LoadingSkeleton count={8} />
    );
  }
  return <Known withdrawal={query.data} onDecide={onDecide} />;
}

interface DecisionProps {
  readonly withdrawal: OwnedWithdrawal;
  readonly onDecide: (what: 'approve' | 'reject', about: OwnedWithdrawal) => void;
}

function Known({ withdrawal, onDecide }: DecisionProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { id: me } = useUser();
  const { status } = withdrawal;
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="xs">
        <div>
          <Title order={2} size="h3" className="figures">
            {formatMoney(withdrawal.amount)}
          </Title>
          <Text size="sm">
            <SellerLink id={withdrawal.sellerId} name={withdrawal.sellerName} />
          </Text>
        </div>
        {status === 'PENDING' ? (
          <Approvals of={withdrawal} />
        ) : (
          <Status kind="operator.withdrawal" of={status} size="lg" />
        )}
      </Group>
      <StatusDescription kind="operator.withdrawal" of={status} />
      {canReject(withdrawal) && may('operator:write') ? (
        <DecisionButtons withdrawal={withdrawal} onDecide={onDecide} />
      ) : null}
      {status === 'PENDING' && !canApprove(withdrawal, me) ? (
        <Text size="sm">{t('operator.withdrawals.youApproved')}</Text>
      ) : null}
      <WaitsForSeller withdrawal={withdrawal} />
      {withdrawal.rejectionReason === null ? null : (
        <Alert color="red" title={t('common.reason')}>
          {translateReason(withdrawal.rejectionReason)}
        </Alert>
      )}
      <Warnings withdrawal={withdrawal} />
      <Transfer withdrawal={withdrawal} />
      <ApprovalList withdrawal={withdrawal} />
      <SellerContext withdrawal={withdrawal} />
      <RecordLinks id={withdrawal.id} />
    </Stack>
  );
}

function DecisionButtons({ withdrawal, onDecide }: DecisionProps): ReactNode {
  const { t } = useTranslation();
  const { id: me } = useUser();
  return (
    <Group gap="xs" grow>
      {withdrawal.status === 'PENDING' ? (
        <Button
          disabled={!canApprove(withdrawal, me)}
          rightSection={<Kbd size="xs">A</Kbd>}
          aria-keyshortcuts="a"
          onClick={() => onDecide('approve', withdrawal)}
        >
          {t('operator.withdrawals.approve')}
        </Button>
      ) : null}
      <Button
        variant="default"
        rightSection={<Kbd size="xs">R</Kbd>}
        aria-keyshortcuts="r"
        onClick={() => onDecide('reject', withdrawal)}
      >
        {t('operator.withdrawals.reject')}
      </Button>
    </Group>
  );
}

/** Why an approved withdrawal is not paid. */
function WaitsForSeller({ withdrawal }: { readonly withdrawal: OwnedWithdrawal }): ReactNode {
  const { t } = useTranslation();
  const owner = useQuery(seller(withdrawal.sellerId)).data;
  if (withdrawal.status !== 'APPROVED' || owner === undefined || owner.status === 'ACTIVE') return null;
  return <Text size="sm">{t('operator.withdrawals.waitsForSeller')}</Text>;
}

function Warnings({ withdrawal }: { readonly withdrawal: OwnedWithdrawal }): ReactNode {
  const { t } = useTranslation();
  const warnings = useWarnings(withdrawal);
  if (warnings.length === 0 || withdrawal.status !== 'PENDING') return null;
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<TriangleAlert aria-hidden />}
      title={t('operator.withdrawals.warnings')}
    >
      <List size="sm" spacing={2}>
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

const ownerOf = ({ otherHolder }: OwnedWithdrawal) =>
  otherHolder === null ? 'unknown' : otherHolder ? 'other' : 'seller';

function Transfer({ withdrawal }: { readonly withdrawal: OwnedWithdrawal }): ReactNode {
  const { t } = useTranslation();
  return (
    <DescriptionList title={t('operator.withdrawals.transfer')}>
      <DescriptionItem name={t('withdrawals.destination')}>
        {destinationLabel(withdrawal)}{' '}
        <Text span c="dimmed" size="sm">
          {destinationKind(withdrawal)}
        </Text>
      </DescriptionItem>
      {withdrawal.beneficiaryName === null ? null : (
        <DescriptionItem name={t('operator.withdrawals.beneficiary')}>
          {withdrawal.beneficiaryName}
        </DescriptionItem>
      )}
      {withdrawal.beneficiaryDocumentNumber === null ? null : (
        <DescriptionItem name={t('charges.document')}>{withdrawal.beneficiaryDocumentNumber}</DescriptionItem>
      )}
      {withdrawal.holderName === null ? null : (
        <DescriptionItem name={t('operator.withdrawals.holder')}>
          {withdrawal.holderName}{' '}
          <Text span c="dimmed" size="sm">
            {withdrawal.holderDocument}
          </Text>
        </DescriptionItem>
      )}
      <DescriptionItem name={t('operator.withdrawals.owner')}>
        {t(`operator.withdrawals.owners.${ownerOf(withdrawal)}`)}
      </DescriptionItem>
      <DescriptionItem name={t('common.fee')}>
        <Money cents={withdrawal.feeAmount} size="sm" />
      </DescriptionItem>
      <DescriptionItem name={t('operator.withdrawals.netAmount')}>
        <Money cents={withdrawal.netAmount} size="sm" fw={600} />
      </DescriptionItem>
      <DescriptionItem name={t('operator.withdrawals.rollingAmount')}>
        <Money cents={withdrawal.rollingAmount} size="sm" />
      </DescriptionItem>
      {withdrawal.description === null ? null : (
        <DescriptionItem name={t('common.description')}>{withdrawal.description}</DescriptionItem>
      )}
      <DescriptionItem name={t('withdrawals.requested')}>
        <RelativeTime at={withdrawal.createdAt} size="sm" /> <Author by={withdrawal.createdBy} />
      </DescriptionItem>
      {withdrawal.paidAt === null ? null : (
        <DescriptionItem name={t('withdrawals.paidAt')}>
          <DateTime at={withdrawal.paidAt} size="sm" />
        </DescriptionItem>
      )}
      <DescriptionItem name={t('common.id')}>
        <Id id={withdrawal.id} />
      </DescriptionItem>
    </DescriptionList>
  );
}

/** Approvals given, with their times. */
function ApprovalList({ withdrawal }: { readonly withdrawal: OwnedWithdrawal }): ReactNode {
  const { t } = useTranslation();
  const nameOf = usePeople();
  const { approvals } = withdrawal;
  if (approvals.length === 0) return null;
  return (
    <DescriptionList title={t('operator.withdrawals.approvalsGiven')}>
      {approvals.map(({ userId, at }) => (
        <DescriptionItem key={userId} name={nameOf(userId) ?? t('operator.deletedUser')}>
          <RelativeTime at={at} size="sm" />
        </DescriptionItem>
      ))}
    </DescriptionList>
  );
}
