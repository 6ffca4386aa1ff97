import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isSandbox, useMay } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { ErrorAlert, notify } from './feedback.tsx';

interface Simulation {
  readonly label: string;
  readonly run: () => Promise<unknown>;
}

interface SimulationsProps {
  readonly simulations: readonly Simulation[];
  /** First members of the keys of the queries that a simulation changes. */
  readonly queries: readonly string[];
}

/** Buttons that simulate the provider, the bank or the payer. Shown in the sandbox only. */
export function Simulations({ simulations, queries }: SimulationsProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const mutation = useMutation({
    mutationFn: async ({ run }: Simulation) => {
      await run();
      await Promise.all(queries.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
    },
    onSuccess: () => notify(t('charges.simulated')),
  });
  if (!isSandbox || !may('sandbox:simulate') || simulations.length === 0) return null;
  return (
    <Paper withBorder p="sm" className="no-print">
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {t('charges.sandboxTitle')}
        </Text>
        <Group gap="xs">
          {simulations.map((simulation) => (
            <Button
              key={simulation.label}
              size="xs"
              variant="light"
              loading={mutation.isPending && mutation.variables.label === simulation.label}
              onClick={() => mutation.mutate(simulation)}
            >
              {simulation.label}
            </Button>
          ))}
        </Group>
        <ErrorAlert error={mutation.error} />
      </Stack>
    </Paper>
  );
}
