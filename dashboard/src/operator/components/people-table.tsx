import { Button, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Trash2, UserPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Role } from '../../../../src/platform/kit/permissions.ts';
import { useMay, useUser } from '../../api/permissions.ts';
import { EndKeys } from '../../components/end-keys.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { CursorTable, type Page } from '../../components/cursor-table.tsx';
import { DateTime } from '../../components/values.tsx';
import { NewPersonForm, type NewPerson } from '../../components/new-person.tsx';
import { EmptyState } from '../../components/feedback.tsx';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: string;
}

/**
 * Users of a seller or of the operator, with creation and deletion. Users cannot delete themselves.
 */
export function PeopleTable<R extends Role>({
  label,
  query,
  onPage,
  roles,
  minPasswordLength,
  head,
  create,
  mayHaveKeys = false,
  remove,
}: {
  readonly label: string;
  readonly query: UseQueryResult<Page<Person>>;
  readonly onPage: (cursor: string | undefined) => void;
  /** Roles that a new user may have. */
  readonly roles: readonly R[];
  readonly minPasswordLength: number;
  /** Renders the heading with the create button. */
  readonly head: (button: ReactNode) => ReactNode;
  readonly create: (person: NewPerson<R>) => Promise<unknown>;
  /** Users of a seller may have created API keys, which can be deleted with them. */
  readonly mayHaveKeys?: boolean;
  readonly remove: (id: string, endKeys: boolean) => Promise<unknown>;
}): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { id: me } = useUser();
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Person>();
  const [endKeys, setEndKeys] = useState(true);
  const mayWrite = may('operator:write');
  return (
    <Stack>
      {head(
        mayWrite ? (
          <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            {t('operator.people.new')}
          </Button>
        ) : null,
      )}
      <CursorTable
        label={label}
        query={query}
        onPage={onPage}
        columns={[
          {
            key: 'name',
            header: t('create.name'),
            phone: true,
            cell: (row) => (
              <Stack gap={0}>
                <Text size="sm" fw={600}>
                  {row.name} {row.id === me ? t('operator.team.you') : ''}
                </Text>
                <Text size="xs" c="dimmed" className="whole">
                  {row.email}
                </Text>
              </Stack>
            ),
          },
          { key: 'role', header: t('settings.role'), phone: true, cell: (row) => t(`role.${row.role}`) },
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
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  leftSection={<Trash2 size={14} aria-hidden />}
                  aria-label={`${t('common.delete')} ${row.name}`}
                  onClick={() => setDeleting(row)}
                >
                  {t('common.delete')}
                </Button>
              ) : (
                ''
              ),
          },
        ]}
        empty={
          <EmptyState
            icon={<UserPlus />}
            title={t('operator.people.none')}
            hint={t('operator.people.noneHint')}
          />
        }
      />
      <NewPersonForm
        opened={creating}
        onClose={() => setCreating(false)}
        texts={{
          title: t('operator.people.new'),
          action: t('common.create'),
          password: t('operator.people.password'),
          passwordHint: t('operator.people.passwordHint', { length: minPasswordLength }),
          created: (name) => t('operator.people.created', { name }),
          roleDescriptions: 'operator.roleDescriptions',
        }}
        roles={roles}
        minPasswordLength={minPasswordLength}
        create={create}
      />
      <Confirm
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        danger
        title={t('operator.people.deleteTitle', { name: deleting?.name ?? '' })}
        message={t('operator.people.deleteDescription')}
        action={t('common.delete')}
        done={t('operator.people.deleted')}
        run={async () => {
          if (deleting !== undefined) await remove(deleting.id, endKeys);
        }}
      >
        {mayHaveKeys ? <EndKeys checked={endKeys} onChange={setEndKeys} /> : null}
      </Confirm>
    </Stack>
  );
}
