import { Alert, Anchor, Button, Divider, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import i18next from 'i18next';
import { KeyRound } from 'lucide-react';
import { useEffect, useState, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '../api/errors.ts';
import { canSuggestPasskeys, hasPasskeys, isPasskeyRemembered } from '../api/passkeys.ts';
import { confirmSignIn, hasSignedOut, signIn, signInByAutofill, signInWithPasskey } from '../api/session.ts';
import type { SecondFactorChallenge } from '../api/tokens.ts';
import { useChecks } from '../components/field-errors.ts';
import { formatError } from '../i18n/errors.ts';
import { CodeInput, CurrentPasswordInput } from './inputs.tsx';

/**
 * Sign-in form: email and password, then the second factor if enabled. With `email`, the user is
 * fixed.
 */
export function SignInForm({ email: known }: { readonly email?: string }) {
  const { t } = useTranslation();
  const { email, password, forgetPassword, isComplete, emailInput, passwordInput } = useCredentials(known);
  const [challenge, setChallenge] = useState<SecondFactorChallenge>();
  const [isAgain, setAgain] = useState(false);
  const mutation = useMutation({
    mutationFn: () => signIn(email, password),
    onSuccess: setChallenge,
  });
  const [offered] = useState(isPasskeyRemembered);
  useAutofill(offered && challenge === undefined && known === undefined);
  if (challenge !== undefined) {
    return (
      <CodeForm
        challenge={challenge}
        onAgain={() => {
          forgetPassword();
          setChallenge(undefined);
          setAgain(true);
        }}
      />
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete()) mutation.mutate();
      }}
    >
      <Stack>
        {offered ? (
          <>
            <PasskeyButton first />
            <Divider label={t('passkeys.or')} />
          </>
        ) : null}
        <TextInput
          type="email"
          label={t('session.email')}
          autoComplete="username webauthn"
          required
          withAsterisk={false}
          readOnly={known !== undefined}
          {...emailInput}
          data-autofocus={known === undefined ? true : undefined}
        />
        <CurrentPasswordInput
          {...passwordInput}
          focused={isAgain}
          data-autofocus={known === undefined ? undefined : true}
        />
        {known === undefined ? (
          <Anchor component={Link} to="/forgot-password" state={{ email }} size="sm">
            {t('people.forgot')}
          </Anchor>
        ) : null}
        <SignInError error={mutation.error} />
        <Button type="submit" variant={offered ? 'default' : 'filled'} loading={mutation.isPending}>
          {t('session.submit')}
        </Button>
        {offered ? null : <PasskeyButton />}
      </Stack>
    </form>
  );
}

function useCredentials(known: string | undefined) {
  const { t } = useTranslation();
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const { errors, check, clear } = useChecks();
  return {
    email: email.trim(),
    password,
    forgetPassword: () => setPassword(''),
    isComplete: () =>
      check({
        email: email.trim() === '' && t('session.needEmail'),
        password: password === '' && t('session.needPassword'),
      }),
    emailInput: {
      value: email,
      error: errors['email'],
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        setEmail(event.currentTarget.value);
        clear('email');
      },
    },
    passwordInput: {
      value: password,
      error: errors['password'],
      onPassword: (typed: string) => {
        setPassword(typed);
        clear('password');
      },
    },
  };
}

/** The options of a request for a passkey are valid for five minutes. */
const AUTOFILL_MS = 4 * 60_000;

/**
 * Suggests passkeys in the email field, while it is enabled. Not after a sign-out: the next user
 * may be another.
 */
function useAutofill(enabled: boolean): void {
  useEffect(() => {
    if (!enabled || hasSignedOut()) return undefined;
    let stop = new AbortController();
    const suggest = async () => {
      stop.abort();
      stop = new AbortController();
      const { signal } = stop;
      if (!(await canSuggestPasskeys()) || signal.aborted) return;
      // Who picks none signs in in another way.
      await signInByAutofill(stop).catch(() => undefined);
    };
    void suggest();
    const timer = setInterval(() => void suggest(), AUTOFILL_MS);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [enabled]);
}

/** Signs in with a passkey, instead of the password or after it. */
function PasskeyButton({
  challenge,
  first = false,
}: {
  readonly challenge?: string;
  /** This browser has used a passkey before. */
  readonly first?: boolean;
}) {
  const { t } = useTranslation();
  const mutation = useMutation({ mutationFn: () => signInWithPasskey(challenge) });
  if (!hasPasskeys()) return null;
  return (
    <>
      <Button
        variant={first ? 'filled' : 'default'}
        leftSection={<KeyRound size={16} aria-hidden />}
        loading={mutation.isPending}
        onClick={() => mutation.mutate()}
      >
        {t('session.passkey')}
      </Button>
      <SignInError error={mutation.error} wrong={t('apiError.wrong_passkey')} />
    </>
  );
}

function CodeForm({
  challenge: { challenge, methods },
  onAgain,
}: {
  readonly challenge: SecondFactorChallenge;
  readonly onAgain: () => void;
}) {
  const { t } = useTranslation();
  const withPasskey = methods.includes('passkey');
  const [code, setCode] = useState('');
  const { errors, check, clear } = useChecks();
  const mutation = useMutation({ mutationFn: () => confirmSignIn(challenge, code.trim()) });
  const over =
    mutation.error instanceof ApiError && mutation.error.code === 'invalid_challenge'
      ? t('session.codeExpired')
      : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check({ code: code.trim() === '' && t('session.needCode') })) mutation.mutate();
      }}
    >
      <Stack>
        <Text>{methods.includes('code') ? t('session.codeIntro') : t('session.passkeyIntro')}</Text>
        <CodeInput
          focused
          value={code}
          error={errors['code']}
          onCode={(typed) => {
            setCode(typed);
            clear('code');
          }}
        />
        {mutation.isError ? (
          <Alert color="red" role="alert">
            {over ?? formatSignInError(mutation.error, t('session.wrongCode'))}
          </Alert>
        ) : null}
        <Button type="submit" loading={mutation.isPending}>
          {t('session.confirm')}
        </Button>
        {withPasskey ? <PasskeyButton challenge={challenge} /> : null}
        <Button variant="subtle" onClick={onAgain}>
          {t('session.startOver')}
        </Button>
      </Stack>
    </form>
  );
}

function SignInError({ error, wrong }: { readonly error: Error | null; readonly wrong?: string }) {
  return error === null ? null : (
    <Alert color="red" role="alert">
      {formatSignInError(error, wrong)}
    </Alert>
  );
}

function formatSignInError(error: Error, wrong: string = i18next.t('session.wrong')): string {
  if (error instanceof ApiError && error.status === 401) return wrong;
  if (error instanceof ApiError && error.status === 429) {
    return i18next.t('session.throttled', { seconds: error.retryAfter ?? 60 });
  }
  return formatError(error);
}
