import { Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import {
  hasOnlyPermissionsOf,
  SELLER_ROLES,
  type SellerRole,
} from '../../../src/platform/kit/permissions.ts';
import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { Confirm } from '../components/confirm.tsx';
import { EndKeys } from '../components/end-keys.tsx';
import { notify, notifyError } from '../components/feedback.tsx';
import type { TeamMember } from '../settings/account.ts';

/** Changes the role of a user. One with fewer permissions is confirmed: the user knows API keys. */
export function RoleSelect({
  member: { id, name, role },
  refresh,
}: {
  readonly member: TeamMember;
  readonly refresh: () => Promise<void>;
}): ReactNode {
  const { t } = useTranslation();
  const [lower, setLower] = useState<SellerRole>();
  const [endKeys, setEndKeys] = useState(true);
  const change = useMutation({
    mutationFn: (next: SellerRole) => changeRole(id, { role: next }),
    onSuccess: () => notify(t('settings.roleChanged')),
    onError: notifyError,
    onSettled: refresh,
  });
  return (
    <>
      <Select
        size="xs"
        w={180}
        aria-label={`${t('settings.role')}: ${name}`}
        allowDeselect={false}
        data={SELLER_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
        value={role}
        onChange={(value) => {
          const next = SELLER_ROLES.find((known) => known === value);
          if (next === undefined || next === role) return;
          if (hasOnlyPermissionsOf(role, next)) change.mutate(next);
          else setLower(next);
        }}
      />
      <Confirm
        opened={lower !== undefined}
        onClose={() => setLower(undefined)}
        title={t('settings.lowerRoleTitle', { name })}
        message={t('settings.lowerRoleDescription')}
        action={t('settings.lowerRole')}
        done={t('settings.roleChanged')}
        run={async () => {
          if (lower === undefined) return;
          await changeRole(id, { role: lower, endKeys });
          await queryClient.invalidateQueries({ queryKey: ['api-keys'] });
          await refresh();
        }}
      >
        <EndKeys label={t('settings.endKeysBeyondRole')} checked={endKeys} onChange={setEndKeys} />
      </Confirm>
    </>
  );
}

const changeRole = (id: string, body: { readonly role: SellerRole; readonly endKeys?: boolean }) =>
  unwrap(api.PATCH('/v1/users/{id}', { params: { path: { id } }, body }));
