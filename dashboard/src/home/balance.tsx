import { Anchor, Button, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ORIGINS } from '../../../src/accounting/ledger/entries.ts';
import { useMay } from '../api/permissions.ts';
import { releases, wallet } from '../api/queries.ts';
import { Money } from '../components/values.tsx';
import { ErrorAlert } from '../components/feedback.tsx';
import { formatDay } from '../i18n/format.ts';

/** Days shown separately; later days are one sum. */
const DAYS_SHOWN = 3;

/** Causes of blocked balance, with the list that explains each. */
const CAUSES = [
  ['retention', '/statement?cause=PAYMENT'],
  ['disputes', '/disputes'],
  ['withdrawals', '/withdrawals?status=PENDING,APPROVED,PROCESSING'],
  ['refunds', '/statement?cause=REFUND_RESERVED'],
] as const;

/** Available, blocked and upcoming balance. */
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
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Paper withBorder p="md">
        <Text size="sm" c="dimmed">
          {t('home.available')}
        </Text>
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
        <Text size="sm" c="dimmed">
          {t('home.blocked')}
        </Text>
        <Figure cents={data?.blockedBalance} />
        <Stack gap={2} mt="sm">
          {coming.data === undefined ? <Skeleton height={44} /> : null}
          {coming.data?.blocked.total === 0 ? (
            <Text size="sm" c="dimmed">
              {t('home.nothingBlocked')}
            </Text>
          ) : null}
          {CAUSES.map(([cause, to]) => {
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
      <Paper withBorder p="md">
        <Text size="sm" c="dimmed">
          {t('home.releases')}
        </Text>
        <Coming />
      </Paper>
    </SimpleGrid>
  );
}

function Coming() {
  const { t } = useTranslation();
  const { data, isError } = useQuery(releases());
  if (data === undefined) return isError ? <Text>—</Text> : <Skeleton height={72} mt="xs" />;
  const byDay = new Map<string, number>();
  for (const { day, amount } of data.upcoming) byDay.set(day, (byDay.get(day) ?? 0) + amount);
  const days = [...byDay];
  const rest = days.slice(DAYS_SHOWN).reduce((sum, [, cents]) => sum + cents, data.laterAmount);
  if (days.length === 0 && rest === 0) {
    return (
      <Text size="sm" c="dimmed" mt="xs">
        {t('home.noReleases')}
      </Text>
    );
  }
  return (
    <Stack gap={4} mt="xs">
      {days.slice(0, DAYS_SHOWN).map(([day, cents]) => (
        <Line key={day} cents={cents}>
          <Text size="sm">{formatDay(day)}</Text>
        </Line>
      ))}
      {rest === 0 ? null : (
        <Line cents={rest}>
          <Text size="sm" c="dimmed">
            {t('home.later')}
          </Text>
        </Line>
      )}
    </Stack>
  );
}

function Figure({ cents, large = false }: { readonly cents: number | undefined; readonly large?: boolean }) {
  if (cents === undefined) return <Skeleton height={large ? 40 : 28} width={180} />;
  return <Money cents={cents} fz={large ? 32 : 22} fw={700} lh={1.25} display="block" />;
}

function Line({ cents, children }: { readonly cents: number | undefined; readonly children: ReactNode }) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      {children}
      {cents === undefined ? <Skeleton height={18} width={90} /> : <Money cents={cents} size="sm" />}
    </Group>
  );
}
