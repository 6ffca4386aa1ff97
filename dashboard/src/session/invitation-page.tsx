import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { publicApi, unwrap } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { signIn, signOut } from '../api/session.ts';
import { ErrorAlert } from '../components/feedback.tsx';
import { fieldErrors } from '../i18n/errors.ts';
import { SessionFrame } from './frame.tsx';
import { NewPasswordInput } from './inputs.tsx';
import { isInvalidLink, linkToken } from './link-token.ts';

const FIELDS = ['name', 'password'];

/** Accepts the invitation of a mailed link, and signs the new user in. */
export function InvitationPage(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [token] = useState(linkToken);
  const mutation = useMutation({
    mutationFn: async () => {
      const body = { token: token ?? '', name: name.trim(), password };
      const { data } = await unwrap(publicApi.POST('/v1/auth/invitations/accept', { body }));
      // Another user may be signed in in this browser.
      await signOut();
      // The user exists by now: a failed sign-in is repeated on the page of the sign-in.
      await signIn(data.email, password).catch(() => undefined);
      await navigate({ to: '/', replace: true });
    },
  });
  const taken = mutation.error instanceof ApiError && mutation.error.code === 'email_taken';
  if (token === undefined || taken || isInvalidLink(mutation.error)) {
    return (
      <SessionFrame
        key="invalid"
        title={taken ? t('people.takenTitle') : t('people.linkTitle')}
        intro={taken ? t('people.takenHint') : t('people.invitationLinkHint')}
      >
        <Button component={Link} to="/">
          {t('session.title')}
        </Button>
      </SessionFrame>
    );
  }
  const errors = fieldErrors(mutation.error, FIELDS);
  return (
    <SessionFrame title={t('people.acceptTitle')} intro={t('people.acceptIntro')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={t('create.name')}
            autoComplete="name"
            maxLength={255}
            required
            withAsterisk={false}
            value={name}
            error={errors['name']}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NewPasswordInput value={password} error={errors['password']} onPassword={setPassword} />
          {Object.keys(errors).length === 0 ? <ErrorAlert error={mutation.error} /> : null}
          <Button type="submit" loading={mutation.isPending}>
            {t('people.accept')}
          </Button>
        </Stack>
      </form>
    </SessionFrame>
  );
}
