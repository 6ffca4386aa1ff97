import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A key figure with its name, and a hint below it. */
export function Figure({
  name,
  hint,
  children,
}: {
  readonly name: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) {
  return (
    <Paper withBorder p="md">
      <Stack gap={2}>
        <Text size="sm" c="dimmed">
          {name}
        </Text>
        {children}
        {hint === undefined ? null : (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
