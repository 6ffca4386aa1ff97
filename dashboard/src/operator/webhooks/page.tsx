import { Badge, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { components } from '../../api/schema.gen.ts';
import { compact } from '../../app/search.ts';
import { createdColumn } from '../../components/columns.tsx';
import type { Column } from '../../components/cursor-table.tsx';
import { RelativeTime, Status } from '../../components/values.tsx';
import { Listing } from '../../components/listing.tsx';
import { findText } from '../../i18n/find-text.ts';
import { detailLabel } from '../components/details.ts';
import { SellerFilter } from '../components/seller-filter.tsx';
import { SellerLink } from '../components/seller-link.tsx';
import { allWebhooks } from '../queries.ts';

const page = getRouteApi('/operator/webhooks');
const TAKE = 20;

type OwnedWebhook = components['schemas']['OperatorWebhook'];

const asBoolean = (text: string | undefined): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;

/** Webhooks of all sellers, with failing endpoints. */
export function AllWebhooksPage(): ReactNode {
  const { t } = useTranslation();
  const search = page.useSearch();
  const { cursor, ...chosen } = search;
  const list = useQuery(
    allWebhooks(
      compact({ disabled: asBoolean(chosen.disabled), sellerId: chosen.sellerId, cursor, take: TAKE }),
    ),
  );
  const columns = useWebhookColumns();
  return (
    <Listing
      title={t('operator.webhooks.title')}
      intro={t('operator.webhooks.intro')}
      search={search}
      views={{
        list: 'operator-webhooks',
        given: [
          { name: t('operator.webhooks.viewAll'), filters: {} },
          { name: t('operator.webhooks.viewDisabled'), filters: { disabled: 'true' } },
          { name: t('operator.webhooks.viewActive'), filters: { disabled: 'false' } },
        ],
      }}
      filters={(change) => (
        <SellerFilter value={chosen.sellerId} onChange={(sellerId) => change({ sellerId })} />
      )}
      query={list}
      columns={columns}
      empty={{
        icon: <Webhook />,
        title: t('operator.webhooks.emptyTitle'),
        hint: t('operator.webhooks.emptyHint'),
      }}
    />
  );
}

function useWebhookColumns(): readonly Column<OwnedWebhook>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'seller',
      header: t('operator.seller'),
      phone: true,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">
            <SellerLink id={row.sellerId} name={row.sellerName} />
          </Text>
          <Text size="xs" c="dimmed" className="whole">
            {row.url}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'about',
      header: t('operator.webhooks.events'),
      cell: (row) => findText(`webhooks.types.${row.eventType}`) ?? row.eventType,
    },
    {
      key: 'status',
      header: t('common.status'),
      phone: true,
      cell: (row) => (
        <Stack gap={2} align="flex-start">
          {row.status === 'ACTIVE' && row.failingSince !== null ? (
            <Badge color="orange" variant="light" tt="none">
              {t('operator.webhooks.failing')}
            </Badge>
          ) : (
            <Status kind="webhook" of={row.status} />
          )}
          {row.disabledReason === null ? null : (
            <Text size="xs" c="dimmed">
              {detailLabel(row.disabledReason)}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'failing',
      header: t('operator.webhooks.failingSince'),
      cell: (row) => (row.failingSince === null ? '—' : <RelativeTime at={row.failingSince} size="sm" />),
    },
    createdColumn(t, { header: t('operator.createdAt') }),
  ];
}
