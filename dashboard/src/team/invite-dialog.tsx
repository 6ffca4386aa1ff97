import { Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Role } from '../../../src/platform/kit/permissions.ts';
import { notify } from '../components/feedback.tsx';
import { useFieldErrors } from '../components/field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { findText } from '../i18n/find-text.ts';

export interface Invitee<R extends Role> {
  readonly email: string;
  readonly role: R;
}

const EMPTY = { name: '', email: '' };

interface InviteDialogProps<R extends Role> {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Whether the inviter knows the name of the person. */
  readonly withName?: boolean;
  /** Roles to choose from; the last one is the default. */
  readonly roles: readonly R[];
  /** Translation key of the role descriptions. */
  readonly roleDescriptions: 'settings.roleDescriptions' | 'operator.roleDescriptions';
  /** Resolves to undefined if the invitation waits for an approval. */
  readonly invite: (invitee: Invitee<R> & { readonly name: string }) => Promise<object | undefined>;
}

/** Invites a person by email, who chooses a password. */
export function InviteDialog<R extends Role>({
  opened,
  onClose,
  withName = false,
  roles,
  roleDescriptions,
  invite,
}: InviteDialogProps<R>): ReactNode {
  const { t } = useTranslation();
  const { field, role, setRole, mutation, errors } = useInvitation({ roles, invite, onClose });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t('people.invite')}
      action={t('people.sendInvitation')}
      sending={mutation}
      errors={errors}
    >
      {withName ? (
        <TextInput label={t('create.name')} maxLength={255} data-autofocus {...field('name')} />
      ) : null}
      <TextInput
        label={t('create.email')}
        description={t('people.inviteHint')}
        type="email"
        maxLength={320}
        data-autofocus={withName ? undefined : true}
        {...field('email')}
      />
      <Select
        label={t('settings.role')}
        allowDeselect={false}
        data={roles.map((value) => ({ value, label: findText(`role.${value}`) ?? value }))}
        description={findText(`${roleDescriptions}.${role ?? ''}`)}
        inputWrapperOrder={['label', 'input', 'description']}
        value={role ?? null}
        onChange={(next) => setRole(roles.find((known) => known === next))}
      />
    </FormDialog>
  );
}

function useInvitation<R extends Role>({
  roles,
  invite,
  onClose,
}: Pick<InviteDialogProps<R>, 'roles' | 'invite' | 'onClose'>) {
  const { t } = useTranslation();
  const [form, setForm] = useState(EMPTY);
  const email = form.email.trim();
  const [role, setRole] = useState<R | undefined>(roles.at(-1));
  const mutation = useMutation({
    mutationFn: async () =>
      role === undefined ? undefined : invite({ name: form.name.trim(), email, role }),
    onSuccess: (invited) => {
      if (invited !== undefined) notify(t('people.invited', { email }));
      setForm(EMPTY);
      onClose();
    },
  });
  const { errors, clear } = useFieldErrors(mutation.error, Object.keys(EMPTY));
  const field = (name: keyof typeof EMPTY) => ({
    autoComplete: 'off',
    required: true,
    withAsterisk: false,
    value: form[name],
    error: errors[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setForm((before) => ({ ...before, [name]: value }));
      clear(name);
    },
  });
  return { field, role, setRole, mutation, errors };
}
