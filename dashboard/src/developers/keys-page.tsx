import { Button, Code, Group, Modal, Paper, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isWithin, SELLER_ROLES, type SellerRole } from '../../../src/permissions.ts';
import { api, ask } from '../api/client.ts';
import { useMay, useUser } from '../api/permissions.ts';
import { apiKeys, queryClient, type ApiKey } from '../api/queries.ts';
import { Confirm } from '../pieces/confirm.tsx';
import { RelativeTime } from '../pieces/figures.tsx';
import { EmptyState, ErrorNote, Lines, PageTitle } from '../pieces/notes.tsx';
import { fieldErrors } from '../words/errors.ts';
import { ShownOnce } from './once.tsx';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['api-keys'] });

export function KeysPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const query = useQuery(apiKeys());
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [deleting, setDeleting] = useState<ApiKey>();
  const create = may('api-keys:write') ? (
    <Button leftSection={<KeyRound size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t('keys.new')}
    </Button>
  ) : null;
  return (
    <Stack>
      <PageTitle title={t('keys.title')} intro={t('keys.intro')}>
        {create}
      </PageTitle>
      {query.isError && query.data === undefined ? (
        <ErrorNote error={query.error} retry={query.refetch} />
      ) : null}
      {query.isPending ? <Lines /> : null}
      {query.data?.length === 0 ? (
        <EmptyState icon={<KeyRound />} title={t('keys.emptyTitle')} hint={t('keys.emptyHint')} />
      ) : null}
      {query.data === undefined || query.data.length === 0 ? null : (
        <Paper withBorder>
          <Table verticalSpacing="sm" aria-label={t('keys.title')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('keys.name')}</Table.Th>
                <Table.Th visibleFrom="sm">{t('keys.prefix')}</Table.Th>
                <Table.Th visibleFrom="sm">{t('keys.role')}</Table.Th>
                <Table.Th>{t('keys.lastUsed')}</Table.Th>
                <Table.Th aria-label={t('common.actions')} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {query.data.map((key) => (
                <Table.Tr key={key.id}>
                  <Table.Td>
                    <Text size="sm" fw={600}>
                      {key.name}
                    </Text>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <Code>{key.prefix}…</Code>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">{t(`role.${key.role}`)}</Table.Td>
                  <Table.Td>
                    {key.lastUsedAt === null ? (
                      t('keys.never')
                    ) : (
                      <RelativeTime at={key.lastUsedAt} size="sm" />
                    )}
                  </Table.Td>
                  <Table.Td ta="right">
                    {may('api-keys:write') ? (
                      <Button
                        size="xs"
                        variant="subtle"
                        color="red"
                        leftSection={<Trash2 size={14} aria-hidden />}
                        aria-label={`${t('common.delete')} ${key.name}`}
                        onClick={() => setDeleting(key)}
                      >
                        {t('common.delete')}
                      </Button>
                    ) : null}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      <NewKey
        opened={creating}
        onClose={() => setCreating(false)}
        onMade={(key) => {
          setCreating(false);
          setSecret(key);
        }}
      />
      <ShownOnce
        title={t('keys.onceTitle')}
        hint={t('keys.once')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
      <Confirm
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        danger
        title={t('keys.deleteTitle', { name: deleting?.name ?? '' })}
        means={t('keys.deleteMeans', { prefix: deleting?.prefix ?? '' })}
        action={t('common.delete')}
        done={t('keys.deleted')}
        run={async () => {
          if (deleting === undefined) return;
          await ask<unknown>(api.DELETE('/v1/api-keys/{id}', { params: { path: { id: deleting.id } } }));
          await refresh();
        }}
      />
    </Stack>
  );
}

function NewKey({
  opened,
  onClose,
  onMade,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onMade: (key: string) => void;
}) {
  const { t } = useTranslation();
  const user = useUser();
  // A key can be given nothing that its maker may not do.
  const roles = SELLER_ROLES.filter((role) => isWithin(role, user.role));
  const [name, setName] = useState('');
  const [role, setRole] = useState<SellerRole>('DEVELOPER');
  const mutation = useMutation({
    mutationFn: async () => (await ask(api.POST('/v1/api-keys', { body: { name: name.trim(), role } }))).data,
    onSuccess: async ({ key }) => {
      setName('');
      onMade(key);
      await refresh();
    },
  });
  const faults = fieldErrors(mutation.error, ['name', 'role']);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('keys.new')}
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
            label={t('keys.name')}
            placeholder={t('keys.nameHint')}
            required
            withAsterisk={false}
            maxLength={100}
            value={name}
            error={faults['name']}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Select
            label={t('keys.role')}
            description={t(`keys.roleMeans.${role}`)}
            inputWrapperOrder={['label', 'input', 'description']}
            allowDeselect={false}
            data={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
            value={role}
            onChange={(value) => setRole(roles.find((known) => known === value) ?? 'VIEWER')}
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
