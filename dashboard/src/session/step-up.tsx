import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { hasPasskeys, signWithPasskey } from '../api/passkeys.ts';
import { endStepUp, useStepUpAsked } from '../api/step-up.ts';
import { useChecks } from '../components/field-errors.ts';
import { Dialog } from '../components/overlay.tsx';
import { formatError } from '../i18n/errors.ts';
import { me } from '../settings/account.ts';
import { CodeInput, CurrentPasswordInput } from './inputs.tsx';

/**
 * Asks for the password, a code or a passkey when a request needs a user who was verified a moment
 * ago.
 */
export function StepUp(): ReactNode {
  const asked = useStepUpAsked();
  // Pending requests are canceled when the user signs out.
  useEffect(() => () => endStepUp(false), []);
  return asked ? <StepUpDialog /> : null;
}

const onSuccess = () => endStepUp(true);

async function verifyPasskey() {
  const options = await unwrap(api.POST('/v1/auth/step-up/options'));
  const passkey = await signWithPasskey(options.data);
  return unwrap(api.POST('/v1/auth/step-up', { body: { passkey } }));
}

function useStepUp() {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [withCode, setWithCode] = useState(false);
  const { errors, check, clear } = useChecks();
  const byText = useMutation({
    mutationFn: () => {
      const body = withCode ? { code: code.trim() } : { password };
      return unwrap(api.POST('/v1/auth/step-up', { body }));
    },
    onSuccess,
  });
  const byPasskey = useMutation({ mutationFn: verifyPasskey, onSuccess });
  const reset = () => {
    byText.reset();
    byPasskey.reset();
    check({});
  };
  const isFilled = () =>
    withCode
      ? check({ code: code.trim() === '' && t('session.needCode') })
      : check({ password: password === '' && t('session.needPassword') });
  return {
    withCode,
    byText,
    byPasskey,
    submit: () => {
      reset();
      if (isFilled()) byText.mutate();
    },
    submitPasskey: () => {
      reset();
      byPasskey.mutate();
    },
    toggleCode: () => {
      reset();
      setWithCode(!withCode);
    },
    passwordInput: {
      value: password,
      error: errors['password'],
      onPassword: (typed: string) => {
        setPassword(typed);
        clear('password');
      },
    },
    codeInput: {
      value: code,
      error: errors['code'],
      onCode: (typed: string) => {
        setCode(typed);
        clear('code');
      },
    },
  };
}

function StepUpDialog(): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(me());
  const { withCode, byText, byPasskey, submit, submitPasskey, toggleCode, passwordInput, codeInput } =
    useStepUp();
  const error = byPasskey.error ?? byText.error;
  return (
    <Dialog opened onClose={() => endStepUp(false)} title={t('session.stepUpTitle')} zIndex={400}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>
          <Text>{t('session.stepUpIntro')}</Text>
          {withCode ? (
            <CodeInput key="code" focused inputMode="numeric" {...codeInput} />
          ) : (
            <CurrentPasswordInput key="password" focused {...passwordInput} data-autofocus />
          )}
          {error === null ? null : (
            <Alert color="red" role="alert">
              {formatError(error)}
            </Alert>
          )}
          <Group justify="flex-end">
            {hasPasskeys() && (data?.twoFactor.passkeys ?? 0) > 0 ? (
              <Button variant="default" loading={byPasskey.isPending} onClick={submitPasskey}>
                {t('session.passkey')}
              </Button>
            ) : null}
            {data?.twoFactor.active === true ? (
              <Button variant="subtle" onClick={toggleCode}>
                {withCode ? t('passkeys.withPassword') : t('passkeys.withCode')}
              </Button>
            ) : null}
            <Button type="submit" loading={byText.isPending}>
              {t('session.confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
