import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { SELLER_ROLES } from '../../../../src/platform/kit/permissions.ts';
import { api, unwrap } from '../../api/client.ts';
import { useUpdateSearch } from '../../components/listing.tsx';
import { InviteDialog } from '../../team/invite-dialog.tsx';
import { appliedOrAwaiting } from '../components/awaiting.ts';
import { PeopleTable } from '../components/people-table.tsx';
import { refresh } from '../queries.ts';
import { sellerUsers } from './queries.ts';

export function UsersTab({
  sellerId,
  cursor,
}: {
  readonly sellerId: string;
  readonly cursor: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const go = useUpdateSearch();
  const list = useQuery(sellerUsers(sellerId, cursor));
  return (
    <PeopleTable
      label={t('operator.sellers.tabs.users')}
      query={list}
      onPage={(next) => go({ tab: 'users' }, next)}
      head={(button) => <Group justify="flex-end">{button}</Group>}
      renderDialog={(opened, onClose) => (
        <InviteDialog
          opened={opened}
          onClose={onClose}
          withName
          roles={SELLER_ROLES}
          roleDescriptions="operator.roleDescriptions"
          invite={async (body) => {
            const path = { id: sellerId };
            const { data } = await unwrap(
              api.POST('/v1/admin/sellers/{id}/users', { params: { path }, body }),
            );
            await refresh('seller-users', 'audit');
            return appliedOrAwaiting(data);
          }}
        />
      )}
      mayHaveKeys
      remove={async (userId, endKeys) => {
        const path = { id: sellerId, userId };
        const response = await unwrap(
          api.DELETE('/v1/admin/sellers/{id}/users/{userId}', { params: { path, query: { endKeys } } }),
        );
        await refresh('seller-users', 'audit');
        return response;
      }}
    />
  );
}
