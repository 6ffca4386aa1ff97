import { Button, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Trash2, UserPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Role } from '../../../../src/platform/kit/permissions.ts';
import { useMay, useUser } from '../../api/permissions.ts';
import { EndKeys } from '../../components/end-keys.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { CursorTable, type Column, type Page } from '../../components/cursor-table.tsx';
import { DateTime, EmailAddress } from '../../components/values.tsx';
import { PendingReset, ResetButton } from '../../team/second-factor-reset.tsx';
import { EmptyState, notify } from '../../components/feedback.tsx';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly secondFactorResetAt?: string | null;
}

interface SecondFactorReset {
  /** Resolves to undefined if it waits for an approval. */
  readonly request: (id: string) => Promise<object | undefined>;
  readonly cancel: (id: string) => Promise<unknown>;
}

/** Resolves to undefined if the user is not deleted yet. */
type RemovePerson = (id: string, endKeys: boolean) => Promise<object | undefined>;

/**
 * Users of a seller or of the operator, with addition and deletion. Users cannot delete themselves.
 */
export function PeopleTable({
  label,
  query,
  onPage,
  head,
  renderDialog,
  mayHaveKeys = false,
  remove,
  reset,
}: {
  readonly label: string;
  readonly query: UseQueryResult<Page<Person>>;
  readonly onPage: (cursor: string | undefined) => void;
  /** Renders the heading with the button that opens the dialog. */
  readonly head: (button: ReactNode) => ReactNode;
  /** Renders the dialog that adds a user. */
  readonly renderDialog: (opened: boolean, onClose: () => void) => ReactNode;
  /** Users of a seller may have created API keys, which can be deleted with them. */
  readonly mayHaveKeys?: boolean;
  readonly remove: RemovePerson;
  /** Removes the second factor of a user who lost it, if the operator may do that. */
  readonly reset?: SecondFactorReset;
}): ReactNode {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Person>();
  const mayWrite = useMay()('operator:write');
  const columns = useColumns(reset, setDeleting);
  return (
    <Stack>
      {head(
        mayWrite ? (
          <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            {t('people.invite')}
          </Button>
        ) : null,
      )}
      <CursorTable
        label={label}
        query={query}
        onPage={onPage}
        columns={columns}
        empty={
          <EmptyState
            icon={<UserPlus />}
            title={t('operator.people.none')}
            hint={t('operator.people.noneHint')}
          />
        }
      />
      {renderDialog(adding, () => setAdding(false))}
      <DeleteDialog
        person={deleting}
        onClose={() => setDeleting(undefined)}
        mayHaveKeys={mayHaveKeys}
        remove={remove}
      />
    </Stack>
  );
}

function useColumns(
  reset: SecondFactorReset | undefined,
  onDelete: (person: Person) => void,
): readonly Column<Person>[] {
  const { t } = useTranslation();
  const mayWrite = useMay()('operator:write');
  const { id: me } = useUser();
  return [
    {
      key: 'name',
      header: t('create.name'),
      phone: true,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {row.name} {row.id === me ? t('people.you') : ''}
          </Text>
          <Text size="xs" c="dimmed" className="whole">
            <EmailAddress of={row.email} />
          </Text>
          <Text size="xs" hiddenFrom="sm">
            {t(`role.${row.role}`)}
          </Text>
          {typeof row.secondFactorResetAt === 'string' ? (
            <PendingReset
              dueAt={row.secondFactorResetAt}
              name={row.name}
              cancel={mayWrite && reset !== undefined ? () => reset.cancel(row.id) : undefined}
            />
          ) : null}
        </Stack>
      ),
    },
    { key: 'role', header: t('settings.role'), cell: (row) => t(`role.${row.role}`) },
    {
      key: 'created',
      header: t('operator.createdAt'),
      cell: (row) => <DateTime at={row.createdAt} size="sm" />,
    },
    {
      key: 'actions',
      header: t('common.actions'),
      right: true,
      phone: true,
      cell: (row) =>
        mayWrite && row.id !== me ? (
          <Group gap="xs" justify="flex-end">
            {reset === undefined || typeof row.secondFactorResetAt === 'string' ? null : (
              <ResetButton name={row.name} request={() => reset.request(row.id)} />
            )}
            <Button
              size="xs"
              variant="subtle"
              color="red"
              leftSection={<Trash2 size={14} aria-hidden />}
              aria-label={`${t('common.delete')} ${row.name}`}
              onClick={() => onDelete(row)}
            >
              {t('common.delete')}
            </Button>
          </Group>
        ) : (
          ''
        ),
    },
  ];
}

function DeleteDialog({
  person,
  onClose,
  mayHaveKeys,
  remove,
}: {
  readonly person: Person | undefined;
  readonly onClose: () => void;
  readonly mayHaveKeys: boolean;
  readonly remove: RemovePerson;
}): ReactNode {
  const { t } = useTranslation();
  const [endKeys, setEndKeys] = useState(true);
  return (
    <Confirm
      opened={person !== undefined}
      onClose={onClose}
      danger
      title={t('operator.people.deleteTitle', { name: person?.name ?? '' })}
      message={t('operator.people.deleteDescription')}
      action={t('common.delete')}
      run={async () => {
        if (person === undefined) return;
        if ((await remove(person.id, endKeys)) !== undefined) notify(t('operator.people.deleted'));
      }}
      onClosed={() => setEndKeys(true)}
    >
      {mayHaveKeys ? <EndKeys checked={endKeys} onChange={setEndKeys} /> : null}
    </Confirm>
  );
}
