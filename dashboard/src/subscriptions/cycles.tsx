import { Anchor, Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { compact } from '../app/search.ts';
import { amountColumn, statusColumn } from '../components/columns.tsx';
import { Confirm } from '../components/confirm.tsx';
import { CursorTable } from '../components/cursor-table.tsx';
import { EmptyState } from '../components/feedback.tsx';
import { useUpdateSearch } from '../components/listing.tsx';
import { formatDate, formatDay } from '../i18n/format.ts';
import { translateReason } from '../i18n/reasons.ts';
import { noonOf } from './list-page.tsx';
import { invoices, retryInvoice, type Invoice, type Subscription } from './queries.ts';

const TAKE = 12;
const CLOSED: readonly Subscription['status'][] = ['PENDING', 'CANCELLED', 'REJECTED', 'EXPIRED'];

/** Whether the gateway would charge an invoice again. A bank retries its own charge. */
function isRetryable({ status, method }: Subscription, invoice: Invoice): boolean {
  const isDeclined = invoice.status === 'PENDING' && invoice.attempts.at(-1)?.status === 'FAILED';
  return (
    !CLOSED.includes(status) && (invoice.status === 'FAILED' || (isDeclined && method !== 'PIX_AUTOMATICO'))
  );
}

/** The cycles so far, newest first: when each was due, what was tried, and why it failed. */
export function Cycles({
  subscription,
  cursor,
}: {
  readonly subscription: Subscription;
  readonly cursor: string | undefined;
}) {
  const { t } = useTranslation();
  const mayWrite = useMay()('subscriptions:write');
  const go = useUpdateSearch();
  const list = useQuery(invoices(subscription.id, compact({ cursor, take: TAKE })));
  const [retried, setRetried] = useState<Invoice>();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('subscriptions.cycleCalendar')}
      </Title>
      <CursorTable
        label={t('subscriptions.cycleCalendar')}
        query={list}
        columns={[
          {
            key: 'date',
            header: t('subscriptions.dueDate'),
            phone: true,
            grows: true,
            cell: (row) => (
              <Stack gap={2} align="flex-start">
                <Text size="sm" fw={600}>
                  {formatDate(noonOf(row.dueDate))}
                </Text>
                <WhatHappened invoice={row} />
                {mayWrite && isRetryable(subscription, row) ? (
                  <Button size="xs" variant="default" onClick={() => setRetried(row)}>
                    {t('subscriptions.retry.action')}
                  </Button>
                ) : null}
              </Stack>
            ),
          },
          amountColumn(t),
          statusColumn(t, 'invoice'),
        ]}
        onPage={(next) => go({}, next)}
        empty={
          <Paper withBorder>
            <EmptyState
              icon={<CalendarClock />}
              title={t('subscriptions.noCycles')}
              hint={t('subscriptions.noCyclesHint')}
            />
          </Paper>
        }
      />
      <Confirm
        opened={retried !== undefined}
        onClose={() => setRetried(undefined)}
        title={t('subscriptions.retry.title')}
        message={t(
          subscription.method === 'PIX_AUTOMATICO' ? 'subscriptions.retry.byBank' : 'subscriptions.retry.now',
        )}
        action={t('subscriptions.retry.action')}
        done={t('subscriptions.retry.done')}
        run={async () => (retried === undefined ? undefined : retryInvoice(retried))}
      />
    </Stack>
  );
}

/** The attempts with the reason of each failure, the next one, and the newest charge. */
function WhatHappened({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation();
  const failed = invoice.attempts.filter(({ status }) => status === 'FAILED');
  return (
    <>
      {failed.map(({ date, reason }, index) => (
        <Text key={`${date} ${String(index)}`} size="sm" c="dimmed" className="whole">
          {formatDay(date)}: {reason === null ? t('subscriptions.failed') : translateReason(reason)}
        </Text>
      ))}
      {invoice.nextAttemptDate === null || failed.length === 0 ? null : (
        <Text size="sm" c="dimmed">
          {t('subscriptions.nextAttempt', { day: formatDay(invoice.nextAttemptDate) })}
        </Text>
      )}
      {invoice.transactionId === null ? null : (
        <Anchor component={Link} to={`/charges/${invoice.transactionId}`} size="sm" underline="always">
          {t('subscriptions.openCharge')}
        </Anchor>
      )}
    </>
  );
}
