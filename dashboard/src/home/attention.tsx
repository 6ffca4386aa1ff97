import { Anchor, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Banknote, CircleCheck, Send, ShieldAlert, Webhook, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../api/clock.ts';
import { useMay } from '../api/permissions.ts';
import { deliveries, disputes, webhooks, withdrawals } from '../api/queries.ts';
import { ErrorAlert, LoadingSkeleton } from '../components/feedback.tsx';
import { daysLeft, DaysLeft } from '../disputes/deadline.tsx';
import { localDay } from '../i18n/format.ts';

const DAYS_MS = 30 * 86_400_000;

/** Items that need the seller's attention, with links. */
export function Attention() {
  const { t } = useTranslation();
  const may = useMay();
  const since = localDay(new Date(serverNow() - DAYS_MS));
  const failed = useQuery({
    ...deliveries({ status: 'FAILED', startDate: since, take: 1 }),
    enabled: may('webhooks:read'),
    refetchInterval: 60_000,
  });
  const open = useQuery(disputes({ status: 'OPEN', sort: 'appealUntil', take: 1 }));
  const undone = useQuery(withdrawals({ status: 'REJECTED,FAILED', startDate: since, take: 1 }));
  const hooks = useQuery({ ...webhooks(), enabled: may('webhooks:read') });
  const all = [failed, open, undone, hooks];
  const disabled = hooks.data?.filter(({ status }) => status === 'DISABLED').length ?? 0;
  const soonest = open.data?.data[0]?.appealUntil;
  const broken = all.find((query) => query.isError && query.data === undefined);
  const nothing =
    all.every((query) => !query.isLoading) &&
    (failed.data?.count ?? 0) + (open.data?.count ?? 0) + (undone.data?.count ?? 0) + disabled === 0;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {t('home.attention')}
      </Title>
      {broken === undefined ? null : <ErrorAlert error={broken.error} retry={broken.refetch} />}
      {all.some((query) => query.isLoading) ? <LoadingSkeleton count={3} height={28} /> : null}
      <Stack gap="xs">
        {(open.data?.count ?? 0) > 0 ? (
          <Line
            icon={ShieldAlert}
            to="/disputes?status=OPEN"
            text={t('home.openDisputes', { count: open.data?.count ?? 0 })}
          >
            {soonest === undefined ? null : <DaysLeft days={daysLeft(soonest)} />}
          </Line>
        ) : null}
        {(failed.data?.count ?? 0) > 0 ? (
          <Line
            icon={Send}
            to={`/developers/deliveries?status=FAILED&startDate=${since}`}
            text={t('home.failedDeliveries', { count: failed.data?.count ?? 0 })}
          />
        ) : null}
        {disabled > 0 ? (
          <Line
            icon={Webhook}
            to="/developers/webhooks"
            text={t('home.disabledWebhooks', { count: disabled })}
          />
        ) : null}
        {(undone.data?.count ?? 0) > 0 ? (
          <Line
            icon={Banknote}
            to={`/withdrawals?status=REJECTED,FAILED&startDate=${since}`}
            text={t('home.failedWithdrawals', { count: undone.data?.count ?? 0 })}
          />
        ) : null}
        {nothing && broken === undefined ? (
          <Group gap="xs">
            <ThemeIcon variant="light" aria-hidden>
              <CircleCheck size={18} />
            </ThemeIcon>
            <Text c="dimmed">{t('home.allGood')}</Text>
          </Group>
        ) : null}
      </Stack>
    </Paper>
  );
}

function Line({
  icon: Icon,
  to,
  text,
  children,
}: {
  readonly icon: LucideIcon;
  readonly to: string;
  readonly text: string;
  readonly children?: React.ReactNode;
}) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <ThemeIcon variant="light" color="orange" aria-hidden>
        <Icon size={18} />
      </ThemeIcon>
      <Group gap="xs" mih={28}>
        <Anchor component={Link} to={to}>
          {text}
        </Anchor>
        {children}
      </Group>
    </Group>
  );
}
