import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '../api/errors.ts';
import { confirmSignIn, signIn } from '../api/session.ts';
import { formatError } from '../i18n/errors.ts';
import { CodeInput, CurrentPasswordInput } from './inputs.tsx';

/**
 * Sign-in form: email and password, then the second factor if enabled. With `email`, the user is
 * fixed.
 */
export function SignInForm({ email: known }: { readonly email?: string }) {
  const { t } = useTranslation();
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [challenge, setChallenge] = useState<string>();
  const mutation = useMutation({
    mutationFn: () => signIn(email.trim(), password),
    onSuccess: setChallenge,
  });
  if (challenge !== undefined) {
    return (
      <CodeForm
        challenge={challenge}
        onAgain={() => {
          setPassword('');
          setChallenge(undefined);
        }}
      />
    );
  }
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
        <CurrentPasswordInput
          value={password}
          onPassword={setPassword}
          data-autofocus={known === undefined ? undefined : true}
        />
        {mutation.isError ? (
          <Alert color="red" role="alert">
            {formatSignInError(mutation.error)}
          </Alert>
        ) : null}
        <Button type="submit" loading={mutation.isPending}>
          {t('session.submit')}
        </Button>
      </Stack>
    </form>
  );
}

function CodeForm({ challenge, onAgain }: { readonly challenge: string; readonly onAgain: () => void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const mutation = useMutation({ mutationFn: () => confirmSignIn(challenge, code.trim()) });
  const over =
    mutation.error instanceof ApiError && mutation.error.code === 'invalid_challenge'
      ? t('session.codeExpired')
      : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      <Stack>
        <Text>{t('session.codeIntro')}</Text>
        <CodeInput value={code} onCode={setCode} ref={(input) => input?.focus()} />
        {mutation.isError ? (
          <Alert color="red" role="alert">
            {over ?? formatSignInError(mutation.error, t('session.wrongCode'))}
          </Alert>
        ) : null}
        <Button type="submit" loading={mutation.isPending}>
          {t('session.confirm')}
        </Button>
        <Button variant="subtle" onClick={onAgain}>
          {t('session.startOver')}
        </Button>
      </Stack>
    </form>
  );
}

function formatSignInError(error: Error, wrong: string = i18next.t('session.wrong')): string {
  if (error instanceof ApiError && error.status === 401) return wrong;
  if (error instanceof ApiError && error.status === 429) {
    return i18next.t('session.throttled', { seconds: error.retryAfter ?? 60 });
  }
  return formatError(error);
}
