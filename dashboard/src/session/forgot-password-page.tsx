import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { publicApi, unwrap } from '../api/client.ts';
import { isSandbox } from '../api/permissions.ts';
import { ErrorAlert } from '../components/feedback.tsx';
import { fieldErrors } from '../i18n/errors.ts';
import { SessionFrame } from './frame.tsx';

/** Asks for the link with which a lost password is replaced. */
export function ForgotPasswordPage(): ReactNode {
  const { t } = useTranslation();
  const typed = useRouterState({ select: ({ location }) => location.state.email });
  const [email, setEmail] = useState(typed ?? '');
  const mutation = useMutation({
    mutationFn: () => unwrap(publicApi.POST('/v1/auth/password/forgot', { body: { email: email.trim() } })),
  });
  if (mutation.isSuccess) {
    return (
      <SessionFrame
        key="sent"
        title={t('people.forgotSent')}
        intro={t('people.forgotSentHint', { email: email.trim() })}
      >
        {isSandbox ? <Text size="sm">{t('people.sandboxMailbox')}</Text> : null}
        <Button component={Link} to="/" variant="default">
          {t('session.startOver')}
        </Button>
      </SessionFrame>
    );
  }
  const errors = fieldErrors(mutation.error, ['email']);
  return (
    <SessionFrame title={t('people.forgotTitle')} intro={t('people.forgotIntro')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <Stack>
          <TextInput
            type="email"
            label={t('session.email')}
            autoComplete="username"
            required
            withAsterisk={false}
            maxLength={320}
            value={email}
            error={errors['email']}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {errors['email'] === undefined ? <ErrorAlert error={mutation.error} /> : null}
          <Button type="submit" loading={mutation.isPending}>
            {t('people.forgotSend')}
          </Button>
        </Stack>
      </form>
      <Anchor component={Link} to="/" size="sm">
        {t('session.startOver')}
      </Anchor>
    </SessionFrame>
  );
}
