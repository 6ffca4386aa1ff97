import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { isSandbox, useMay } from '../../api/permissions.ts';
import { queryClient } from '../../api/queries.ts';
import { Confirm } from '../../components/confirm.tsx';

const STEPS = { hour: 3_600, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const;
type Step = keyof typeof STEPS;

const isStep = (name: string): name is Step => Object.hasOwn(STEPS, name);

/** Advances the sandbox clock, which triggers expirations, releases, retries and deadlines. */
export function ClockCard(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [step, setStep] = useState<Step>();
  if (!isSandbox || !may('operator:write')) return null;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        {t('operator.system.clock')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('operator.system.clockDescription')}
      </Text>
      <Group>
        {Object.keys(STEPS)
          .filter(isStep)
          .map((name) => (
            <Button key={name} variant="light" size="xs" onClick={() => setStep(name)}>
              {t(`operator.system.steps.${name}`)}
            </Button>
          ))}
      </Group>
      <Confirm
        opened={step !== undefined}
        onClose={() => setStep(undefined)}
        title={t('operator.system.clockTitle')}
        message={t('operator.system.clockAsk')}
        action={t(`operator.system.steps.${step ?? 'hour'}`)}
        done={t('operator.system.clockMoved')}
        run={async () => {
          const advanceSeconds = STEPS[step ?? 'hour'];
          await unwrap<unknown>(api.POST('/v1/sandbox/clock', { body: { advanceSeconds } }));
          await queryClient.invalidateQueries();
        }}
      />
    </Paper>
  );
}
