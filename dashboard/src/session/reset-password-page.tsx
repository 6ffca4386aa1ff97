import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { publicApi, unwrap } from '../api/client.ts';
import { ErrorAlert } from '../components/feedback.tsx';
import { fieldErrors } from '../i18n/errors.ts';
import { SessionFrame } from './frame.tsx';
import { NewPasswordInput } from './inputs.tsx';
import { isInvalidLink, linkToken } from './link-token.ts';

/** Sets a new password with the token of a mailed link. */
export function ResetPasswordPage(): ReactNode {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [token] = useState(linkToken);
  const mutation = useMutation({
    mutationFn: async () => {
      const body = { token: token ?? '', password };
      return unwrap(publicApi.POST('/v1/auth/password/reset', { body }));
    },
  });
  if (token === undefined || isInvalidLink(mutation.error)) {
    return (
      <SessionFrame key="invalid" title={t('people.linkTitle')} intro={t('people.resetLinkHint')}>
        <Button component={Link} to="/forgot-password">
          {t('people.newLink')}
        </Button>
        <Button component={Link} to="/" variant="default">
          {t('session.startOver')}
        </Button>
      </SessionFrame>
    );
  }
  if (mutation.isSuccess) {
    return (
      <SessionFrame key="done" title={t('people.resetDone')} intro={t('people.resetDoneHint')}>
        <Button component={Link} to="/">
          {t('session.title')}
        </Button>
      </SessionFrame>
    );
  }
  const errors = fieldErrors(mutation.error, ['password']);
  return (
    <SessionFrame title={t('people.resetTitle')} intro={t('people.resetIntro')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <Stack>
          <NewPasswordInput
            label={t('settings.newPassword')}
            value={password}
            error={errors['password']}
            onPassword={setPassword}
          />
          {errors['password'] === undefined ? <ErrorAlert error={mutation.error} /> : null}
          <Button type="submit" loading={mutation.isPending}>
            {t('people.resetSave')}
          </Button>
        </Stack>
      </form>
    </SessionFrame>
  );
}
