import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { OPERATOR_ROLES, type OperatorRole } from '../../../../src/platform/kit/permissions.ts';
import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { PageTitle } from '../../components/feedback.tsx';
import { useUpdateSearch } from '../../components/listing.tsx';
import { Invitations } from '../../team/invitations.tsx';
import { InviteDialog, type Invitee } from '../../team/invite-dialog.tsx';
import { appliedOrAwaiting } from '../components/awaiting.ts';
import { PeopleTable } from '../components/people-table.tsx';
import { operatorInvitations, operatorUserPage, refresh } from '../queries.ts';

const page = getRouteApi('/operator/team');

/** Operator users, and pending invitations. Some changes wait for a second administrator. */
export function OperatorTeamPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { cursor } = page.useSearch();
  const go = useUpdateSearch();
  return (
    <Stack>
      <PeopleTable
        label={t('operator.team.title')}
        query={useQuery(operatorUserPage(cursor))}
        onPage={(next) => go({}, next)}
        head={(button) => (
          <PageTitle title={t('operator.team.title')} intro={t('operator.team.intro')}>
            {button}
          </PageTitle>
        )}
        renderDialog={(opened, onClose) => (
          <InviteDialog
            opened={opened}
            onClose={onClose}
            roles={OPERATOR_ROLES}
            roleDescriptions="operator.roleDescriptions"
            invite={invite}
          />
        )}
        reset={{ request: requestReset, cancel: cancelReset }}
        remove={async (id) => {
          const path = { id };
          const response = await unwrap(api.DELETE('/v1/admin/users/{id}', { params: { path } }));
          await refresh('users', 'audit');
          return appliedOrAwaiting(response.data);
        }}
      />
      <Invitations
        query={useQuery(operatorInvitations())}
        mayWrite={may('operator:write')}
        resend={invite}
        revoke={async (id) => {
          const path = { id };
          await unwrap<unknown>(api.DELETE('/v1/admin/users/invitations/{id}', { params: { path } }));
          await refresh('users', 'audit');
        }}
      />
    </Stack>
  );
}

async function invite({ email, role }: Invitee<OperatorRole>): Promise<object | undefined> {
  const { data } = await unwrap(api.POST('/v1/admin/users/invitations', { body: { email, role } }));
  await refresh('users', 'audit');
  return appliedOrAwaiting(data);
}

async function requestReset(id: string): Promise<object | undefined> {
  const params = { path: { id } };
  const { data } = await unwrap(api.POST('/v1/admin/users/{id}/second-factor-reset', { params }));
  await refresh('users', 'audit');
  return appliedOrAwaiting(data);
}

async function cancelReset(id: string): Promise<void> {
  const params = { path: { id } };
  await unwrap<unknown>(api.DELETE('/v1/admin/users/{id}/second-factor-reset', { params }));
  await refresh('users', 'audit');
}
