import { Group, Paper, Select, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { fees, type Fees } from '../api/queries.ts';
import { Money } from '../pieces/figures.tsx';
import { MoneyInput } from '../pieces/money-input.tsx';
import { ErrorNote, Lines, PageTitle } from '../pieces/notes.tsx';
import { formatMoney, formatPercent } from '../words/format.ts';
import { cardFees, feeOn, type Fee } from './fee-amounts.ts';

export function FeesPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(fees());
  return (
    <Stack>
      <PageTitle title={t('fees.title')} intro={t('fees.intro')} />
      {query.isError && query.data === undefined ? (
        <ErrorNote error={query.error} retry={query.refetch} />
      ) : null}
      {query.isPending ? <Lines count={8} /> : null}
      {query.data === undefined ? null : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Plan plan={query.data} />
          <Simulator plan={query.data} />
        </SimpleGrid>
      )}
    </Stack>
  );
}

function useFeeText(): (fee: Fee) => string {
  const { t } = useTranslation();
  return ({ type, value }) =>
    type === 'FIXED' ? t('fees.fixed', { amount: formatMoney(value) }) : formatPercent(value);
}

function Plan({ plan }: { readonly plan: Fees }) {
  const { t } = useTranslation();
  const say = useFeeText();
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
                {say(fee)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Simulator({ plan }: { readonly plan: Fees }) {
  const { t } = useTranslation();
  const [amount, setAmount] = useState(10_000);
  const [how, setHow] = useState('PIX');
  const options = [
    { value: 'PIX', label: t('method.PIX'), fee: plan.pixIn },
    { value: 'BOLETO', label: t('method.BOLETO'), fee: plan.boleto },
    ...cardFees(plan).map((fee, index) => ({
      value: `CARD-${index + 1}`,
      label: `${t('method.CARD')} ${t('fees.times', { count: index + 1 })}`,
      fee,
    })),
  ];
  const fee = options.find(({ value }) => value === how)?.fee ?? plan.pixIn;
  const cents = feeOn(amount, fee);
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {t('fees.simulator')}
        </Title>
        <MoneyInput label={t('fees.simulate')} value={amount} onChange={setAmount} />
        <Select
          label={t('fees.how')}
          data={options.map(({ value, label }) => ({ value, label }))}
          value={how}
          allowDeselect={false}
          onChange={(value) => setHow(value ?? 'PIX')}
        />
        <div aria-live="polite">
          {cents === undefined ? (
            <Text>{t('fees.tooSmall')}</Text>
          ) : (
            <Stack gap={4}>
              <Group justify="space-between">
                <Text>{t('fees.charged')}</Text>
                <Money cents={-cents} />
              </Group>
              <Group justify="space-between">
                <Text fw={600}>{t('fees.receive')}</Text>
                <Money cents={amount - cents} fw={700} size="lg" />
              </Group>
            </Stack>
          )}
        </div>
      </Stack>
    </Paper>
  );
}
