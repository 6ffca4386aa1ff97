import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../../api/permissions.ts';
import { compact, oneOf } from '../../app/search.ts';
import { idColumn, statusColumn } from '../../components/columns.tsx';
import type { Column } from '../../components/cursor-table.tsx';
import { RelativeTime } from '../../components/values.tsx';
import { StatusFilter, TextFilter } from '../../components/filters.tsx';
import { Listing } from '../../components/listing.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { SELLER_STATUSES } from '../../i18n/statuses.ts';
import { sellers, type Seller } from './queries.ts';

const page = getRouteApi('/operator/sellers');
const TAKE = 20;

export function SellersPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const search = page.useSearch();
  const { cursor, ...chosen } = search;
  const list = useQuery(
    sellers(compact({ ...chosen, status: oneOf(SELLER_STATUSES, chosen.status), cursor, take: TAKE })),
  );
  const columns = useSellerColumns();
  return (
    <Listing
      title={t('operator.sellers.title')}
      actions={
        may('operator:write') ? (
          <Button component={Link} to="/operator/sellers/new" leftSection={<Store size={16} aria-hidden />}>
            {t('operator.sellers.new')}
          </Button>
        ) : null
      }
      search={search}
      file={{ path: '/v1/admin/sellers', name: t('operator.sellers.file') }}
      views={{
        list: 'operator-sellers',
        given: [
          { name: t('operator.sellers.viewAll'), filters: {} },
          { name: t('operator.sellers.viewPending'), filters: { status: 'PENDING' } },
          { name: t('operator.sellers.viewSuspended'), filters: { status: 'SUSPENDED' } },
        ],
      }}
      filters={(change) => (
        <>
          <TextFilter
            label={t('operator.sellers.search')}
            w={230}
            value={chosen.search}
            onChange={(text) => change({ search: text })}
          />
          <StatusFilter
            single
            kind="operator.seller"
            statuses={SELLER_STATUSES}
            value={chosen.status}
            onChange={(status) => change({ status })}
          />
        </>
      )}
      query={list}
      onOpen={({ id }) => void navigate({ to: '/operator/sellers/$id', params: { id } })}
      columns={columns}
      empty={{
        icon: <Store />,
        title: t('operator.sellers.emptyTitle'),
        hint: t('operator.sellers.emptyHint'),
      }}
    />
  );
}

function useSellerColumns(): readonly Column<Seller>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'name',
      header: t('operator.seller'),
      phone: true,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" fw={600} lineClamp={1}>
            {row.name}
          </Text>
          <Text size="xs" c="dimmed" className="figures">
            {row.document}
          </Text>
        </Stack>
      ),
    },
    statusColumn(t, 'operator.seller'),
    idColumn(t),
    {
      key: 'since',
      header: t('operator.createdAt'),
      cell: (row) => <RelativeTime at={row.createdAt} size="sm" />,
    },
    {
      key: 'auto',
      header: t('operator.limits.autoApproveUpTo'),
      right: true,
      cell: (row) => (
        <Text span size="sm" className="figures">
          {row.autoApproveUpTo === 0 ? t('operator.limits.disabled') : formatMoney(row.autoApproveUpTo)}
        </Text>
      ),
    },
  ];
}
