import { Anchor, Button, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ORIGINS } from '../../../src/accounting/ledger/entries.ts';
import { serverNow } from '../api/clock.ts';
import { useMay } from '../api/permissions.ts';
import { releases, wallet } from '../api/queries.ts';
import { Money } from '../components/values.tsx';
import { ErrorAlert } from '../components/feedback.tsx';
import { formatWeekday, localDay } from '../i18n/format.ts';
import { BLOCKED_BY, releaseDays } from '../money/release-days.ts';

/** Days of the small calendar. */
const DAYS_SHOWN = 7;
const DAY_MS = 86_400_000;

/** Available and blocked balance. */
export function Balance() {
  const { t } = useTranslation();
  const may = useMay();
  const balance = useQuery(wallet());
  const coming = useQuery(releases());
  if (balance.isError && balance.data === undefined) {
    return <ErrorAlert error={balance.error} retry={balance.refetch} />;
  }
  const { data } = balance;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Paper withBorder p="md">
        <Anchor component={Link} to="/statement" size="sm" c="dimmed">
          {t('home.available')}
        </Anchor>
        <Figure cents={data?.availableBalance} large />
        <Group mt="xs" gap="md">
          {may('withdrawals:create') ? (
            <Button component={Link} to="/withdrawals/new" size="xs" variant="light">
              {t('home.withdraw')}
            </Button>
          ) : null}
          <Anchor component={Link} to="/statement" size="sm">
            {t('nav.statement')}
          </Anchor>
        </Group>
        <Stack gap={2} mt="sm">
          {ORIGINS.map((origin) => (
            <Line key={origin} cents={data?.byOrigin[origin].availableBalance}>
              <Anchor component={Link} to={`/statement?origin=${origin}`} size="sm" c="dimmed">
                {t(`method.${origin}`)}
              </Anchor>
            </Line>
          ))}
        </Stack>
      </Paper>
      <Paper withBorder p="md">
        <Anchor component={Link} to="/receivables" size="sm" c="dimmed">
          {t('home.blocked')}
        </Anchor>
        <Figure cents={data?.blockedBalance} />
        <Stack gap={2} mt="sm">
          {coming.data === undefined ? <Skeleton height={44} /> : null}
          {coming.data?.blocked.total === 0 ? (
            <Text size="sm" c="dimmed">
              {t('home.nothingBlocked')}
            </Text>
          ) : null}
          {BLOCKED_BY.map(([cause, to]) => {
            const cents = coming.data?.blocked[cause] ?? 0;
            return cents === 0 ? null : (
              <Line key={cause} cents={cents}>
                <Anchor component={Link} to={to} size="sm">
                  {t(`home.blockedBy.${cause}`)}
                </Anchor>
              </Line>
            );
          })}
        </Stack>
      </Paper>
    </SimpleGrid>
  );
}

/** What becomes available on each of the next seven days. */
export function Coming() {
  const { t } = useTranslation();
  const { data, isError, error, refetch } = useQuery(releases());
  if (isError && data === undefined) return <ErrorAlert error={error} retry={refetch} />;
  const amounts = new Map(releaseDays(data?.upcoming ?? []).map(({ day, amount }) => [day, amount]));
  const days = Array.from({ length: DAYS_SHOWN }, (_, index) =>
    localDay(new Date(serverNow() + index * DAY_MS)),
  );
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const total = days.reduce((sum, day) => sum + (amounts.get(day) ?? 0), 0);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          <Anchor component={Link} to={`/receivables?startDate=${first}&endDate=${last}`} inherit c="inherit">
            {t('home.coming')}
          </Anchor>
        </Title>
        {data === undefined ? <Skeleton height={24} width={90} /> : <Money cents={total} fw={700} />}
      </Group>
      {data === undefined ? <Skeleton height={62} /> : null}
      {data !== undefined && total === 0 ? (
        <Text size="sm" c="dimmed">
          {t('home.noReleases')}
        </Text>
      ) : null}
      {total === 0 ? null : (
        <SimpleGrid cols={{ base: 2, xs: 4, md: 7 }} spacing="xs">
          {days.map((day) => (
            <Paper key={day} withBorder p="xs" className="tile">
              <Anchor
                component={Link}
                to={`/receivables?startDate=${day}&endDate=${day}`}
                className="tile-link"
                size="xs"
              >
                {formatWeekday(day)}
              </Anchor>
              <Money
                cents={amounts.get(day) ?? 0}
                size="sm"
                display="block"
                {...(amounts.has(day) ? { fw: 600 } : { c: 'dimmed' })}
              />
            </Paper>
          ))}
        </SimpleGrid>
      )}
    </Paper>
  );
}

function Figure({ cents, large = false }: { readonly cents: number | undefined; readonly large?: boolean }) {
  if (cents === undefined) return <Skeleton height={large ? 40 : 28} width={180} />;
  return (
    <Money cents={cents} balance fz={large ? 'min(32px, 8vw)' : 22} fw={700} lh={1.25} display="block" />
  );
}

function Line({ cents, children }: { readonly cents: number | undefined; readonly children: ReactNode }) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      {children}
      {cents === undefined ? <Skeleton height={18} width={90} /> : <Money cents={cents} balance size="sm" />}
    </Group>
  );
}
