import { Badge, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { createPasskey, hasPasskeys, rememberPasskey } from '../api/passkeys.ts';
import { queryClient } from '../api/queries.ts';
import { Confirm } from '../components/confirm.tsx';
import { ErrorAlert, LoadingSkeleton, notify } from '../components/feedback.tsx';
import { useFieldErrors } from '../components/field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { RelativeTime } from '../components/values.tsx';
import { SecretDialog } from '../developers/secret-dialog.tsx';
import { me, passkeys, type Passkey } from './account.ts';

const MAX_NAME_LENGTH = 100;

const refresh = () => queryClient.invalidateQueries({ queryKey: ['me'] });

/**
 * The passkeys of the user: added, renamed and deleted. Who must set up a second factor first
 * cannot list them.
 */
export function Passkeys({ isListed = true }: { readonly isListed?: boolean }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({ ...passkeys(), enabled: isListed });
  const factors = useQuery(me()).data?.twoFactor;
  const [adding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<Passkey>();
  const [deleting, setDeleting] = useState<Passkey>();
  const [recovery, setRecovery] = useState<string>();
  return (
    <Paper withBorder p="md">
      <Stack>
        <div>
          <Title order={2} size="h4">
            {t('passkeys.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('passkeys.intro')}
          </Text>
        </div>
        {query.isLoading ? <LoadingSkeleton count={1} /> : null}
        {query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
        {query.data?.length === 0 ? <Text size="sm">{t('passkeys.none')}</Text> : null}
        {query.data?.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            onRename={() => setRenaming(passkey)}
            onDelete={() => setDeleting(passkey)}
          />
        ))}
        {/* With an authenticator, its section says so. */}
        {factors?.active === false && factors.recoveryCodesLeft !== null ? (
          <Text size="sm" c="dimmed">
            {t('settings.codesLeft', { count: factors.recoveryCodesLeft })}
          </Text>
        ) : null}
        {hasPasskeys() ? (
          <Group>
            <Button
              variant="default"
              leftSection={<KeyRound size={16} aria-hidden />}
              onClick={() => setAdding(true)}
            >
              {t('passkeys.add')}
            </Button>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            {t('passkeys.unsupported')}
          </Text>
        )}
      </Stack>
      <AddPasskey
        opened={adding}
        onClose={() => setAdding(false)}
        onCodes={(codes) => setRecovery(codes.join('\n'))}
      />
      <RenamePasskey key={renaming?.id} passkey={renaming} onClose={() => setRenaming(undefined)} />
      <DeletePasskey passkey={deleting} onClose={() => setDeleting(undefined)} />
      <SecretDialog
        title={t('settings.recoveryTitle')}
        label={t('settings.recoveryLabel')}
        hint={t('settings.recoveryDescription')}
        secret={recovery}
        onClose={() => setRecovery(undefined)}
      />
    </Paper>
  );
}

function PasskeyRow({
  passkey: { name, synced, createdAt, lastUsedAt },
  onRename,
  onDelete,
}: {
  readonly passkey: Passkey;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Group gap="xs">
          <Text size="sm" fw={600} className="whole">
            {name}
          </Text>
          {synced ? (
            <Badge variant="light" color="gray" tt="none">
              {t('passkeys.synced')}
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" c="dimmed">
          {t('passkeys.added')} <RelativeTime at={createdAt} size="xs" /> ·{' '}
          {lastUsedAt === null ? (
            t('passkeys.unused')
          ) : (
            <>
              {t('passkeys.used')} <RelativeTime at={lastUsedAt} size="xs" />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<Pencil size={14} aria-hidden />}
          aria-label={`${t('passkeys.rename')}: ${name}`}
          onClick={onRename}
        >
          {t('passkeys.rename')}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="red"
          leftSection={<Trash2 size={14} aria-hidden />}
          aria-label={`${t('common.delete')} ${name}`}
          onClick={onDelete}
        >
          {t('common.delete')}
        </Button>
      </Group>
    </Group>
  );
}

/** Asks for a name, then lets the browser create the passkey. */
function AddPasskey({
  opened,
  onClose,
  onCodes,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The first second factor of a user comes with recovery codes. */
  readonly onCodes: (codes: readonly string[]) => void;
}): ReactNode {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const mutation = useMutation({
    mutationFn: async () => {
      const options = await unwrap(api.POST('/v1/users/me/passkeys/options'));
      const passkey = await createPasskey(options.data);
      const chosen = name.trim();
      const body = chosen === '' ? { passkey } : { name: chosen, passkey };
      return (await unwrap(api.POST('/v1/users/me/passkeys', { body }))).data;
    },
    onSuccess: async ({ recoveryCodes }) => {
      rememberPasskey();
      notify(t('passkeys.created'));
      setName('');
      onClose();
      if (recoveryCodes !== null) onCodes(recoveryCodes);
      await refresh();
    },
  });
  return (
    <NameDialog
      opened={opened}
      onClose={onClose}
      title={t('passkeys.add')}
      action={t('settings.continue')}
      sending={mutation}
      description={t('passkeys.nameHint')}
      value={name}
      onChange={setName}
    />
  );
}

interface PasskeyDialog {
  /** Undefined while the dialog is closed. */
  readonly passkey: Passkey | undefined;
  readonly onClose: () => void;
}

function DeletePasskey({ passkey, onClose }: PasskeyDialog): ReactNode {
  const { t } = useTranslation();
  return (
    <Confirm
      opened={passkey !== undefined}
      onClose={onClose}
      danger
      title={t('passkeys.deleteTitle', { name: passkey?.name ?? '' })}
      message={t('passkeys.deleteMeans')}
      action={t('common.delete')}
      done={t('passkeys.deleted')}
      run={async () => {
        const path = { id: passkey?.id ?? '' };
        await unwrap<unknown>(api.DELETE('/v1/users/me/passkeys/{id}', { params: { path } }));
        await refresh();
      }}
    />
  );
}

function RenamePasskey({ passkey, onClose }: PasskeyDialog): ReactNode {
  const { t } = useTranslation();
  const [name, setName] = useState(passkey?.name ?? '');
  const mutation = useMutation({
    mutationFn: () => {
      const params = { path: { id: passkey?.id ?? '' } };
      return unwrap(api.PATCH('/v1/users/me/passkeys/{id}', { params, body: { name: name.trim() } }));
    },
    onSuccess: async () => {
      onClose();
      await refresh();
    },
  });
  return (
    <NameDialog
      opened={passkey !== undefined}
      onClose={onClose}
      title={t('passkeys.rename')}
      action={t('common.save')}
      sending={mutation}
      required
      value={name}
      onChange={setName}
    />
  );
}

function NameDialog({
  opened,
  onClose,
  title,
  action,
  sending,
  description,
  required = false,
  value,
  onChange,
}: Omit<Parameters<typeof FormDialog>[0], 'children' | 'errors'> & {
  readonly description?: string;
  readonly required?: boolean;
  readonly value: string;
  readonly onChange: (name: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { errors, clear } = useFieldErrors(sending.error, ['name']);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={title}
      action={action}
      sending={sending}
      errors={errors}
    >
      <TextInput
        label={required ? t('passkeys.name') : `${t('passkeys.name')} (${t('common.optional')})`}
        description={description}
        maxLength={MAX_NAME_LENGTH}
        required={required}
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
        value={value}
        error={errors['name']}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          clear('name');
        }}
      />
    </FormDialog>
  );
}
