import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '../api/errors.ts';
import { signIn } from '../api/session.ts';
import { sayError } from '../words/errors.ts';

/** E-mail and password; with `email` it is somebody who is known already. */
export function SignInForm({ email: known }: { readonly email?: string }) {
  const { t } = useTranslation();
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const mutation = useMutation({ mutationFn: () => signIn(email.trim(), password) });
  return (
    <form
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
          readOnly={known !== undefined}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          data-autofocus={known === undefined ? true : undefined}
        />
        <PasswordInput
          label={t('session.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus={known === undefined ? undefined : true}
        />
        {mutation.isError ? (
          <Alert color="red" role="alert">
            {sayFailedSignIn(mutation.error, t)}
          </Alert>
        ) : null}
        <Button type="submit" loading={mutation.isPending}>
          {t('session.submit')}
        </Button>
      </Stack>
    </form>
  );
}

function sayFailedSignIn(error: Error, t: ReturnType<typeof useTranslation>['t']): string {
  if (error instanceof ApiError && error.status === 401) return t('session.wrong');
  if (error instanceof ApiError && error.status === 429) {
    return t('session.throttled', { seconds: error.retryAfter ?? 60 });
  }
  return sayError(error);
}
