import { PasswordInput, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Role } from '../../../src/platform/kit/permissions.ts';
import { fieldErrors } from '../i18n/errors.ts';
import { findText } from '../i18n/i18n.ts';
import { FormDialog } from './form-dialog.tsx';
import { notify } from './feedback.tsx';

export interface NewPerson<R extends Role> {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: R;
}

const EMPTY = { name: '', email: '', password: '' };

/** Form for a new user. */
export function NewPersonForm<R extends Role>({
  opened,
  onClose,
  texts,
  minPasswordLength,
  roles,
  create,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly texts: {
    readonly title: string;
    readonly action: string;
    readonly password: string;
    readonly passwordHint?: string;
    readonly created: (name: string) => string;
    /** Translation key of the role descriptions. */
    readonly roleDescriptions: 'keys.roleDescriptions' | 'operator.roleDescriptions';
  };
  readonly minPasswordLength: number;
  /** Roles to choose from; the last one is the default. */
  readonly roles: readonly R[];
  readonly create: (person: NewPerson<R>) => Promise<unknown>;
}): ReactNode {
  const { t } = useTranslation();
  const [form, setForm] = useState(EMPTY);
  const [role, setRole] = useState<R | undefined>(roles.at(-1));
  const mutation = useMutation({
    mutationFn: async () => {
      if (role !== undefined) await create({ ...form, email: form.email.trim(), role });
    },
    onSuccess: () => {
      notify(texts.created(form.name));
      setForm(EMPTY);
      onClose();
    },
  });
  const errors = fieldErrors(mutation.error, Object.keys(EMPTY));
  const field = (name: keyof typeof EMPTY) => ({
    required: true,
    withAsterisk: false,
    value: form[name],
    error: errors[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setForm((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={texts.title}
      action={texts.action}
      sending={mutation}
      errors={errors}
    >
      <TextInput
        label={t('create.name')}
        maxLength={255}
        autoComplete="off"
        data-autofocus
        {...field('name')}
      />
      <TextInput
        label={t('create.email')}
        type="email"
        maxLength={320}
        autoComplete="off"
        {...field('email')}
      />
      <PasswordInput
        label={texts.password}
        description={texts.passwordHint}
        minLength={minPasswordLength}
        maxLength={200}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
        {...field('password')}
      />
      <Select
        label={t('settings.role')}
        allowDeselect={false}
        data={roles.map((value) => ({ value, label: findText(`role.${value}`) ?? value }))}
        description={findText(`${texts.roleDescriptions}.${role ?? ''}`)}
        inputWrapperOrder={['label', 'input', 'description']}
        value={role ?? null}
        onChange={(next) => setRole(roles.find((known) => known === next))}
      />
    </FormDialog>
  );
}
