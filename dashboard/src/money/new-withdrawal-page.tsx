import {
  Anchor,
  Button,
  Divider,
  Group,
  Modal,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ORIGINS } from '../../../src/accounting/ledger/entries.ts';
import { api, unwrap } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { fees, queryClient, wallet, type NewWithdrawal } from '../api/queries.ts';
import { Money } from '../components/values.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { ErrorAlert, PageTitle, notify } from '../components/feedback.tsx';
import { fieldErrors } from '../i18n/errors.ts';
import { formatDocument, formatMoney, formatPhone } from '../i18n/format.ts';
import { calculateFee } from './fee-amounts.ts';

interface Form {
  method: NewWithdrawal['method'];
  amount: number;
  withdrawFrom: 'PIX' | 'BOLETO' | 'CARD';
  pixKeyType: 'CPF' | 'CNPJ' | 'PHONE' | 'EMAIL' | 'EVP';
  pixKey: string;
  cryptoNetwork: 'TRC20' | 'ERC20' | 'POLYGON' | 'BTC';
  cryptoWalletAddress: string;
  description: string;
}

const EMPTY: Form = {
  method: 'PIX',
  amount: 0,
  withdrawFrom: 'PIX',
  pixKeyType: 'CPF',
  pixKey: '',
  cryptoNetwork: 'TRC20',
  cryptoWalletAddress: '',
  description: '',
};
const KEY_TYPES = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const;

/** A Pix key with its punctuation, so that a wrong digit is seen before the money is sent. */
function formatPixKey({ pixKey, pixKeyType }: Form): string {
  if (pixKeyType === 'CPF' || pixKeyType === 'CNPJ') return formatDocument(pixKey);
  return pixKeyType === 'PHONE' ? formatPhone(pixKey) : pixKey;
}

const wantedOf = (form: Form): NewWithdrawal => ({
  amount: form.amount,
  method: form.method,
  withdrawFrom: form.withdrawFrom,
  ...(form.method === 'PIX'
    ? { pixKey: form.pixKey.trim(), pixKeyType: form.pixKeyType }
    : { cryptoWalletAddress: form.cryptoWalletAddress.trim(), cryptoNetwork: form.cryptoNetwork }),
  ...(form.description.trim() === '' ? {} : { description: form.description.trim() }),
});

