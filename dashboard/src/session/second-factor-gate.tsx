import { Box, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { signOut } from '../api/session.ts';
import { focusFirst } from '../components/first-focus.ts';
import { ErrorAlert } from '../components/feedback.tsx';
import { me } from '../settings/account.ts';
import { Passkeys } from '../settings/passkeys.tsx';
import { SecondFactor } from '../settings/second-factor.tsx';

/** Outside the sandbox an operator sets up a second factor before anything else. */
export function SecondFactorGate({
  required,
  children,
}: {
  readonly required: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ ...me(), enabled: required });
  const [settingUp, setSettingUp] = useState(false);
  const active = data !== undefined && (data.twoFactor.active || data.twoFactor.passkeys > 0);
  if (!required || (active && !settingUp)) return children;
  // The page stays until the recovery codes are read.
  if (data !== undefined && !settingUp) setSettingUp(true);
  return (
    <Box component="main">
      <Center px="md" py="xl" mih="100dvh">
        {data === undefined ? (
          <Waiting error={error} retry={() => void refetch()} />
        ) : (
          <Stack w="100%" maw={480}>
            <div ref={focusFirst}>
              <Title order={1} size="h3">
                {t('session.setUpTitle')}
              </Title>
              <Text c="dimmed">{t('session.setUpIntro')}</Text>
            </div>
            <Passkeys isListed={false} />
            <SecondFactor />
            <Group>
              <Button disabled={!active} onClick={() => setSettingUp(false)}>
                {t('settings.continue')}
              </Button>
              <Button variant="default" onClick={() => void signOut()}>
                {t('session.signOut')}
              </Button>
            </Group>
          </Stack>
        )}
      </Center>
    </Box>
  );
}

function Waiting({ error, retry }: { readonly error: Error | null; readonly retry: () => void }): ReactNode {
  const { t } = useTranslation();
  return error === null ? (
    <Loader aria-label={t('common.loading')} />
  ) : (
    <ErrorAlert error={error} retry={retry} />
  );
}
