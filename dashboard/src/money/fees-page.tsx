import { Group, Paper, Select, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { fees, simulation, type Fees, type SimulationQuery } from '../api/queries.ts';
import { Money } from '../components/values.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { ErrorAlert, LoadingSkeleton, PageTitle } from '../components/feedback.tsx';
import { capitalize, formatDate, formatMoney, formatPercent } from '../i18n/format.ts';
import { METHODS } from '../i18n/statuses.ts';
import { cardFees, type Fee } from './fee-amounts.ts';

const MIN_CENTS = 100;
const MAX_INSTALLMENTS = 12;
const DEBOUNCE_MS = 300;

export function FeesPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(fees());
  return (
    <Stack>
      <PageTitle title={t('fees.title')} intro={t('fees.intro')} />
      {query.isError && query.data === undefined ? (
        <ErrorAlert error={query.error} retry={query.refetch} />
      ) : null}
      {query.isPending ? <LoadingSkeleton count={8} /> : null}
      {query.data === undefined ? null : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Plan plan={query.data} />
          <Simulator />
        </SimpleGrid>
      )}
    </Stack>
  );
}

function useFeeText(): (fee: Fee) => string {
  const { t } = useTranslation();
  return ({ type, value, fixedPart = 0, minimum = 0 }) => {
    const part = type === 'FIXED' ? t('fees.fixed', { amount: formatMoney(value) }) : formatPercent(value);
    const whole = fixedPart === 0 ? part : `${part} + ${formatMoney(fixedPart)}`;
    return minimum === 0 ? whole : t('fees.atLeast', { fee: whole, minimum: formatMoney(minimum) });
  };
}

function Plan({ plan }: { readonly plan: Fees }) {
  const { t } = useTranslation();
  const formatFee = useFeeText();
  const rows: readonly (readonly [string, Fee])[] = [
    [t('fees.pixIn'), plan.pixIn],
    [t('fees.boleto'), plan.boleto],
    [t('fees.pixOut'), plan.pixOut],
    ...cardFees(plan).map(
      (fee, index) => [`${t('fees.card')}, ${t('fees.times', { count: index + 1 })}`, fee] as const,
    ),
  ];
  return (
    <Paper withBorder>
      <Table aria-label={t('fees.title')}>
        <Table.Tbody>
          {rows.map(([name, fee]) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td ta="right" className="figures">
                {formatFee(fee)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

type Method = SimulationQuery['method'];

/** Fee simulator: net amount and release dates by the current fees. */
function Simulator() {
  const { t } = useTranslation();
  const [amount, setAmount] = useState(10_000);
  const [method, setMethod] = useState<Method>('PIX');
  const [installments, setInstallments] = useState(1);
  const [debounced] = useDebouncedValue(amount, DEBOUNCE_MS);
  const enough = debounced >= MIN_CENTS;
  const card = method === 'CREDIT_CARD' ? { installments } : {};
  const query = useQuery({ ...simulation({ amount: debounced, method, ...card }), enabled: enough });
  const { data } = query;
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {t('fees.simulator')}
        </Title>
        <MoneyInput
          label={t('fees.simulate')}
          value={amount}
          onChange={setAmount}
          error={enough ? undefined : t('create.needAmount', { amount: formatMoney(MIN_CENTS) })}
        />
        <Select
          label={t('fees.how')}
          data={METHODS.map((value) => ({ value, label: t(`method.${value}`) }))}
          value={method}
          allowDeselect={false}
          onChange={(value) => setMethod(METHODS.find((known) => known === value) ?? 'PIX')}
        />
        {method === 'CREDIT_CARD' ? (
          <Select
            label={t('create.installments')}
            data={Array.from({ length: MAX_INSTALLMENTS }, (_, index) => ({
              value: String(index + 1),
              label: capitalize(t('fees.times', { count: index + 1 })),
            }))}
            value={String(installments)}
            allowDeselect={false}
            onChange={(value) => setInstallments(Number(value ?? 1))}
          />
        ) : null}
        <ErrorAlert error={query.error} />
        {data === undefined || query.isError || !enough ? null : (
          <Stack gap={4} aria-live="polite" aria-busy={query.isPlaceholderData}>
            <Group justify="space-between">
              <Text>{t('fees.charged')}</Text>
              <Money cents={-data.feeAmount} />
            </Group>
            <Group justify="space-between">
              <Text fw={600}>{t('fees.receive')}</Text>
              <Money cents={data.netAmount} fw={700} size="lg" />
            </Group>
            <Text size="sm" c="dimmed" mt="xs">
              {t('fees.when')}
            </Text>
            {data.releases.map(({ number, amount: cents, at }) => (
              <Group key={number} justify="space-between">
                <Text size="sm">{formatDate(at)}</Text>
                <Money cents={cents} size="sm" />
              </Group>
            ))}
          </Stack>
        )}
      </Stack>
    </Paper>
  );
}
