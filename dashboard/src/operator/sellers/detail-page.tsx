import { Anchor, Breadcrumbs, Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { oneOf } from '../../app/search.ts';
import { Id, Status, StatusDescription } from '../../components/values.tsx';
import { useUpdateSearch } from '../../components/listing.tsx';
import { ErrorAlert, LoadingSkeleton, PageHeading } from '../../components/feedback.tsx';
import { seller } from './queries.ts';
import { FeesTab } from './fees-tab.tsx';
import { KeysTab } from './keys-tab.tsx';
import { LimitsTab } from './limits-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const page = getRouteApi('/operator/sellers/$id');
const TABS = ['overview', 'limits', 'fees', 'users', 'keys'] as const;

/** Details of a seller. The active tab is in the URL. */
export function SellerPage(): ReactNode {
  const { t } = useTranslation();
  const { id } = page.useParams();
  const search = page.useSearch();
  const go = useUpdateSearch();
  const query = useQuery(seller(id));
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} retry={query.refetch} />
    ) : (
      <LoadingSkeleton count={8} />
    );
  }
  const { data } = query;
  const tab = oneOf(TABS, search.tab) ?? 'overview';
  return (
    <Stack>
      <Breadcrumbs>
        <Anchor component={Link} to="/operator/sellers" activeOptions={{ exact: true }} size="sm">
          {t('operator.sellers.title')}
        </Anchor>
        <Text size="sm" lineClamp={1}>
          {data.name}
        </Text>
      </Breadcrumbs>
      <Group gap="sm">
        <PageHeading className="whole">{data.name}</PageHeading>
        <Status kind="operator.seller" of={data.status} size="lg" />
      </Group>
      <StatusDescription kind="operator.seller" of={data.status} />
      <Group gap="md">
        <Text size="sm" c="dimmed" className="figures">
          {data.documentType} {data.document}
        </Text>
        <Id id={data.id} />
      </Group>
      <Tabs
        value={tab}
        onChange={(next) => go({ tab: next === null || next === 'overview' ? undefined : next })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`operator.sellers.tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewTab seller={data} />
        </Tabs.Panel>
        <Tabs.Panel value="limits">
          <LimitsTab key={data.updatedAt} seller={data} />
        </Tabs.Panel>
        <Tabs.Panel value="fees">
          <FeesTab sellerId={id} />
        </Tabs.Panel>
        <Tabs.Panel value="users">
          <UsersTab sellerId={id} cursor={search.cursor} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <KeysTab sellerId={id} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