export function NewWithdrawalPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const balance = useQuery(wallet());
  const plan = useQuery(fees());
  const [review, setReview] = useState(false);
  const [attempt, setAttempt] = useState({ of: '', key: '' });
  const form = useForm<Form>({
    initialValues: EMPTY,
    validate: {
      amount: (amount, { withdrawFrom }) => {
        const available = balance.data?.byOrigin[withdrawFrom].availableBalance;
        if (amount < 1) return t('create.needText');
        return available !== undefined && amount > available ? t('withdrawals.tooMuch') : null;
      },
      pixKey: (key, { method }) => (method === 'PIX' && key.trim() === '' ? t('withdrawals.needKey') : null),
      cryptoWalletAddress: (address, { method }) =>
        method === 'CRYPTO' && address.trim() === '' ? t('create.needText') : null,
    },
  });
  const mutation = useMutation({
    mutationFn: async (values: Form) => {
      const body = wantedOf(values);
      const text = JSON.stringify(body);
      const key = attempt.of === text ? attempt.key : crypto.randomUUID();
      setAttempt({ of: text, key });
      const params = { header: { 'idempotency-key': key } };
      return (await unwrap(api.POST('/v1/withdrawals', { params, body }))).data;
    },
    onSuccess: async ({ id }) => {
      for (const name of ['withdrawals', 'wallet', 'entries']) {
        void queryClient.invalidateQueries({ queryKey: [name] });
      }
      notify(t('withdrawals.done'));
      await navigate({ to: '/withdrawals/$id', params: { id } });
    },
    onError: (error) => {
      const found = fieldErrors(error, Object.keys(EMPTY));
      if (Object.keys(found).length === 0) return;
      form.setErrors(found);
      setReview(false);
    },
  });
  if (!may('withdrawals:create')) return <Text>{t('error.forbidden')}</Text>;

  const { values } = form;
  const available = balance.data?.byOrigin[values.withdrawFrom].availableBalance ?? 0;
  const fee = plan.data === undefined ? undefined : calculateFee(values.amount, plan.data.pixOut);
  const destination = values.method === 'PIX' ? formatPixKey(values) : values.cryptoWalletAddress;
  return (
    <Stack maw={640}>
      <Anchor component={Link} to="/withdrawals" size="sm">
        ← {t('nav.withdrawals')}
      </Anchor>
      <PageTitle title={t('withdrawals.new')} />
      <form noValidate onSubmit={form.onSubmit(() => setReview(true))}>
        <Stack>
          <Paper withBorder p="md">
            <Stack>
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <MoneyInput
                  label={t('common.amount')}
                  size="lg"
                  description={t('withdrawals.available', { amount: formatMoney(available) })}
                  {...form.getInputProps('amount')}
                  value={values.amount}
                />
                <Select
                  label={t('common.origin')}
                  size="lg"
                  description={' '}
                  allowDeselect={false}
                  data={ORIGINS.map((value) => ({ value, label: t(`method.${value}`) }))}
                  {...form.getInputProps('withdrawFrom')}
                />
              </SimpleGrid>
              <Group>
                <Button
                  size="xs"
                  variant="light"
                  disabled={available <= 0}
                  onClick={() => form.setFieldValue('amount', Math.max(0, available))}
                >
                  {t('withdrawals.all')}
                </Button>
              </Group>
            </Stack>
          </Paper>
          <Paper withBorder p="md">
            <Stack>
              <SegmentedControl
                aria-label={t('withdrawals.method')}
                data={[
                  { value: 'PIX', label: t('method.PIX') },
                  { value: 'CRYPTO', label: t('method.CRYPTO') },
                ]}
                {...form.getInputProps('method')}
              />
              {values.method === 'PIX' ? (
                <SimpleGrid cols={{ base: 1, xs: 2 }}>
                  <Select
                    label={t('withdrawals.keyType')}
                    allowDeselect={false}
                    data={KEY_TYPES.map((value) => ({ value, label: t(`withdrawals.keyTypes.${value}`) }))}
                    {...form.getInputProps('pixKeyType')}
                  />
                  <TextInput label={t('withdrawals.key')} maxLength={100} {...form.getInputProps('pixKey')} />
                </SimpleGrid>
              ) : (
                <SimpleGrid cols={{ base: 1, xs: 2 }}>
                  <Select
                    label={t('withdrawals.network')}
                    allowDeselect={false}
                    data={['TRC20', 'ERC20', 'POLYGON', 'BTC']}
                    {...form.getInputProps('cryptoNetwork')}
                  />
                  <TextInput
                    label={t('withdrawals.address')}
                    maxLength={100}
                    {...form.getInputProps('cryptoWalletAddress')}
                  />
                </SimpleGrid>
              )}
              <TextInput
                label={`${t('common.description')} (${t('common.optional')})`}
                maxLength={140}
                {...form.getInputProps('description')}
              />
            </Stack>
          </Paper>
          <Group>
            <Button type="submit" size="md">
              {t('withdrawals.review')}
            </Button>
          </Group>
        </Stack>
      </form>
      <Modal
        opened={review}
        onClose={() => setReview(false)}
        title={t('withdrawals.confirmTitle')}
        centered
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Stack>
          <Text>
            {t(values.method === 'PIX' ? 'withdrawals.confirmPix' : 'withdrawals.confirmCrypto', {
              amount: formatMoney(values.amount),
              net: formatMoney(values.amount - (fee ?? 0)),
              destination,
            })}
          </Text>
          <Group justify="space-between">
            <Text>{t('common.amount')}</Text>
            <Money cents={values.amount} />
          </Group>
          <Group justify="space-between">
            <Text>{t('common.fee')}</Text>
            <Money cents={-(fee ?? 0)} />
          </Group>
          <Divider />
          <Group justify="space-between">
            <Text fw={600}>{t('common.net')}</Text>
            <Money cents={values.amount - (fee ?? 0)} fw={600} />
          </Group>
          <ErrorAlert error={mutation.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setReview(false)}>
              {t('common.back')}
            </Button>
            <Button data-autofocus loading={mutation.isPending} onClick={() => mutation.mutate(values)}>
              {t('withdrawals.confirm', { amount: formatMoney(values.amount) })}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}
