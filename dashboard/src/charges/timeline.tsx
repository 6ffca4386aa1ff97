import { Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { translateReason } from '../i18n/reasons.ts';

import { useMay } from '../api/permissions.ts';
import type { components } from '../api/schema.gen.ts';
import { chargeTimeline, entries, type Charge } from '../api/queries.ts';
import { chargeOutcome, furtherReason } from '../i18n/statuses.ts';
import { Author } from '../components/author.tsx';
import { DateTime, Money } from '../components/values.tsx';
import { ErrorAlert, LoadingSkeleton } from '../components/feedback.tsx';

/** Upper bound of the movements of a charge. */
const MAX_MOVEMENTS = 100;

const explain = (reason: string | null): string | null => (reason === null ? null : translateReason(reason));

interface Step {
  readonly key: string;
  readonly at: string;
  readonly what: string;
  readonly why?: string | null;
  readonly cents?: number;
  readonly by?: components['schemas']['Author'];
}

/** Timeline of a charge with its refunds and balance movements, oldest first. */
export function ChargeTimeline({ charge }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  const may = useMay();
  const values = useQuery(chargeTimeline(charge.id));
  const moves = useQuery({
    ...entries({ recordId: charge.id, take: MAX_MOVEMENTS }),
    enabled: may('wallet:read'),
  });
  if (values.isError && values.data === undefined)
    return <ErrorAlert error={values.error} retry={values.refetch} />;
  if (values.data === undefined) return <LoadingSkeleton count={3} />;
  const steps: Step[] = [
    ...values.data.history.map(({ from, to, at, reason }) => ({
      key: `${to}-${at}`,
      at,
      what:
        from === null
          ? t('charges.createdEvent')
          : t(`chargeStatus.${chargeOutcome(charge.method, to, reason)}.label`),
      why: explain(furtherReason(reason)),
    })),
    ...values.data.actions.map(({ action, by, at }) => ({
      key: `${action}-${at}`,
      at,
      what: t(`charges.actions.${action}`),
      by,
    })),
    // A completed refund without a reason is listed as a movement, and the request as an action.
    ...values.data.refunds
      .filter(({ status, reason }) => status === 'FAILED' || reason !== null)
      .map(({ id, amount, createdAt, status, reason }) => ({
        key: id,
        at: createdAt,
        what: t(`charges.refundStatus.${status}`),
        why: explain(reason),
        cents: amount,
      })),
    ...(moves.data?.data.toReversed() ?? []).map(({ id, createdAt, cause, amount, moved }) => ({
      key: id,
      at: createdAt,
      what: t(`cause.${cause}`),
      cents: amount === 0 ? moved : amount,
    })),
  ].sort((one, other) => one.at.localeCompare(other.at));
  return (
    <Timeline active={steps.length} bulletSize={14} lineWidth={2}>
      {steps.map(({ key, at, what, why, cents, by }) => (
        <Timeline.Item
          key={key}
          title={
            <Text size="sm" fw={600}>
              {what} {cents === undefined ? null : <Money cents={cents} size="sm" c="dimmed" fw={400} />}
            </Text>
          }
        >
          {why === undefined || why === null ? null : <Text size="sm">{why}</Text>}
          {by === undefined ? null : (
            <Text size="sm">
              <Author by={by} />
            </Text>
          )}
          <DateTime at={at} size="xs" c="dimmed" />
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
