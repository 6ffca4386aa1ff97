import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { DateTime, Money, Status } from '../../components/values.tsx';
import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { methodLabel } from '../../i18n/find-text.ts';
import { chargeOutcome } from '../../i18n/statuses.ts';
import { operatorTransaction } from '../queries.ts';

/** Summary of a charge. */
export function ChargeSummaryCard({ id }: { readonly id: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(operatorTransaction(id));
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} retry={query.refetch} />
    ) : (
      <LoadingSkeleton count={3} height={20} />
    );
  }
  const { data } = query;
  return (
    <DescriptionList title={t('operator.transactions.one')}>
      <DescriptionItem name={t('common.status')}>
        <Status kind="charge" of={chargeOutcome(data.method, data.status, data.statusReason)} size="sm" />
      </DescriptionItem>
      <DescriptionItem name={t('common.amount')}>
        <Money cents={data.amount} size="sm" /> · {methodLabel(data.method)}
      </DescriptionItem>
      {data.paidAt === null ? null : (
        <DescriptionItem name={t('charges.paidAt')}>
          <DateTime at={data.paidAt} size="sm" />
        </DescriptionItem>
      )}
      <DescriptionItem name={t('charges.payer')}>
        {data.customer.name}
        <Text size="xs" c="dimmed">
          {data.customer.email}
        </Text>
      </DescriptionItem>
      <DescriptionItem name={t('charges.items')}>
        {data.items.map(({ title }) => title).join(', ')}
      </DescriptionItem>
      <Anchor component={Link} to={`/operator/transactions?open=${id}`} size="sm" underline="always">
        {t('common.details')}
      </Anchor>
    </DescriptionList>
  );
}
