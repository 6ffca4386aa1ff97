import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Definition list in a card. */
export function DescriptionList({
  title,
  children,
}: {
  readonly title?: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Paper withBorder p="md">
      <Stack gap={6}>
        {title === undefined ? null : (
          <Title order={3} size="h5">
            {title}
          </Title>
        )}
        {children}
      </Stack>
    </Paper>
  );
}

export function DescriptionItem({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Group justify="space-between" gap="xs" align="baseline" wrap="nowrap">
      <Text size="sm" c="dimmed" miw={90}>
        {name}
      </Text>
      <Text size="sm" component="div" ta="right" className="whole">
        {children}
      </Text>
    </Group>
  );
}
