import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Trash2, UserPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, ask } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { Confirm } from '../../pieces/confirm.tsx';
import { CursorTable } from '../../pieces/cursor-table.tsx';
import { DateTime } from '../../pieces/figures.tsx';
import { useAddress } from '../../pieces/listing.tsx';
import { EmptyState } from '../../pieces/notes.tsx';
import { SELLER_ROLES } from '../pieces/known.ts';
import { NewPersonForm } from '../pieces/new-person.tsx';
import { refresh, usersOf } from '../queries.ts';

interface Person {
  readonly id: string;
  readonly name: string;
}

export function UsersTab({
  sellerId,
  cursor,
}: {
  readonly sellerId: string;
  readonly cursor: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const go = useAddress();
  const list = useQuery(usersOf(sellerId, cursor));
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Person>();
  const add = may('operator:write') ? (
    <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t('operator.people.new')}
    </Button>
  ) : null;
  return (
    <Stack>
      <Group justify="flex-end">{add}</Group>
      <CursorTable
        label={t('operator.sellers.tabs.users')}
        query={list}
        onPage={(next) => go({ tab: 'users' }, next)}
        columns={[
          {
            key: 'name',
            header: t('create.name'),
            phone: true,
            cell: (row) => (
              <Stack gap={0}>
                <Text size="sm" fw={600}>
                  {row.name}
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
            header: t('operator.since'),
            cell: (row) => <DateTime at={row.createdAt} size="sm" />,
          },
          {
            key: 'actions',
            header: t('common.actions'),
            right: true,
            phone: true,
            cell: (row) =>
              may('operator:write') ? (
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
        roles={SELLER_ROLES}
        create={async (body) => {
          await ask(api.POST('/v1/admin/sellers/{id}/users', { params: { path: { id: sellerId } }, body }));
          await refresh('seller-users', 'audit');
        }}
      />
      <Confirm
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        danger
        title={t('operator.people.deleteTitle', { name: deleting?.name ?? '' })}
        means={t('operator.people.deleteMeans')}
        action={t('common.delete')}
        done={t('operator.people.deleted')}
        run={async () => {
          if (deleting === undefined) return;
          const path = { id: sellerId, userId: deleting.id };
          await ask(api.DELETE('/v1/admin/sellers/{id}/users/{userId}', { params: { path } }));
          await refresh('seller-users', 'audit');
        }}
      />
    </Stack>
  );
}
