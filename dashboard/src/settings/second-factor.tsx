import { Badge, Button, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { encodeQR } from 'qr';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { SecretDialog } from '../developers/secret-dialog.tsx';
import { Confirm } from '../components/confirm.tsx';
import { useChecks } from '../components/field-errors.ts';
import { CopyBlock } from '../components/values.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { CodeInput, CurrentPasswordInput } from '../session/inputs.tsx';
import { me } from './account.ts';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['me'] });
const asPicture = (text: string): string =>
  `data:image/svg+xml,${encodeURIComponent(encodeQR(text, 'svg', { ecc: 'medium' }))}`;

/** The authenticator app: setup, confirmation and removal. */
export function SecondFactor() {
  const { t } = useTranslation();
  const { data } = useQuery(me());
  const [beginning, setBeginning] = useState(false);
  const [ending, setEnding] = useState(false);
  const [recovery, setRecovery] = useState<string>();
  // Turns it on or off: the same element, which has the focus after the codes were saved.
  const button = useRef<HTMLButtonElement>(null);
  const active = data?.twoFactor.active === true;
  return (
    <Paper withBorder p="md">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t('settings.secondFactor')}
          </Title>
          {data === undefined ? null : (
            <Badge color={active ? 'green' : 'gray'} variant="light" tt="none">
              {active ? t('settings.on') : t('settings.off')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {active && data?.twoFactor.recoveryCodesLeft !== null
            ? t('settings.codesLeft', { count: data?.twoFactor.recoveryCodesLeft ?? 0 })
            : t('settings.secondFactorDescription')}
        </Text>
        <Group>
          {active ? (
            <Button ref={button} variant="default" onClick={() => setEnding(true)}>
              {t('settings.turnOff')}
            </Button>
          ) : (
            <Button ref={button} onClick={() => setBeginning(true)} disabled={data === undefined}>
              {t('settings.turnOn')}
            </Button>
          )}
        </Group>
      </Stack>
      <SecondFactorSetup
        opened={beginning}
        onClose={() => setBeginning(false)}
        onActive={(codes) => {
          setBeginning(false);
          setRecovery(codes.join('\n'));
        }}
      />
      <SecretDialog
        title={t('settings.recoveryTitle')}
        label={t('settings.recoveryLabel')}
        hint={t('settings.recoveryDescription')}
        secret={recovery}
        returnFocus={false}
        onClose={() => {
          setRecovery(undefined);
          button.current?.focus();
        }}
      />
      <SecondFactorRemoval opened={ending} onClose={() => setEnding(false)} />
    </Paper>
  );
}

function useSetup(onActive: (recoveryCodes: readonly string[]) => void) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useMutation({
    mutationFn: async () => (await unwrap(api.POST('/v1/users/me/two-factor', { body: { password } }))).data,
    onSuccess: () => setPassword(''),
  });
  const confirm = useMutation({
    mutationFn: async () =>
      (await unwrap(api.POST('/v1/users/me/two-factor/confirm', { body: { code: code.trim() } }))).data,
    onSuccess: async ({ recoveryCodes }) => {
      setCode('');
      begin.reset();
      onActive(recoveryCodes);
      await refresh();
    },
  });
  return { password, setPassword, code, setCode, begin, confirm };
}

/** Asks for the password, then shows the QR code and asks for the first code. */
function SecondFactorSetup({
  opened,
  onClose,
  onActive,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onActive: (recoveryCodes: readonly string[]) => void;
}) {
  const { t } = useTranslation();
  const { password, setPassword, code, setCode, begin, confirm } = useSetup(onActive);
  const { errors, check, clear } = useChecks();
  const seed = begin.data;
  const step = seed === undefined ? begin : confirm;
  const isFilled = () =>
    seed === undefined
      ? check({ password: password === '' && t('session.needPassword') })
      : check({ code: code.trim() === '' && t('session.needCode') });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t('settings.secondFactor')}
      action={seed === undefined ? t('settings.continue') : t('session.confirm')}
      sending={{ ...step, mutate: () => (isFilled() ? step.mutate() : undefined) }}
      onClosed={() => {
        setPassword('');
        setCode('');
        check({});
        begin.reset();
      }}
    >
      {seed === undefined ? (
        <CurrentPasswordInput
          key="password"
          value={password}
          error={errors['password']}
          onPassword={(typed) => {
            setPassword(typed);
            clear('password');
          }}
          data-autofocus
        />
      ) : (
        <>
          <Text size="sm">{t('settings.scan')}</Text>
          <Image className="qr" src={asPicture(seed.uri)} alt={t('settings.seedPicture')} w={220} mx="auto" />
          <CopyBlock value={seed.secret} label={t('settings.seed')} />
          <CodeInput
            key="code"
            focused
            inputMode="numeric"
            value={code}
            error={errors['code']}
            onCode={(typed) => {
              setCode(typed);
              clear('code');
            }}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Asks for the password and a code. */
function SecondFactorRemoval({
  opened,
  onClose,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { errors, check, clear } = useChecks();
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      danger
      title={t('settings.turnOffTitle')}
      message={t('settings.turnOffDescription')}
      action={t('settings.turnOff')}
      done={t('settings.turnedOff')}
      check={() =>
        check({
          password: password === '' && t('session.needPassword'),
          code: code.trim() === '' && t('session.needCode'),
        })
      }
      run={async () => {
        await unwrap(api.DELETE('/v1/users/me/two-factor', { body: { password, code: code.trim() } }));
        await refresh();
      }}
      onClosed={() => {
        setPassword('');
        setCode('');
        check({});
      }}
    >
      <CurrentPasswordInput
        value={password}
        error={errors['password']}
        onPassword={(typed) => {
          setPassword(typed);
          clear('password');
        }}
        data-autofocus
      />
      <CodeInput
        value={code}
        error={errors['code']}
        onCode={(typed) => {
          setCode(typed);
          clear('code');
        }}
      />
    </Confirm>
  );
}
