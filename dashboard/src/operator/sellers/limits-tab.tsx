import { Button, Group, NumberInput, Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { queryClient } from '../../api/queries.ts';
import { MoneyInput } from '../../components/money-input.tsx';
import { ErrorAlert, notify } from '../../components/feedback.tsx';
import { fieldErrors } from '../../i18n/errors.ts';
import { appliedOrAwaiting } from '../components/awaiting.ts';
import { refresh, seller as sellerQuery, type Seller } from '../queries.ts';

const COUNTS = ['requestsPerMinute', 'creationsPerMinute'] as const;
const DELAYS = ['boletoDelayDays', 'cardDelayDays'] as const;
const AMOUNTS = ['autoApproveUpTo', 'negativeBalanceUpTo', 'chargebackFee'] as const;
const ALL = [...COUNTS, ...DELAYS, ...AMOUNTS];
type Limit = (typeof ALL)[number];

const MAX_CALLS = 10_000_000;
const MAX_DAYS = 365;

/** Limits, release periods and automatic approval of a seller. */
export function LimitsTab({ seller }: { readonly seller: Seller }): ReactNode {
  const { t, i18n } = useTranslation();
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
    onSuccess: async (answered) => {
      const saved = appliedOrAwaiting(answered);
      if (saved === undefined) return;
      notify(t('operator.limits.saved'));
      queryClient.setQueryData(sellerQuery(seller.id).queryKey, saved);
      await refresh('sellers', 'audit');
    },
  });
  const errors = fieldErrors(mutation.error, ALL);
  const set = (name: Limit, value: number | '') => setForm((before) => ({ ...before, [name]: value }));
  const numbers = (names: readonly Limit[], least: number, most: number) =>
    names.map((name) => (
      <NumberInput
        key={name}
        label={t(`operator.limits.${name}`)}
        description={t(`operator.limitDescriptions.${name}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        min={least}
        max={most}
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
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      <Stack>
        <Paper withBorder p="md">
          <Title order={2} size="h4" mb="sm">
            {t('operator.limits.decisions')}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
            {AMOUNTS.map((name) => (
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
            ))}
          </SimpleGrid>
        </Paper>
        <Paper withBorder p="md">
          <Title order={2} size="h4" mb="sm">
            {t('operator.limits.delays')}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>{numbers(DELAYS, 0, MAX_DAYS)}</SimpleGrid>
        </Paper>
        <Paper withBorder p="md">
          <Title order={2} size="h4" mb="sm">
            {t('operator.limits.rates')}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>{numbers(COUNTS, 1, MAX_CALLS)}</SimpleGrid>
        </Paper>
        {Object.keys(errors).length === 0 ? <ErrorAlert error={mutation.error} /> : null}
        {readOnly ? null : (
          <Group>
            <Button type="submit" disabled={changed.length === 0} loading={mutation.isPending}>
              {t('common.save')}
            </Button>
            {changed.length === 0 ? null : (
              <Button variant="subtle" onClick={() => setForm(seller)}>
                {t('operator.discard')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  );
}
