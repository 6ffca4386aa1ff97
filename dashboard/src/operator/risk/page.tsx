import { Stack, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { PageTitle } from '../../components/feedback.tsx';
import { useUpdateSearch } from '../../components/listing.tsx';
import { Lists } from './lists.tsx';
import { Rules } from './rules.tsx';

const page = getRouteApi('/operator/risk');

/** The rules and lists that decide on charges before a provider is called. */
export function RiskPage(): ReactNode {
  const { t } = useTranslation();
  const { tab, list } = page.useSearch();
  const go = useUpdateSearch();
  return (
    <Stack>
      <PageTitle title={t('operator.risk.title')} intro={t('operator.risk.intro')} />
      <Tabs
        value={tab === 'lists' ? tab : 'rules'}
        onChange={(next) => go({ tab: next ?? undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="rules">{t('operator.risk.rules')}</Tabs.Tab>
          <Tabs.Tab value="lists">{t('operator.risk.lists')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rules">
          <Rules />
        </Tabs.Panel>
        <Tabs.Panel value="lists">
          <Lists chosen={list} onChoose={(kind) => go({ tab: 'lists', list: kind })} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
