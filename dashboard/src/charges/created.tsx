import { Alert, Button, Group, Loader, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ErrorAlert, LoadingSkeleton, PageHeading } from '../components/feedback.tsx';
import { translateReason } from '../i18n/reasons.ts';

import { charge as one, isInReview, isOpen, type Charge } from '../api/queries.ts';
import { formatMoney } from '../i18n/format.ts';
import { SandboxActions } from './actions.tsx';
import { BoletoCode } from './boleto.tsx';
import { isCardApproved } from './new-charge.ts';
import { PixCode } from './pix-code.tsx';

const POLL_MS = 3_000;

/** Payment instructions after a charge is created. Updates when it is paid. */
export function ChargeCreated({
  id,
  onAnother,
  onRetry,
}: {
  readonly id: string;
  readonly onAnother: () => void;
  /** Returns to the form with its values. */
  readonly onRetry: () => void;
}) {
  const { t } = useTranslation();
  const { data: charge, error, refetch } = useQuery({ ...one(id), refetchInterval: POLL_MS });
  if (charge === undefined) {
    return error === null ? <LoadingSkeleton count={8} /> : <ErrorAlert error={error} retry={refetch} />;
  }
  const isPayable = isOpen(charge.status);
  const isCard = charge.method === 'CREDIT_CARD';
  const declined = charge.status === 'REFUSED' || (isCard && charge.status === 'FAILED');
  return (
    <Stack maw={480} mx="auto">
      {charge.status === 'PAID' ? (
        <Paid charge={charge} />
      ) : (
        <Paper withBorder p="md">
          <Stack>
            <PageHeading size="h3" ta="center">
              {titleOf(charge, t)}
            </PageHeading>
            <Text ta="center" size="xl" fw={700} className="figures">
              {formatMoney(charge.amount)}
            </Text>
            {declined ? (
              <Alert color="red" role="alert">
                {t('create.failed', { reason: translateReason(charge.statusReason ?? '') })}
              </Alert>
            ) : null}
            {isPayable ? <PixCode charge={charge} /> : null}
            {isPayable ? <BoletoCode charge={charge} /> : null}
            {isInReview(charge) ? (
              <Text role="status">{t('chargeStatus.IN_REVIEW.description')}</Text>
            ) : isPayable ? (
              <Group justify="center" gap="xs" role="status">
                <Loader size="xs" aria-hidden />
                <Text size="sm" c="dimmed">
                  {t('charges.waitingPayment')}
                </Text>
              </Group>
            ) : null}
          </Stack>
        </Paper>
      )}
      <SandboxActions charge={charge} />
      <Group justify="center">
        {declined && isCard ? <Button onClick={onRetry}>{t('common.retry')}</Button> : null}
        <Button variant="default" component={Link} to={`/charges/${charge.id}`}>
          {t('charges.open')}
        </Button>
        <Button variant="default" onClick={onAnother}>
          {t('charges.another')}
        </Button>
      </Group>
    </Stack>
  );
}

function titleOf(made: Charge, t: TFunction): string {
  if (isInReview(made)) return t('chargeStatus.IN_REVIEW.label');
  if (made.method === 'CREDIT_CARD') return t(isCardApproved(made) ? 'create.doneCard' : 'create.card');
  if (!isOpen(made.status)) return t('pointOfSale.ended');
  return t(made.method === 'PIX' ? 'create.donePix' : 'create.doneBoleto');
}

function Paid({ charge }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="xl" role="status">
      <Stack align="center">
        <ThemeIcon size={64} radius="xl" aria-hidden>
          <Check size={36} />
        </ThemeIcon>
        <PageHeading className="figures">
          {t('charges.paidNow', { amount: formatMoney(charge.amount) })}
        </PageHeading>
        <Text c="dimmed">
          {t('common.net')}: {formatMoney(charge.netAmount)}
        </Text>
      </Stack>
    </Paper>
  );
}
