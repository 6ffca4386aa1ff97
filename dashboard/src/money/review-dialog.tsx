import { Alert, Button, Divider, Group, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { queryClient, type Wallet } from '../api/queries.ts';
import { ErrorAlert, notify } from '../components/feedback.tsx';
import { Dialog } from '../components/overlay.tsx';
import { Money } from '../components/values.tsx';
import { fieldErrors, formatError } from '../i18n/errors.ts';
import { formatMoney } from '../i18n/format.ts';
import type { Fee } from './fee-amounts.ts';
import {
  amountOf,
  EMPTY_WITHDRAWAL,
  isRejected,
  partsOf,
  request,
  type Part,
  type WithdrawalForm,
} from './new-withdrawal.ts';

/** The withdrawals that a review asks to confirm, and the mutation that requests them. */
export function useReview(form: UseFormReturnType<WithdrawalForm>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const [parts, setParts] = useState<readonly Part[]>([]);
  const [planned, setPlanned] = useState('');
  const mutation = useMutation({
    mutationFn: async () => {
      // One after the other, so that what was requested is known when one fails.
      const done: Part[] = [];
      for (const part of parts) {
        done.push(await request(part));
        setParts([...done, ...parts.slice(done.length)]);
      }
      return done;
    },
    onSuccess: async (done) => {
      for (const name of ['withdrawals', 'wallet', 'entries']) {
        void queryClient.invalidateQueries({ queryKey: [name] });
      }
      const [first] = done;
      const failed = done.find(({ error }) => error !== undefined);
      if (failed !== undefined) {
        const found = fieldErrors(failed.error, Object.keys(EMPTY_WITHDRAWAL));
        if (Object.keys(found).length === 0 || done.some(({ id }) => id !== undefined)) return;
        form.setErrors(found);
        setOpened(false);
        return;
      }
      notify(t('withdrawals.done', { count: done.length }));
      if (done.length === 1 && first?.id !== undefined)
        await navigate({ to: '/withdrawals/$id', params: { id: first.id } });
      else await navigate({ to: '/withdrawals' });
    },
  });
  const open = (checked: WithdrawalForm, balance: Wallet, fee: Fee) => {
    // What may have been executed keeps its idempotency keys.
    const text = JSON.stringify(checked);
    if (text !== planned || parts.every(isRejected)) {
      setParts(partsOf(checked, balance, fee));
      setPlanned(text);
      mutation.reset();
    }
    setOpened(true);
  };
  return { opened, open, close: () => setOpened(false), parts, mutation };
}

/** Asks for a confirmation before money is sent, and shows what was requested. */
export function ReviewDialog({
  review,
  form,
  fee,
  destination,
}: {
  readonly review: ReturnType<typeof useReview>;
  readonly form: WithdrawalForm;
  /** Cents. */
  readonly fee: number;
  readonly destination: string;
}) {
  const { t } = useTranslation();
  const { parts, mutation } = review;
  const isPartial = !mutation.isPending && parts.some(({ id }) => id !== undefined);
  return (
    <Dialog
      opened={review.opened}
      onClose={() => (mutation.isPending ? undefined : review.close())}
      title={t('withdrawals.confirmTitle', { count: parts.length })}
    >
      <Stack>
        <Text className="whole">
          {t(form.method === 'PIX' ? 'withdrawals.confirmPix' : 'withdrawals.confirmCrypto', {
            amount: formatMoney(form.amount),
            net: formatMoney(form.amount - fee),
            destination,
          })}
        </Text>
        <Group justify="space-between">
          <Text>{t('common.amount')}</Text>
          <Money cents={form.amount} />
        </Group>
        <Group justify="space-between">
          <Text>{t('common.fee')}</Text>
          <Money cents={-fee} />
        </Group>
        <Divider />
        <Group justify="space-between">
          <Text fw={600}>{t('common.net')}</Text>
          <Money cents={form.amount - fee} fw={600} />
        </Group>
        {parts.length > 1 ? <Parts parts={parts} /> : <ErrorAlert error={parts[0]?.error} />}
        {isPartial && parts.some(({ error }) => error !== undefined) ? (
          <Alert color="orange" role="alert">
            {t('withdrawals.partial', {
              done: formatMoney(amountOf(parts.filter(({ id }) => id !== undefined))),
              left: formatMoney(amountOf(parts.filter(({ id }) => id === undefined))),
            })}
          </Alert>
        ) : null}
        <Group justify="flex-end">
          {isPartial ? (
            <Button variant="default" component={Link} to="/withdrawals" activeOptions={{ exact: true }}>
              {t('nav.withdrawals')}
            </Button>
          ) : (
            <Button variant="default" disabled={mutation.isPending} onClick={review.close}>
              {t('common.back')}
            </Button>
          )}
          <Button data-autofocus loading={mutation.isPending} onClick={() => mutation.mutate()}>
            {isPartial ? t('common.retry') : t('withdrawals.confirm', { amount: formatMoney(form.amount) })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The withdrawals that one confirmation requests, with the outcome of each. */
function Parts({ parts }: { readonly parts: readonly Part[] }) {
  const { t } = useTranslation();
  return (
    <Stack gap={4}>
      <Text size="sm">{t('withdrawals.parts', { count: parts.length })}</Text>
      {parts.map(({ key, body, id, error }) => (
        <Group key={key} justify="space-between" wrap="nowrap">
          <Text size="sm" className="whole">
            {t(`method.${body.withdrawFrom ?? 'PIX'}`)}
            {id === undefined ? '' : ` · ${t('withdrawals.requested')}`}
            {error === undefined ? '' : ` · ${formatError(error)}`}
          </Text>
          <Money cents={body.amount} size="sm" />
        </Group>
      ))}
    </Stack>
  );
}
