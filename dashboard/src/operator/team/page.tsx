import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Trash2, UserPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { OPERATOR_ROLES } from '../../../../src/permissions.ts';
import { api, ask } from '../../api/client.ts';
import { useMay, useUser } from '../../api/permissions.ts';
import { Confirm } from '../../pieces/confirm.tsx';
import { CursorTable } from '../../pieces/cursor-table.tsx';
import { DateTime } from '../../pieces/figures.tsx';
import { EmptyState, PageTitle } from '../../pieces/notes.tsx';
import { NewPersonForm } from '../pieces/new-person.tsx';
import { operatorUsers, refresh } from '../queries.ts';

/** Who works here. */
export function OperatorTeamPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { id: me } = useUser();
  const list = useQuery(operatorUsers());
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<{ readonly id: string; readonly name: string }>();
  return (
    <Stack>
      <PageTitle title={t('operator.team.title')} intro={t('operator.team.intro')}>
        {may('operator:write') ? (
          <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            {t('operator.people.new')}
          </Button>
        ) : null}
      </PageTitle>
      <CursorTable
        label={t('operator.team.title')}
        query={list}
        onPage={() => undefined}
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
            header: t('operator.since'),
            cell: (row) => <DateTime at={row.createdAt} size="sm" />,
          },
          {
            key: 'actions',
            header: t('common.actions'),
            right: true,
            phone: true,
            cell: (row) =>
              may('operator:write') && row.id !== me ? (
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
        roles={OPERATOR_ROLES}
        create={async (body) => {
          await ask(api.POST('/v1/admin/users', { body }));
          await refresh('users', 'audit');
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
          await ask(api.DELETE('/v1/admin/users/{id}', { params: { path: { id: deleting.id } } }));
          await refresh('users', 'audit');
        }}
      />
    </Stack>
  );
}
