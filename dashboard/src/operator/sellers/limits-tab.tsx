import { Button, Group, NumberInput, Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { queryClient } from '../../api/queries.ts';
import { useChecks } from '../../components/field-errors.ts';
import { MoneyInput } from '../../components/money-input.tsx';
import { ErrorAlert, notify } from '../../components/feedback.tsx';
import { fieldErrors } from '../../i18n/errors.ts';
import { appliedOrAwaiting } from '../components/awaiting.ts';
import { refresh } from '../queries.ts';
import { seller as sellerQuery, type Seller } from './queries.ts';

const COUNTS = ['requestsPerMinute', 'creationsPerMinute'] as const;
const DELAYS = ['boletoDelayDays', 'cardDelayDays'] as const;
const AMOUNTS = ['autoApproveUpTo', 'negativeBalanceUpTo', 'chargebackFee'] as const;
const ALL = [...COUNTS, ...DELAYS, ...AMOUNTS];
type Limit = (typeof ALL)[number];

const MAX_CALLS = 10_000_000;
const MAX_DAYS = 365;

function useLimits(seller: Seller) {
  const { t } = useTranslation();
  const may = useMay();
  const readOnly = !may('operator:write');
  const [form, setForm] = useState<Readonly<Record<Limit, number | ''>>>(seller);
  const changed = ALL.filter((name) => form[name] !== seller[name]);
  const mutation = useMutation({
    mutationFn: async () =>
      (
        await unwrap(
          api.PATCH('/v1/admin/sellers/{id}', {
            params: { path: { id: seller.id } },
            body: Object.fromEntries(changed.map((name) => [name, Number(form[name])])),
          }),
        )
      ).data,
    onSuccess: async (response) => {
      const saved = appliedOrAwaiting(response);
      if (saved === undefined) return;
      notify(t('operator.limits.saved'));
      queryClient.setQueryData(sellerQuery(seller.id).queryKey, saved);
      await refresh('sellers', 'audit');
    },
  });
  const checks = useChecks();
  const refused = fieldErrors(mutation.error, ALL);
  const errors = { ...refused, ...checks.errors };
  const set = (name: Limit, value: number | '') => {
    setForm((before) => ({ ...before, [name]: value }));
    checks.clear(name);
  };
  const discard = () => {
    setForm(seller);
    checks.check({});
  };
  const submit = () => {
    const empty = ALL.map((name) => [name, form[name] === '' && t('invalid.required')] as const);
    if (checks.check(Object.fromEntries(empty))) mutation.mutate();
  };
  return { readOnly, form, changed, mutation, refused, errors, set, discard, submit };
}

type Limits = ReturnType<typeof useLimits>;

/** Limits, release periods and automatic approval of a seller. */
export function LimitsTab({ seller }: { readonly seller: Seller }): ReactNode {
  const { t } = useTranslation();
  const limits = useLimits(seller);
  const { readOnly, changed, mutation, refused, discard, submit } = limits;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <LimitGroup title={t('operator.limits.decisions')}>
          <AmountInputs limits={limits} />
        </LimitGroup>
        <LimitGroup title={t('operator.limits.delays')}>
          <NumberInputs names={DELAYS} min={0} max={MAX_DAYS} limits={limits} />
        </LimitGroup>
        <LimitGroup title={t('operator.limits.rates')}>
          <NumberInputs names={COUNTS} min={1} max={MAX_CALLS} limits={limits} />
        </LimitGroup>
        {Object.keys(refused).length === 0 ? <ErrorAlert error={mutation.error} /> : null}
        {readOnly ? null : (
          <Group>
            <Button type="submit" disabled={changed.length === 0} loading={mutation.isPending}>
              {t('common.save')}
            </Button>
            {changed.length === 0 ? null : (
              <Button variant="subtle" onClick={discard}>
                {t('operator.discard')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  );
}

function LimitGroup({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>{children}</SimpleGrid>
    </Paper>
  );
}

function AmountInputs({ limits: { readOnly, form, errors, set } }: { readonly limits: Limits }): ReactNode {
  const { t } = useTranslation();
  return AMOUNTS.map((name) => (
    <MoneyInput
      key={name}
      label={t(`operator.limits.${name}`)}
      description={t(`operator.limitDescriptions.${name}`)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      readOnly={readOnly}
      value={Number(form[name])}
      error={errors[name]}
      onChange={(cents) => set(name, cents)}
    />
  ));
}

function NumberInputs({
  names,
  min,
  max,
  limits: { readOnly, form, errors, set },
}: {
  readonly names: readonly Limit[];
  readonly min: number;
  readonly max: number;
  readonly limits: Limits;
}): ReactNode {
  const { t, i18n } = useTranslation();
  return names.map((name) => (
    <NumberInput
      key={name}
      label={t(`operator.limits.${name}`)}
      description={t(`operator.limitDescriptions.${name}`)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min={min}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator={i18n.language === 'en' ? ',' : '.'}
      decimalSeparator={i18n.language === 'en' ? '.' : ','}
      required
      withAsterisk={false}
      readOnly={readOnly}
      value={form[name]}
      error={errors[name]}
      onChange={(value) => set(name, typeof value === 'number' ? value : '')}
    />
  ));
}
