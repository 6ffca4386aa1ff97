import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isSandbox } from '../api/permissions.ts';
import { signupSettings } from '../onboarding/queries.ts';
import { SessionFrame } from './frame.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage(): ReactNode {
  const { t } = useTranslation();
  const signup = useQuery(signupSettings());
  return (
    <SessionFrame title={t('session.title')} intro={t('session.intro')}>
      <SignInForm />
      {signup.data?.open === true ? (
        <Text size="sm">
          {t('onboarding.noAccount')}{' '}
          <Anchor component={Link} to="/signup" size="sm" underline="always">
            {t('onboarding.signUp')}
          </Anchor>
        </Text>
      ) : null}
      {isSandbox ? (
        <Text size="sm" c="dimmed">
          {t('session.sandboxHint')}
        </Text>
      ) : null}
    </SessionFrame>
  );
}
