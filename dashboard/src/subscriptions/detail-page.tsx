import { Anchor, Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { Confirm } from '../components/confirm.tsx';
import { DescriptionItem, DescriptionList } from '../components/description-list.tsx';
import { ErrorAlert, LoadingSkeleton, PageTitle } from '../components/feedback.tsx';
import { CopyIconButton, DateTime, Id, Money, Status, StatusDescription } from '../components/values.tsx';
import { customer } from '../customers/queries.ts';
import { methodLabel } from '../i18n/find-text.ts';
import { formatDate } from '../i18n/format.ts';
import { Authorization } from './authorization.tsx';
import { Cycles } from './cycles.tsx';
import { EditSubscriptionDialog } from './edit-dialog.tsx';
import { noonOf } from './list-page.tsx';
import { act, subscription as one, type Action, type Subscription } from './queries.ts';

const page = getRouteApi('/subscriptions/$id');

export function SubscriptionPage(): ReactNode {
  const { t } = useTranslation();
  const { id } = page.useParams();
  const query = useQuery(one(id));
  return (
    <Stack>
      <Anchor component={Link} to="/subscriptions" activeOptions={{ exact: true }} size="sm">
        ← {t('subscriptions.title')}
      </Anchor>
      {query.isError && query.data === undefined ? (
        <ErrorAlert error={query.error} retry={query.refetch} />
      ) : null}
      {query.isPending ? <LoadingSkeleton count={8} /> : null}
      {query.data === undefined ? null : <SubscriptionDetail subscription={query.data} />}
    </Stack>
  );
}

interface Shown {
  readonly subscription: Subscription;
}

function SubscriptionDetail({ subscription }: Shown) {
  const { t } = useTranslation();
  const { description, status, amount, interval, pixAutomatico } = subscription;
  return (
    <>
      <PageTitle title={description ?? t('subscriptions.one')}>
        <SubscriptionActions subscription={subscription} />
      </PageTitle>
      <Group gap="sm">
        <Status kind="subscription" of={status} size="lg" />
        <span>
          <Money cents={amount} size="lg" fw={600} /> · {t(`subscriptions.interval.${interval}`)}
        </span>
      </Group>
      <StatusDescription kind="subscription" of={status} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {pixAutomatico === null ? null : <Authorization authorization={pixAutomatico} status={status} />}
        <Settings subscription={subscription} />
      </SimpleGrid>
      <Cycles subscription={subscription} cursor={page.useSearch().cursor} />
    </>
  );
}

const CHARGING: readonly Subscription['status'][] = ['ACTIVE', 'PAST_DUE'];
const ENDED: readonly Subscription['status'][] = ['CANCELLED', 'COMPLETED', 'REJECTED', 'EXPIRED'];

function SubscriptionActions({ subscription }: Shown) {
  const { id, status } = subscription;
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const may = useMay();
  const [chosen, setChosen] = useState<Action>();
  if (!may('subscriptions:write') || ENDED.includes(status)) return null;
  const actions: readonly Action[] = [
    ...(CHARGING.includes(status) ? (['pause'] as const) : []),
    ...(status === 'PAUSED' ? (['resume'] as const) : []),
    'cancel',
  ];
  return (
    <>
      <Button variant="default" onClick={() => setEditing(true)}>
        {t('subscriptions.edit')}
      </Button>
      <EditSubscriptionDialog
        // Starts from what is stored each time.
        key={String(isEditing)}
        subscription={subscription}
        opened={isEditing}
        onClose={() => setEditing(false)}
      />
      {actions.map((action) => (
        <Button key={action} variant="default" onClick={() => setChosen(action)}>
          {t(`subscriptions.${action}.action`)}
        </Button>
      ))}
      {actions.map((action) => (
        <Confirm
          key={action}
          opened={chosen === action}
          onClose={() => setChosen(undefined)}
          title={t(`subscriptions.${action}.title`)}
          message={t(`subscriptions.${action}.message`)}
          action={t(`subscriptions.${action}.action`)}
          done={t(`subscriptions.${action}.done`)}
          dismiss={t('subscriptions.back')}
          danger={action === 'cancel'}
          run={() => act(id, action)}
        />
      ))}
    </>
  );
}

function Settings({ subscription }: Shown) {
  const { t } = useTranslation();
  const { startDate, nextChargeDate, cycles, chargedCycles, externalRef, payerUrl } = subscription;
  return (
    <DescriptionList title={t('subscriptions.details')}>
      <DescriptionItem name={t('customers.one')}>
        <Payer subscription={subscription} />
      </DescriptionItem>
      <DescriptionItem name={t('common.method')}>{methodLabel(subscription.method)}</DescriptionItem>
      <DescriptionItem name={t('subscriptions.nextCharge')}>
        {nextChargeDate === null ? t('subscriptions.none') : formatDate(noonOf(nextChargeDate))}
      </DescriptionItem>
      <DescriptionItem name={t('subscriptions.startDate')}>{formatDate(noonOf(startDate))}</DescriptionItem>
      <DescriptionItem name={t('subscriptions.chargedCycles')}>
        {cycles === null
          ? t('subscriptions.charged', { count: chargedCycles })
          : t('links.ofLimit', { count: chargedCycles, max: cycles })}
      </DescriptionItem>
      <DescriptionItem name={t('subscriptions.retries')}>
        {t(`subscriptions.retryPolicy.${subscription.retryPolicy}`)}
      </DescriptionItem>
      <DescriptionItem name={t('subscriptions.onUnpaidLabel')}>
        {t(`subscriptions.onUnpaid.${subscription.onUnpaid}`)}
      </DescriptionItem>
      <DescriptionItem name={t('subscriptions.payerPage')}>
        <Group gap={4} wrap="nowrap">
          <Anchor href={payerUrl} target="_blank" rel="noopener" size="sm" underline="always">
            {t('subscriptions.openPayerPage')}
          </Anchor>
          <CopyIconButton value={payerUrl} label={t('subscriptions.payerPageLink')} />
        </Group>
      </DescriptionItem>
      {externalRef === null ? null : (
        <DescriptionItem name={t('subscriptions.externalRef')}>{externalRef}</DescriptionItem>
      )}
      <DescriptionItem name={t('common.created')}>
        <DateTime at={subscription.createdAt} />
      </DescriptionItem>
      <DescriptionItem name={t('common.id')}>
        <Id id={subscription.id} />
      </DescriptionItem>
    </DescriptionList>
  );
}

/** The payer as given, or the customer record. */
function Payer({ subscription: { customerId, customer: given } }: Shown) {
  const { t } = useTranslation();
  const record = useQuery({ ...customer(customerId ?? ''), enabled: customerId !== null });
  if (customerId === null) return given?.name ?? '';
  return (
    <Anchor component={Link} to={`/customers/${customerId}`} size="sm" underline="always">
      {record.data?.name ?? t('customers.one')}
    </Anchor>
  );
}
