import { PasswordInput, TextInput, type PasswordInputProps, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Inputs with the `autocomplete` values that password managers need. */

/** The current password. */
export function CurrentPasswordInput({
  onPassword,
  ...input
}: { readonly onPassword: (password: string) => void } & PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      label={t('session.password')}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      required
      withAsterisk={false}
      onChange={(event) => onPassword(event.currentTarget.value)}
      {...input}
    />
  );
}

/**
 * A password to be chosen. The server judges it, because its rules depend on the role and on the
 * person's name.
 */
export function NewPasswordInput({
  onPassword,
  minLength = 10,
  ...input
}: { readonly onPassword: (password: string) => void } & PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      label={t('session.password')}
      description={t('settings.passwordHint', { length: minLength })}
      maxLength={200}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      required
      withAsterisk={false}
      onChange={(event) => onPassword(event.currentTarget.value)}
      {...input}
    />
  );
}

/** An authenticator code or a recovery code. */
export function CodeInput({
  onCode,
  ...input
}: { readonly onCode: (code: string) => void } & TextInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('session.code')}
      autoComplete="one-time-code"
      required
      withAsterisk={false}
      onChange={(event) => onCode(event.currentTarget.value)}
      {...input}
    />
  );
}
