import { Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { entries, type Charge } from '../api/queries.ts';
import { DateTime, Money } from '../pieces/figures.tsx';

/** As many movements as any charge has had. */
const MOST = 100;

interface Step {
  readonly key: string;
  readonly at: string;
  readonly what: string;
  readonly cents?: number;
}

/** What has happened to a charge and to its money, oldest first. */
export function ChargeTimeline({ charge }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  const may = useMay();
  const moves = useQuery({
    ...entries({ recordId: charge.id, take: MOST }),
    enabled: may('wallet:read'),
  });
  const steps: Step[] = [{ key: 'created', at: charge.createdAt, what: t('charges.createdEvent') }];
  for (const { id, createdAt, cause, amount, moved } of moves.data?.data.toReversed() ?? []) {
    steps.push({ key: id, at: createdAt, what: t(`cause.${cause}`), cents: amount === 0 ? moved : amount });
  }
  if (charge.status === 'FAILED' || charge.status === 'REFUSED') {
    steps.push({ key: 'ended', at: charge.updatedAt, what: t('charges.failedEvent') });
  }
  return (
    <Timeline active={steps.length} bulletSize={14} lineWidth={2}>
      {steps.map(({ key, at, what, cents }) => (
        <Timeline.Item
          key={key}
          title={
            <Text size="sm" fw={600}>
              {what} {cents === undefined ? null : <Money cents={cents} size="sm" c="dimmed" fw={400} />}
            </Text>
          }
        >
          <DateTime at={at} size="xs" c="dimmed" />
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
