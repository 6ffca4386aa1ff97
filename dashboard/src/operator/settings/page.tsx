import { Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ErrorAlert, LoadingSkeleton, PageTitle } from '../../components/feedback.tsx';
import { operatorSettings } from '../queries.ts';
import { SettingsHistory } from './history.tsx';
import { ProviderRoutes } from './providers.tsx';
import { SettingRow, type SettingName } from './setting-row.tsx';

const SECTIONS: readonly {
  readonly name: 'disputes' | 'limits' | 'retention';
  readonly of: readonly SettingName[];
}[] = [
  { name: 'disputes', of: ['medWindowDays'] },
  {
    name: 'limits',
    of: ['checkoutUnpaidPerHour', 'checkoutDeclinesPerAddress', 'checkoutDeclinesPerLink', 'signupsPerHour'],
  },
  { name: 'retention', of: ['webhookLogDays', 'applicationRetentionDays'] },
];

/** What operators change while the gateway runs: providers, limits, retention. */
export function OperatorSettingsPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(operatorSettings());
  return (
    <Stack maw={760}>
      <PageTitle title={t('operator.settings.title')} intro={t('operator.settings.intro')} />
      <ProviderRoutes />
      {query.data === undefined ? (
        query.isError ? (
          <ErrorAlert error={query.error} retry={query.refetch} />
        ) : (
          <LoadingSkeleton count={3} />
        )
      ) : (
        SECTIONS.map(({ name, of }) => (
          <Stack key={name} gap="xs">
            <Title order={2} size="h4">
              {t(`operator.settings.sections.${name}`)}
            </Title>
            <Paper withBorder p="md">
              <Stack gap="lg">
                {of.map((setting) => (
                  // A saved value replaces what the field shows.
                  <SettingRow key={`${setting} ${query.data[setting]}`} name={setting} saved={query.data} />
                ))}
              </Stack>
            </Paper>
          </Stack>
        ))
      )}
      <SettingsHistory />
    </Stack>
  );
}
