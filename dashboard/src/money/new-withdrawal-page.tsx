import { Anchor, Button, Group, Paper, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ORIGINS } from '../../../src/accounting/ledger/entries.ts';
import { useMay } from '../api/permissions.ts';
import { fees, wallet, withdrawals, type Wallet } from '../api/queries.ts';
import { MoneyInput } from '../components/money-input.tsx';
import { ErrorAlert, PageTitle } from '../components/feedback.tsx';
import { formatMoney } from '../i18n/format.ts';
import { DestinationFields } from './destination-fields.tsx';
import type { Fee } from './fee-amounts.ts';
import {
  EMPTY_WITHDRAWAL,
  feeOf,
  formatDestination,
  keyTypeOf,
  knownDestinations,
  type WithdrawalForm,
} from './new-withdrawal.ts';
import { ReviewDialog, useReview } from './review-dialog.tsx';
import { ALL_ORIGINS, pixKeyTypesOf, splitByOrigin, withdrawable } from './withdrawal-plan.ts';

export function NewWithdrawalPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const balanceQuery = useQuery(wallet());
  const feesQuery = useQuery(fees());
  const balance = balanceQuery.data;
  const fee = feesQuery.data?.pixOut;
  const missing = [balanceQuery, feesQuery].find(({ data }) => data === undefined);
  const earlier = useQuery(withdrawals({ take: 100 }));
  const form = useWithdrawalForm(balance, fee);
  const review = useReview(form);
  if (!may('withdrawals:create')) return <Text>{t('error.forbidden')}</Text>;

  const { values } = form;
  const available =
    balance === undefined || fee === undefined ? undefined : withdrawable(balance, values.withdrawFrom, fee);
  const known = knownDestinations(earlier.data?.data ?? [], values.method);
  return (
    <Stack maw={640}>
      <Anchor component={Link} to="/withdrawals" activeOptions={{ exact: true }} size="sm">
        ← {t('nav.withdrawals')}
      </Anchor>
      <PageTitle title={t('withdrawals.new')} />
      <form
        noValidate
        onSubmit={form.onSubmit((checked) => {
          if (balance === undefined || fee === undefined || review.mutation.isPending) return;
          review.open(checked, balance, fee);
        })}
      >
        <Stack>
          <AmountFields form={form} available={available} />
          <DestinationFields form={form} known={known} />
          {missing === undefined ? null : <ErrorAlert error={missing.error} retry={missing.refetch} />}
          <Group>
            <Button
              type="submit"
              size="md"
              loading={missing?.isFetching === true}
              disabled={missing !== undefined}
            >
              {t('withdrawals.review')}
            </Button>
          </Group>
        </Stack>
      </form>
      <ReviewDialog
        review={review}
        form={values}
        fee={fee === undefined ? 0 : feeOf(review.parts, fee)}
        destination={formatDestination(values, known)}
      />
    </Stack>
  );
}

function useWithdrawalForm(balance: Wallet | undefined, fee: Fee | undefined) {
  const { t } = useTranslation();
  return useForm<WithdrawalForm>({
    initialValues: EMPTY_WITHDRAWAL,
    validate: {
      amount: (amount, { withdrawFrom }) => {
        if (amount < 1) return t('create.needValue');
        if (balance === undefined || fee === undefined) return null;
        if (amount > withdrawable(balance, withdrawFrom, fee)) return t('withdrawals.tooMuch');
        const isPayable = splitByOrigin(balance, withdrawFrom, amount, fee) !== undefined;
        return isPayable ? null : t('withdrawals.belowFee');
      },
      pixKey: (key, { method, destinationOf: known }) => {
        if (method !== 'PIX' || known !== '') return null;
        if (key.trim() === '') return t('withdrawals.needKey');
        return pixKeyTypesOf(key).length === 0 ? t('withdrawals.unknownKey') : null;
      },
      pixKeyType: (_, values) =>
        values.method === 'PIX' &&
        values.destinationOf === '' &&
        pixKeyTypesOf(values.pixKey).length > 1 &&
        keyTypeOf(values) === undefined
          ? t('withdrawals.chooseKeyType')
          : null,
      cryptoWalletAddress: (address, { method, destinationOf: known }) =>
        method === 'CRYPTO' && known === '' && address.trim() === '' ? t('withdrawals.needAddress') : null,
    },
  });
}

function AmountFields({
  form,
  available,
}: {
  readonly form: UseFormReturnType<WithdrawalForm>;
  /** Cents. */
  readonly available: number | undefined;
}) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <MoneyInput
            data-autofocus
            label={t('common.amount')}
            size="lg"
            description={
              available === undefined ? ' ' : t('withdrawals.available', { amount: formatMoney(available) })
            }
            required
            withAsterisk={false}
            {...form.getInputProps('amount')}
            value={form.values.amount}
          />
          <Select
            label={t('common.origin')}
            size="lg"
            description={' '}
            allowDeselect={false}
            data={[
              { value: ALL_ORIGINS, label: t('withdrawals.allOrigins') },
              ...ORIGINS.map((value) => ({ value, label: t(`method.${value}`) })),
            ]}
            {...form.getInputProps('withdrawFrom')}
          />
        </SimpleGrid>
        <Group>
          <Button
            size="xs"
            variant="light"
            disabled={available === undefined || available <= 0}
            onClick={() => form.setFieldValue('amount', available ?? 0)}
          >
            {t('withdrawals.all')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
