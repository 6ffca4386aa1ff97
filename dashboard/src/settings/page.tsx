import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isOperator, useMay, useUser } from '../api/permissions.ts';
import { signOut } from '../api/session.ts';
import { PageTitle } from '../components/feedback.tsx';
import { NotificationChoices } from '../notifications/choices.tsx';
import { LanguageControl, SchemeControl } from './controls.tsx';
import { Password } from './password.tsx';
import { Passkeys } from './passkeys.tsx';
import { Payers } from './payers.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export function SettingsPage(): ReactNode {
  const { t } = useTranslation();
  const user = useUser();
  const may = useMay();
  return (
    <Stack maw={640}>
      <PageTitle title={t('settings.title')} />
      <Paper withBorder p="md">
        <Stack gap="xs">
          <Title order={2} size="h4">
            {t('settings.you')}
          </Title>
          <Text fw={600}>{user.name}</Text>
          <Text c="dimmed">{user.email}</Text>
          <Text>
            {t('settings.role')}: {t(`role.${user.role}`)}
          </Text>
          <Group>
            <Button variant="default" onClick={() => void signOut()}>
              {t('session.signOut')}
            </Button>
          </Group>
        </Stack>
      </Paper>
      <Paper withBorder p="md">
        <Stack>
          <Group justify="space-between">
            <Text fw={600}>{t('settings.language')}</Text>
            <LanguageControl />
          </Group>
          <Group justify="space-between">
            <Text fw={600}>{t('settings.theme')}</Text>
            <SchemeControl />
          </Group>
        </Stack>
      </Paper>
      {isOperator(user) ? null : <NotificationChoices />}
      {may('settings:read') ? <Payers /> : null}
      <Password />
      <Passkeys />
      <SecondFactor />
      <Sessions />
    </Stack>
  );
}
