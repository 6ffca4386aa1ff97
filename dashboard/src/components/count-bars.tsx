import { Anchor, Group, Paper, Progress, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import type { MantineColor, SimpleGridProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { formatNumber } from '../i18n/format.ts';

interface CountBar {
  readonly name: string;
  /** The list that has as many records. */
  readonly to: string;
  readonly color: MantineColor;
  /** A page of that list. Undefined while it loads. */
  readonly page: { readonly count: number; readonly countCapped?: true } | undefined;
}

/** Counts as bars, each below the link to its list. Hidden if there is no record or no exact count. */
export function CountBars({
  title,
  bars,
  of,
  cols,
}: {
  readonly title: string;
  readonly bars: readonly CountBar[];
  /** Whether a bar shows its share of all records, or of those of the first bar. */
  readonly of: 'all' | 'first';
  readonly cols: NonNullable<SimpleGridProps['cols']>;
}) {
  const counts = bars.map(({ page }) => page?.count ?? 0);
  const whole = of === 'all' ? counts.reduce((sum, count) => sum + count, 0) : (counts[0] ?? 0);
  const isLoaded = bars.every(({ page }) => page !== undefined);
  if (bars.some(({ page }) => page?.countCapped) || (isLoaded && whole === 0)) return null;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <SimpleGrid cols={cols} spacing="lg" verticalSpacing="xs">
        {bars.map(({ name, to, color, page }) => (
          <div key={name}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Anchor component={Link} to={to} size="sm">
                {name}
              </Anchor>
              {page === undefined ? (
                <Skeleton height={25} width={40} />
              ) : (
                <Text fw={600} className="figures">
                  {formatNumber(page.count)}
                </Text>
              )}
            </Group>
            <Progress
              value={whole === 0 ? 0 : ((page?.count ?? 0) / whole) * 100}
              color={color}
              aria-label={name}
            />
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  );
}
