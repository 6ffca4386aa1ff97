import { Box, Center, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isSandbox } from '../api/permissions.ts';
import { LanguageControl, SchemeControl } from '../settings/controls.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage(): ReactNode {
  const { t } = useTranslation();
  return (
    <Box component="main" mih="100dvh">
      {isSandbox ? <div className="band">{t('sandbox')}</div> : null}
      <Center px="md" py="xl" mih="calc(100dvh - 22px)">
        <Stack w="100%" maw={400} gap="lg">
          <Group gap="sm">
            <Image src="/assets/icon.svg" alt="" w={36} h={36} />
            <Text fw={700} size="xl">
              {t('product')}
            </Text>
          </Group>
          <Paper withBorder p="lg" radius="md">
            <Stack>
              <div>
                <Title order={1} size="h3">
                  {t('session.title')}
                </Title>
                <Text c="dimmed">{t('session.intro')}</Text>
              </div>
              <SignInForm />
              {isSandbox ? (
                <Text size="sm" c="dimmed">
                  {t('session.sandboxHint')}
                </Text>
              ) : null}
            </Stack>
          </Paper>
          <Group justify="space-between">
            <LanguageControl />
            <SchemeControl />
          </Group>
        </Stack>
      </Center>
    </Box>
  );
}
