import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { publicApi, unwrap } from '../api/client.ts';
import { ErrorAlert } from '../components/feedback.tsx';
import { SessionFrame } from '../session/frame.tsx';
import { isInvalidLink, linkToken } from '../session/link-token.ts';

/**
 * Confirms the email of a sign-up. A button, because programs that check mails open their links.
 */
export function ConfirmSignupPage(): ReactNode {
  const { t } = useTranslation();
  const [token] = useState(linkToken);
  const mutation = useMutation({
    mutationFn: () => unwrap(publicApi.POST('/v1/signup/confirm', { body: { token: token ?? '' } })),
  });
  const toSignIn = (
    <Button component={Link} to="/">
      {t('session.title')}
    </Button>
  );
  if (mutation.isSuccess) {
    return (
      <SessionFrame
        key="done"
        title={t('onboarding.confirmed')}
        intro={t('onboarding.confirmedHint', { email: mutation.data.data.ownerEmail })}
      >
        {toSignIn}
      </SessionFrame>
    );
  }
  if (token === undefined || isInvalidLink(mutation.error)) {
    return (
      <SessionFrame key="invalid" title={t('people.linkTitle')} intro={t('onboarding.linkHint')}>
        {toSignIn}
      </SessionFrame>
    );
  }
  return (
    <SessionFrame title={t('onboarding.confirm')} intro={t('onboarding.confirmIntro')}>
      <ErrorAlert error={mutation.error} />
      <Button loading={mutation.isPending} onClick={() => mutation.mutate()}>
        {t('onboarding.confirm')}
      </Button>
    </SessionFrame>
  );
}
