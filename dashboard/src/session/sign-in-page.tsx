import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isSandbox } from '../api/permissions.ts';
import { SessionFrame } from './frame.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage(): ReactNode {
  const { t } = useTranslation();
  return (
    <SessionFrame title={t('session.title')} intro={t('session.intro')}>
      <SignInForm />
      {isSandbox ? (
        <Text size="sm" c="dimmed">
          {t('session.sandboxHint')}
        </Text>
      ) : null}
    </SessionFrame>
  );
}
