import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { Money, RelativeTime, Status } from '../../components/values.tsx';
import { destinationKind } from '../components/labels.ts';
import { operatorWithdrawal } from './queries.ts';

/** Summary of a withdrawal. */
export function WithdrawalSummaryCard({ id }: { readonly id: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(operatorWithdrawal(id));
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} retry={query.refetch} />
    ) : (
      <LoadingSkeleton count={3} height={20} />
    );
  }
  const { data } = query;
  return (
    <DescriptionList title={t('operator.withdrawals.one')}>
      <DescriptionItem name={t('common.status')}>
        <Status kind="operator.withdrawal" of={data.status} size="sm" />
      </DescriptionItem>
      <DescriptionItem name={t('common.amount')}>
        <Money cents={data.amount} size="sm" />
      </DescriptionItem>
      <DescriptionItem name={t('operator.withdrawals.netAmount')}>
        <Money cents={data.netAmount} size="sm" />
      </DescriptionItem>
      <DescriptionItem name={t('withdrawals.destination')}>
        {data.pixKey ?? data.cryptoWalletAddress}
        <Text size="xs" c="dimmed">
          {data.beneficiaryName ?? destinationKind(data)}
        </Text>
      </DescriptionItem>
      <DescriptionItem name={t('withdrawals.requested')}>
        <RelativeTime at={data.createdAt} size="sm" />
      </DescriptionItem>
      <Anchor
        component={Link}
        to={`/operator/withdrawals?status=ALL&open=${id}`}
        size="sm"
        underline="always"
      >
        {t('common.details')}
      </Anchor>
    </DescriptionList>
  );
}
