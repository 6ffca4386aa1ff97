import { Box, Center, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isSandbox } from '../api/permissions.ts';
import { focusFirst } from '../components/first-focus.ts';
import { endFirstPage } from '../components/page-focus.ts';
import { LanguageControl, SchemeControl } from '../settings/controls.tsx';

/** Page of a visitor who is not signed in. Its steps have keys, so that each gets the focus. */
export function SessionFrame({
  title,
  intro,
  children,
}: {
  readonly title: string;
  readonly intro: string;
  readonly children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  useEffect(endFirstPage, []);
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
    return () => {
      document.title = t('product');
    };
  }, [title, t]);
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
          <Paper ref={focusFirst} withBorder p="lg" radius="md">
            <Stack>
              {/* Says what has become of a form. */}
              <div aria-live="polite">
                <Title order={1} size="h3">
                  {title}
                </Title>
                <Text c="dimmed">{intro}</Text>
              </div>
              {children}
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
