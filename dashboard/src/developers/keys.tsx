import { Button, Code, Paper, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { KeyRound, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { SellerRole } from '../../../src/platform/kit/permissions.ts';
import type { ApiKey } from '../api/queries.ts';
import { Confirm } from '../components/confirm.tsx';
import { RelativeTime } from '../components/values.tsx';
import { useFieldErrors } from '../components/field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { EmptyState, ErrorAlert, LoadingSkeleton } from '../components/feedback.tsx';
import { SecretDialog } from './secret-dialog.tsx';

interface ApiKeyRequest {
  readonly name: string;
  readonly role: SellerRole;
}

/** API keys of a seller, managed by the seller or the operator. */
export function Keys({
  query,
  mayWrite,
  roles,
  head,
  create,
  remove,
}: {
  readonly query: UseQueryResult<readonly ApiKey[]>;
  readonly mayWrite: boolean;
  /** Roles that a new key may have. */
  readonly roles: readonly SellerRole[];
  /** Renders the heading with the create button. */
  readonly head: (button: ReactNode) => ReactNode;
  readonly create: (key: ApiKeyRequest) => Promise<{ readonly key: string } | undefined>;
  readonly remove: (id: string) => Promise<unknown>;
}): ReactNode {
  const { t } = useTranslation();
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [deleting, setDeleting] = useState<ApiKey>();
  const button = mayWrite ? (
    <Button leftSection={<KeyRound size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t('keys.new')}
    </Button>
  ) : null;
  return (
    <Stack>
      {head(button)}
      {query.isError && query.data === undefined ? (
        <ErrorAlert error={query.error} retry={query.refetch} />
      ) : null}
      {query.isPending ? <LoadingSkeleton /> : null}
      {query.data?.length === 0 ? (
        <EmptyState icon={<KeyRound />} title={t('keys.emptyTitle')} hint={t('keys.emptyHint')} />
      ) : null}
      {query.data === undefined || query.data.length === 0 ? null : (
        <KeyTable keys={query.data} mayWrite={mayWrite} onDelete={setDeleting} />
      )}
      <NewKey
        roles={roles}
        create={create}
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={(key) => {
          setCreating(false);
          setSecret(key);
        }}
      />
      <SecretDialog
        title={t('keys.secretTitle')}
        label={t('keys.secretLabel')}
        hint={t('keys.secretHint')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
      <Confirm
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        danger
        title={t('keys.deleteTitle', { name: deleting?.name ?? '' })}
        message={t('keys.deleteDescription', { prefix: deleting?.prefix ?? '' })}
        action={t('common.delete')}
        done={t('keys.deleted')}
        run={async () => deleting && remove(deleting.id)}
      />
    </Stack>
  );
}

function KeyTable({
  keys,
  mayWrite,
  onDelete,
}: {
  readonly keys: readonly ApiKey[];
  readonly mayWrite: boolean;
  readonly onDelete: (key: ApiKey) => void;
}) {
  const { t } = useTranslation();
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={0}>
        <Table verticalSpacing="sm" aria-label={t('keys.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="40%">{t('keys.name')}</Table.Th>
              <Table.Th visibleFrom="sm">{t('keys.prefix')}</Table.Th>
              <Table.Th visibleFrom="sm">{t('keys.role')}</Table.Th>
              <Table.Th>{t('keys.lastUsed')}</Table.Th>
              <Table.Th aria-label={t('common.actions')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} mayWrite={mayWrite} onDelete={() => onDelete(key)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function KeyRow({
  apiKey,
  mayWrite,
  onDelete,
}: {
  readonly apiKey: ApiKey;
  readonly mayWrite: boolean;
  readonly onDelete: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {apiKey.name}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {t(`role.${apiKey.role}`)}
        </Text>
        {apiKey.createdBy === null ? null : (
          <Text size="xs" c="dimmed">
            {t('keys.createdBy', { name: apiKey.createdBy.name })}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Code>{apiKey.prefix}…</Code>
      </Table.Td>
      <Table.Td visibleFrom="sm">{t(`role.${apiKey.role}`)}</Table.Td>
      <Table.Td>
        {apiKey.lastUsedAt === null ? t('keys.never') : <RelativeTime at={apiKey.lastUsedAt} size="sm" />}
      </Table.Td>
      <Table.Td ta="right">
        {mayWrite ? (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            leftSection={<Trash2 size={14} aria-hidden />}
            aria-label={`${t('common.delete')} ${apiKey.name}`}
            onClick={onDelete}
          >
            {t('common.delete')}
          </Button>
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
}

function NewKey({
  roles,
  create,
  opened,
  onClose,
  onCreated,
}: {
  readonly roles: readonly SellerRole[];
  readonly create: (key: ApiKeyRequest) => Promise<{ readonly key: string } | undefined>;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: string) => void;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [role, setRole] = useState<SellerRole>('DEVELOPER');
  const mutation = useMutation({
    mutationFn: async () => create({ name: name.trim(), role }),
    onSuccess: (made) => {
      setName('');
      setRole('DEVELOPER');
      if (made === undefined) onClose();
      else onCreated(made.key);
    },
  });
  const { errors, clear } = useFieldErrors(mutation.error, ['name', 'role']);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t('keys.new')}
      action={t('common.create')}
      sending={mutation}
      errors={errors}
    >
      <TextInput
        label={t('keys.name')}
        placeholder={t('keys.nameHint')}
        required
        withAsterisk={false}
        maxLength={100}
        value={name}
        error={errors['name']}
        onChange={(event) => {
          setName(event.currentTarget.value);
          clear('name');
        }}
        data-autofocus
      />
      <Select
        label={t('keys.role')}
        description={t(`keys.roleDescriptions.${role}`)}
        inputWrapperOrder={['label', 'input', 'description']}
        allowDeselect={false}
        data={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
        value={role}
        onChange={(value) => setRole(roles.find((known) => known === value) ?? 'VIEWER')}
      />
    </FormDialog>
  );
}
