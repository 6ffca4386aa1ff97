import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { CirclePlus, Repeat } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { SUBSCRIPTION_STATUSES } from '../../../src/subscriptions/subscription.ts';
import { useMay } from '../api/permissions.ts';
import { compact } from '../app/search.ts';
import { amountAndStatusColumn, createdColumn, methodColumn, statusColumn } from '../components/columns.tsx';
import type { Column } from '../components/cursor-table.tsx';
import { StatusFilter } from '../components/filters.tsx';
import { Listing } from '../components/listing.tsx';
import { useColumnChoice } from '../components/views.tsx';
import { formatDate } from '../i18n/format.ts';
import { subscriptions, type Subscription } from './queries.ts';
import { Revenue } from './revenue.tsx';

const page = getRouteApi('/subscriptions');
const TAKE = 20;

/** Noon in São Paulo, which is the same day everywhere in Brazil. */
export const noonOf = (day: string): string => `${day}T12:00:00-03:00`;

const subscriptionColumns = (t: TFunction): readonly Column<Subscription>[] => [
  {
    key: 'name',
    header: t('subscriptions.nameColumn'),
    phone: true,
    cell: (row) => (
      <>
        <Text size="sm" fw={600} lineClamp={2} className="whole">
          {row.description ?? t('subscriptions.one')}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={1} className="whole">
          {t(`subscriptions.interval.${row.interval}`)}
          {row.customer === null ? '' : ` · ${row.customer.name}`}
        </Text>
      </>
    ),
  },
  methodColumn(t),
  {
    key: 'next',
    header: t('subscriptions.nextCharge'),
    cell: ({ nextChargeDate: day }) => (day === null ? '' : formatDate(noonOf(day))),
  },
  createdColumn(t),
  statusColumn(t, 'subscription', { phone: false }),
  amountAndStatusColumn(t, 'subscription'),
];

export function SubscriptionsPage(): ReactNode {
  const { t } = useTranslation();
  const { cursor, status } = page.useSearch();
  const navigate = page.useNavigate();
  const list = useQuery(subscriptions(compact({ cursor, status, take: TAKE })));
  const { columns, choice } = useColumnChoice('subscriptions', subscriptionColumns(t));
  return (
    <Listing
      title={t('subscriptions.title')}
      intro={t('subscriptions.intro')}
      actions={<NewSubscriptionButton />}
      search={{ cursor, status }}
      filters={(change) => (
        <StatusFilter
          kind="subscription"
          statuses={SUBSCRIPTION_STATUSES}
          value={status}
          onChange={(next) => change({ status: next })}
        />
      )}
      summary={<Revenue />}
      query={list}
      columns={columns}
      choice={choice}
      onOpen={({ id }) => void navigate({ to: '/subscriptions/$id', params: { id } })}
      empty={{
        icon: <Repeat />,
        title: t('subscriptions.emptyTitle'),
        hint: t('subscriptions.emptyHint'),
        action: <NewSubscriptionButton />,
      }}
    />
  );
}

function NewSubscriptionButton() {
  const { t } = useTranslation();
  return useMay()('subscriptions:write') ? (
    <Button component={Link} to="/subscriptions/new" leftSection={<CirclePlus size={16} aria-hidden />}>
      {t('subscriptions.new')}
    </Button>
  ) : null;
}
