import { PasswordInput, TextInput, type PasswordInputProps, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';

/** Inputs with the `autocomplete` values that password managers need. */

interface Focusable {
  /** Whether it gets the focus when it appears, as the next step. */
  readonly focused?: boolean;
}

function useFocus(focused: boolean): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  return input;
}

/** The current password. */
export function CurrentPasswordInput({
  onPassword,
  focused = false,
  ...input
}: { readonly onPassword: (password: string) => void } & Focusable & PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      ref={useFocus(focused)}
      label={t('session.password')}
      autoComplete="current-password"
      // Mantine marks the other inputs itself.
      aria-invalid={Boolean(input.error) || undefined}
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
      // Mantine marks the other inputs itself.
      aria-invalid={Boolean(input.error) || undefined}
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
  focused = false,
  ...input
}: { readonly onCode: (code: string) => void } & Focusable & TextInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      ref={useFocus(focused)}
      label={t('session.code')}
      autoComplete="one-time-code"
      required
      withAsterisk={false}
      onChange={(event) => onCode(event.currentTarget.value)}
      {...input}
    />
  );
}
