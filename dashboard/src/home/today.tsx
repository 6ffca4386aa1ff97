import { Anchor, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../api/clock.ts';
import { entries, summary } from '../api/queries.ts';
import { ErrorAlert } from '../components/feedback.tsx';
import { Money } from '../components/values.tsx';
import { formatHour, localDay } from '../i18n/format.ts';

const SHOWN = 5;

/** What was paid today, and by whom. The total is the one of the statement that it links to. */
export function TodaySales() {
  const { t } = useTranslation();
  const today = localDay(new Date(serverNow()));
  const total = useQuery(summary({ startDate: today, endDate: today, interval: 'day' }));
  const sales = useQuery(entries({ cause: 'PAYMENT', startDate: today, endDate: today, take: SHOWN }));
  const sums = total.data?.current.total;
  const broken = [total, sales].find((query) => query.isError && query.data === undefined);
  return (
    <Paper withBorder p="md" h="100%">
      <Title order={2} size="h4">
        <Anchor
          component={Link}
          to={`/statement?cause=PAYMENT&startDate=${today}&endDate=${today}`}
          inherit
          c="inherit"
        >
          {t('home.todaySales')}
        </Anchor>
      </Title>
      {broken === undefined ? null : <ErrorAlert error={broken.error} retry={broken.refetch} />}
      {sums === undefined ? (
        <Skeleton height={34} width={160} />
      ) : (
        <Group gap="xs" align="baseline">
          <Money cents={sums.volume} fz={24} fw={700} />
          <Text size="sm" c="dimmed">
            {t('home.payments', { count: sums.count })}
          </Text>
        </Group>
      )}
      <Stack gap={0} mt="xs">
        {sales.data?.data.map(({ id, recordId, customerName, description, amount, createdAt }) => (
          <Group key={id} justify="space-between" wrap="nowrap" gap="xs" mih={44} className="tile">
            <div style={{ minWidth: 0 }}>
              <Anchor
                component={Link}
                to={`/charges/${recordId}`}
                size="sm"
                display="block"
                truncate
                className="tile-link"
              >
                {customerName}
              </Anchor>
              <Text size="xs" c="dimmed" truncate>
                {[formatHour(createdAt), description].filter(Boolean).join(' · ')}
              </Text>
            </div>
            <Money cents={amount} size="sm" fw={600} />
          </Group>
        ))}
        {sales.data?.count === 0 ? (
          <Text size="sm" c="dimmed">
            {t('home.noSales')}
          </Text>
        ) : null}
      </Stack>
    </Paper>
  );
}
