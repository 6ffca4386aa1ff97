import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CirclePlus, Link as LinkIcon, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { LINK_STATUSES } from '../../../src/payments/payment-links/link.ts';
import { useMay } from '../api/permissions.ts';
import { compact } from '../app/search.ts';
import { useSampleCall } from '../charges/sample.ts';
import { createdColumn, statusColumn } from '../components/columns.tsx';
import { CursorTable, type Column } from '../components/cursor-table.tsx';
import { EmptyState, PageTitle } from '../components/feedback.tsx';
import { StatusFilter } from '../components/filters.tsx';
import { useUpdateSearch } from '../components/listing.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { CopyIconButton, Money, Status } from '../components/values.tsx';
import { formatNumber } from '../i18n/format.ts';
import { LinkAmount } from './amount.tsx';
import { links, type PaymentLink } from './queries.ts';

const page = getRouteApi('/links');
const TAKE = 20;
const SAMPLE_LINK = { title: 'Caneca de cerâmica', amount: 4990 };

export function LinksPage(): ReactNode {
  const { t } = useTranslation();
  const { cursor, status: filter, search: text } = page.useSearch();
  const status = LINK_STATUSES.find((known) => known === filter);
  const navigate = page.useNavigate();
  const list = useQuery(links(compact({ cursor, status, search: text, take: TAKE })));
  const go = useUpdateSearch();
  return (
    <Stack>
      <PageTitle title={t('links.title')} intro={t('links.intro')}>
        <NewLinkButton />
      </PageTitle>
      <Group align="flex-end">
        <Box flex={1} miw={200}>
          <SearchBox
            label={t('links.search')}
            placeholder={t('links.search')}
            clear={t('charges.clearSearch')}
            value={text}
            onChange={(next) => go(compact({ status, search: next }))}
          />
        </Box>
        <StatusFilter
          kind="link"
          single
          statuses={LINK_STATUSES}
          value={status}
          onChange={(next) => go(compact({ status: next, search: text }))}
        />
      </Group>
      <CursorTable
        label={t('links.title')}
        query={list}
        columns={useLinkColumns()}
        onOpen={({ id }) => void navigate({ to: '/links/$id', params: { id } })}
        onPage={(next) => go(compact({ status, search: text }), next)}
        empty={status === undefined && text === undefined ? <NoLinks /> : <NoneFound />}
      />
    </Stack>
  );
}

function useLinkColumns(): readonly Column<PaymentLink>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'title',
      header: t('links.nameColumn'),
      phone: true,
      cell: (row) => (
        <Group gap={4} wrap="nowrap" align="flex-start">
          <div>
            <Text size="sm" fw={600} lineClamp={2} className="whole">
              {row.title}
            </Text>
            <Text size="sm" c="dimmed" component="div">
              <LinkAmount link={row} />
            </Text>
          </div>
          <CopyIconButton value={row.url} label={`${t('links.one')} ${row.title}`} />
        </Group>
      ),
    },
    {
      key: 'payments',
      header: t('links.payments'),
      right: true,
      cell: ({ paymentsCount, maxPayments: max }) =>
        max === null ? formatNumber(paymentsCount) : t('links.ofLimit', { count: paymentsCount, max }),
    },
    {
      key: 'received',
      header: t('links.received'),
      right: true,
      phone: true,
      cell: (row) => (
        <>
          <Money cents={row.paidAmount} size="sm" fw={600} />
          <Box hiddenFrom="sm">
            <Text size="xs" c="dimmed">
              {t('links.paymentsCount', { count: row.paymentsCount })}
            </Text>
            <Status kind="link" of={row.status} size="sm" />
          </Box>
        </>
      ),
    },
    statusColumn(t, 'link', { phone: false }),
    createdColumn(t),
  ];
}

function NewLinkButton() {
  const { t } = useTranslation();
  return useMay()('payment-links:write') ? (
    <Button component={Link} to="/links/new" leftSection={<CirclePlus size={16} aria-hidden />}>
      {t('links.new')}
    </Button>
  ) : null;
}

function NoneFound() {
  const { t } = useTranslation();
  return <EmptyState icon={<SearchX />} title={t('list.nothing')} hint={t('list.nothingHint')} />;
}

function NoLinks() {
  const { t } = useTranslation();
  const command = useSampleCall('payment-links', SAMPLE_LINK);
  return (
    <EmptyState
      icon={<LinkIcon />}
      title={t('links.emptyTitle')}
      hint={t('links.emptyHint')}
      command={command}
      action={<NewLinkButton />}
    />
  );
}
