import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Fact, Facts } from '../../components/description-list.tsx';
import { DateTime, Money, Status } from '../../components/values.tsx';
import { ErrorNote, Lines } from '../../components/feedback.tsx';
import { sayMethod } from '../../i18n/i18n.ts';
import { transactionOfAny } from '../queries.ts';

/** Summary of a charge. */
export function ChargeInBrief({ id }: { readonly id: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(transactionOfAny(id));
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorNote error={query.error} retry={query.refetch} />
    ) : (
      <Lines count={3} height={20} />
    );
  }
  const { data } = query;
  return (
    <Facts title={t('operator.transactions.one')}>
      <Fact name={t('common.status')}>
        <Status kind="charge" of={data.status} size="sm" />
      </Fact>
      <Fact name={t('common.amount')}>
        <Money cents={data.amount} size="sm" /> · {sayMethod(data.method)}
      </Fact>
      {data.paidAt === null ? null : (
        <Fact name={t('charges.paidAt')}>
          <DateTime at={data.paidAt} size="sm" />
        </Fact>
      )}
      <Fact name={t('charges.payer')}>
        {data.customer.name}
        <Text size="xs" c="dimmed">
          {data.customer.email}
        </Text>
      </Fact>
      <Fact name={t('charges.items')}>{data.items.map(({ title }) => title).join(', ')}</Fact>
      <Anchor component={Link} to={`/operator/transactions?open=${id}`} size="sm" underline="always">
        {t('common.details')}
      </Anchor>
    </Facts>
  );
}
