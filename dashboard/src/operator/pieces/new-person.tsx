import { Button, Group, Modal, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Role } from '../../../../src/permissions.ts';
import { ErrorNote, say } from '../../pieces/notes.tsx';
import { fieldErrors } from '../../words/errors.ts';
import { lookUp } from '../../words/i18n.ts';

export interface NewPerson<R extends Role> {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: R;
}

const EMPTY = { name: '', email: '', password: '' };

/** Somebody who shall sign in. */
export function NewPersonForm<R extends Role>({
  opened,
  onClose,
  roles,
  create,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
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
      say(t('operator.people.made', { name: form.name }));
      setForm(EMPTY);
      onClose();
    },
  });
  const faults = fieldErrors(mutation.error, Object.keys(EMPTY));
  const field = (name: keyof typeof EMPTY) => ({
    required: true,
    withAsterisk: false,
    value: form[name],
    error: faults[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setForm((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('operator.people.new')}
      centered
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onExitTransitionEnd={() => mutation.reset()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <Stack>
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
            label={t('operator.people.password')}
            description={t('operator.people.passwordHint')}
            minLength={8}
            maxLength={128}
            autoComplete="new-password"
            {...field('password')}
          />
          <Select
            label={t('settings.role')}
            allowDeselect={false}
            data={roles.map((value) => ({ value, label: lookUp(`role.${value}`) ?? value }))}
            description={lookUp(`operator.roleMeans.${role ?? ''}`)}
            inputWrapperOrder={['label', 'input', 'description']}
            value={role ?? null}
            onChange={(next) => setRole(roles.find((known) => known === next))}
          />
          {Object.keys(faults).length === 0 ? <ErrorNote error={mutation.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={mutation.isPending}>
              {t('common.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
