import { Alert, Button, Group, Loader, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PageHeading } from '../components/feedback.tsx';
import { translateReason } from '../i18n/reasons.ts';

import { charge as one, isOpen, type Charge } from '../api/queries.ts';
import { formatMoney } from '../i18n/format.ts';
import { SandboxActions } from './actions.tsx';
import { BoletoCode } from './boleto.tsx';
import { isCardApproved } from './new-charge.ts';
import { PixCode } from './pix-code.tsx';

/** Payment instructions after a charge is created. Updates when it is paid. */
export function ChargeCreated({
  charge: made,
  onAnother,
  onRetry,
}: {
  readonly charge: Charge;
  readonly onAnother: () => void;
  /** Returns to the form with its values. */
  readonly onRetry: () => void;
}) {
  const { t } = useTranslation();
  const { data: charge = made } = useQuery({
    ...one(made.id),
    placeholderData: made,
    refetchInterval: 3_000,
  });
  const declined = charge.method === 'CREDIT_CARD' && charge.status === 'FAILED';
  return (
    <Stack maw={480} mx="auto">
      {charge.status === 'PAID' ? (
        <Paid charge={charge} />
      ) : (
        <Paper withBorder p="md">
          <Stack>
            <PageHeading size="h3" ta="center">
              {titleOf(charge)}
            </PageHeading>
            <Text ta="center" size="xl" fw={700} className="figures">
              {formatMoney(charge.amount)}
            </Text>
            {declined ? (
              <Alert color="red" role="alert">
                {t('create.failed', { reason: translateReason(charge.statusReason ?? '') })}
              </Alert>
            ) : null}
            <PixCode charge={charge} />
            <BoletoCode charge={charge} />
            {isOpen(charge.status) ? (
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
        {declined ? <Button onClick={onRetry}>{t('common.retry')}</Button> : null}
        <Button variant="default" component={Link} to={`/charges/${charge.id}`}>
          {t('charges.open')}
        </Button>
        <Button variant="default" onClick={onAnother}>
          {t('charges.another')}
        </Button>
      </Group>
    </Stack>
  );

  function titleOf({ method }: Charge): string {
    if (method === 'PIX') return t('create.donePix');
    if (method === 'BOLETO') return t('create.doneBoleto');
    return isCardApproved(charge) ? t('create.doneCard') : t('create.card');
  }
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
