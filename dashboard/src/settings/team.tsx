import {
  Button,
  Group,
  Modal,
  Paper,
  PasswordInput,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { SELLER_ROLES, type SellerRole } from '../../../src/permissions.ts';
import { api, ask } from '../api/client.ts';
import { useMay, useUser } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { Confirm } from '../pieces/confirm.tsx';
import { ErrorNote, Lines, say, sayFailure } from '../pieces/notes.tsx';
import { fieldErrors } from '../words/errors.ts';
import { team } from './account.ts';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['team'] });

/** Who works for the seller, and what each may do. */
export function Team() {
  const { t } = useTranslation();
  const may = useMay();
  const user = useUser();
  const query = useQuery(team());
  const [adding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<{ readonly id: string; readonly name: string }>();
  const change = useMutation({
    mutationFn: ({ id, role }: { readonly id: string; readonly role: SellerRole }) =>
      ask(api.PATCH('/v1/users/{id}', { params: { path: { id } }, body: { role } })),
    onSuccess: () => say(t('settings.roleChanged')),
    onError: sayFailure,
    onSettled: refresh,
  });
  const write = may('users:write');
  return (
    <Paper withBorder p="md">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t('settings.team')}
          </Title>
          {write ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<UserPlus size={14} aria-hidden />}
              onClick={() => setAdding(true)}
            >
              {t('settings.addUser')}
            </Button>
          ) : null}
        </Group>
        {query.isPending ? <Lines count={2} /> : null}
        {query.isError ? <ErrorNote error={query.error} retry={query.refetch} /> : null}
        {query.data?.map(({ id, name, email, role }) => (
          <Group key={id} justify="space-between" gap="xs">
            <div>
              <Text size="sm" fw={600}>
                {name}
              </Text>
              <Text size="xs" c="dimmed" className="whole">
                {email}
              </Text>
            </div>
            {write && id !== user.id ? (
              <Group gap="xs">
                <Select
                  size="xs"
                  w={150}
                  aria-label={`${t('settings.role')}: ${name}`}
                  allowDeselect={false}
                  data={SELLER_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
                  value={role}
                  onChange={(value) => {
                    const wanted = SELLER_ROLES.find((known) => known === value);
                    if (wanted !== undefined && wanted !== role) change.mutate({ id, role: wanted });
                  }}
                />
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  aria-label={`${t('common.delete')} ${name}`}
                  onClick={() => setLeaving({ id, name })}
                >
                  {t('common.delete')}
                </Button>
              </Group>
            ) : (
              <Text size="sm">{t(`role.${role}`)}</Text>
            )}
          </Group>
        ))}
      </Stack>
      <AddUser opened={adding} onClose={() => setAdding(false)} />
      <Confirm
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        danger
        title={t('settings.removeTitle', { name: leaving?.name ?? '' })}
        means={t('settings.removeMeans')}
        action={t('common.delete')}
        done={t('settings.removed')}
        run={async () => {
          if (leaving === undefined) return;
          await ask<unknown>(api.DELETE('/v1/users/{id}', { params: { path: { id: leaving.id } } }));
          await refresh();
        }}
      />
    </Paper>
  );
}

const NOBODY = { name: '', email: '', password: '' };

function AddUser({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(NOBODY);
  const [role, setRole] = useState<SellerRole>('VIEWER');
  const mutation = useMutation({
    mutationFn: () => ask(api.POST('/v1/users', { body: { ...wanted, role } })),
    onSuccess: async () => {
      setWanted(NOBODY);
      say(t('settings.added'));
      onClose();
      await refresh();
    },
  });
  const faults = fieldErrors(mutation.error, ['name', 'email', 'password', 'role']);
  const set = (change: Partial<typeof NOBODY>) => setWanted({ ...wanted, ...change });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('settings.addUser')}
      centered
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={t('settings.name')}
            required
            withAsterisk={false}
            value={wanted.name}
            error={faults['name']}
            onChange={(event) => set({ name: event.currentTarget.value })}
            data-autofocus
          />
          <TextInput
            label={t('session.email')}
            type="email"
            autoComplete="off"
            required
            withAsterisk={false}
            value={wanted.email}
            error={faults['email']}
            onChange={(event) => set({ email: event.currentTarget.value })}
          />
          <PasswordInput
            label={t('settings.firstPassword')}
            autoComplete="new-password"
            required
            withAsterisk={false}
            value={wanted.password}
            error={faults['password']}
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
          <Select
            label={t('settings.role')}
            description={t(`keys.roleMeans.${role}`)}
            inputWrapperOrder={['label', 'input', 'description']}
            allowDeselect={false}
            data={SELLER_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
            value={role}
            onChange={(value) => setRole(SELLER_ROLES.find((known) => known === value) ?? 'VIEWER')}
          />
          {Object.keys(faults).length === 0 ? <ErrorNote error={mutation.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={mutation.isPending}>
              {t('settings.addUser')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
