import { Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Fees } from '../../api/queries.ts';
import { Money } from '../../components/values.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { cardFees, calculateFee } from '../../money/fee-amounts.ts';

/** Simulates an unsaved fee plan. */
export function PlanSimulator({ plan }: { readonly plan: Fees }): ReactNode {
  const { t } = useTranslation();
  const [amount, setAmount] = useState(10_000);
  const [how, setHow] = useState('PIX');
  const options = [
    { value: 'PIX', label: t('method.PIX'), fee: plan.pixIn },
    { value: 'BOLETO', label: t('method.BOLETO'), fee: plan.boleto },
    ...cardFees(plan).map((fee, index) => ({
      value: `CARD-${index + 1}`,
      label: `${t('method.CARD')}, ${t('fees.times', { count: index + 1 })}`,
      fee,
    })),
  ];
  const fee = options.find(({ value }) => value === how)?.fee ?? plan.pixIn;
  const cents = calculateFee(amount, fee);
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
            <Text>{t('operator.fees.tooSmall')}</Text>
          ) : (
            <Stack gap={4}>
              <Group justify="space-between">
                <Text>{t('fees.charged')}</Text>
                <Money cents={-cents} />
              </Group>
              <Group justify="space-between">
                <Text fw={600}>{t('operator.fees.receive')}</Text>
                <Money cents={amount - cents} fw={700} size="lg" />
              </Group>
            </Stack>
          )}
        </div>
      </Stack>
    </Paper>
  );
}
