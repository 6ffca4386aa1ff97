import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmailAddress } from '../components/values.tsx';

import { SELLER_ROLES, type SellerRole } from '../../../src/platform/kit/permissions.ts';
import { api, unwrap } from '../api/client.ts';
import { useMay, useUser } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { EndKeys } from '../components/end-keys.tsx';
import { Confirm } from '../components/confirm.tsx';
import { ErrorAlert, LoadingSkeleton, PageTitle } from '../components/feedback.tsx';
import { invitations, team, type TeamMember } from '../settings/account.ts';
import { PendingReset, ResetButton } from './second-factor-reset.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog, type Invitee } from './invite-dialog.tsx';
import { RoleSelect } from './role-select.tsx';

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['team'] });

/** Users of the seller with their roles, and pending invitations. */
export function TeamPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const query = useQuery(team());
  const [inviting, setInviting] = useState(false);
  const [endKeys, setEndKeys] = useState(true);
  const [leaving, setLeaving] = useState<TeamMember>();
  const write = may('users:write');
  return (
    <Stack maw={760}>
      <PageTitle title={t('settings.team')} intro={t('people.teamIntro')}>
        {write ? (
          <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
            {t('people.invite')}
          </Button>
        ) : null}
      </PageTitle>
      <Paper withBorder p="md">
        <Stack>
          <Title order={2} size="h4">
            {t('people.members')}
          </Title>
          {query.isPending ? <LoadingSkeleton count={2} /> : null}
          {query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
          {query.data?.map((member) => (
            <Member key={member.id} member={member} onRemove={() => setLeaving(member)} />
          ))}
          {write && query.data?.length === 1 ? <Text c="dimmed">{t('people.alone')}</Text> : null}
        </Stack>
      </Paper>
      <Invitations
        query={useQuery(invitations())}
        mayWrite={write}
        resend={invite}
        revoke={async (id) => {
          await unwrap<unknown>(api.DELETE('/v1/users/invitations/{id}', { params: { path: { id } } }));
          await refresh();
        }}
      />
      <InviteDialog
        opened={inviting}
        onClose={() => setInviting(false)}
        roles={SELLER_ROLES}
        roleDescriptions="settings.roleDescriptions"
        invite={invite}
      />
      <Confirm
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        danger
        title={t('settings.removeTitle', { name: leaving?.name ?? '' })}
        message={t('settings.removeDescription')}
        action={t('common.delete')}
        done={t('settings.removed')}
        run={async () => {
          if (leaving === undefined) return;
          const params = { path: { id: leaving.id }, query: { endKeys } };
          await unwrap<unknown>(api.DELETE('/v1/users/{id}', { params }));
          await queryClient.invalidateQueries({ queryKey: ['api-keys'] });
          await refresh();
        }}
      >
        <EndKeys checked={endKeys} onChange={setEndKeys} />
      </Confirm>
    </Stack>
  );
}

async function invite({ email, role }: Invitee<SellerRole>): Promise<object> {
  const { data } = await unwrap(api.POST('/v1/users/invitations', { body: { email, role } }));
  await refresh();
  return data;
}

async function requestReset(id: string): Promise<object> {
  const params = { path: { id } };
  const { data } = await unwrap(api.POST('/v1/users/{id}/second-factor-reset', { params }));
  await refresh();
  return data;
}

async function cancelReset(id: string): Promise<void> {
  await unwrap<unknown>(api.DELETE('/v1/users/{id}/second-factor-reset', { params: { path: { id } } }));
  await refresh();
}

/** A user of the team, whose role owners can change. */
function Member({
  member,
  onRemove,
}: {
  readonly member: TeamMember;
  readonly onRemove: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { id, name, email, role, secondFactorResetAt } = member;
  const write = useMay()('users:write');
  const isOther = id !== useUser().id;
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text size="sm" fw={600}>
          {name} {isOther ? '' : t('people.you')}
        </Text>
        <Text size="xs" c="dimmed" className="whole">
          <EmailAddress of={email} />
        </Text>
        {secondFactorResetAt === null ? null : (
          <PendingReset
            dueAt={secondFactorResetAt}
            name={name}
            cancel={write && isOther ? () => cancelReset(id) : undefined}
          />
        )}
      </div>
      {write && isOther ? (
        <Group gap="xs">
          <RoleSelect member={member} refresh={refresh} />
          {secondFactorResetAt === null ? <ResetButton name={name} request={() => requestReset(id)} /> : null}
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={`${t('common.delete')} ${name}`}
            onClick={onRemove}
          >
            {t('common.delete')}
          </Button>
        </Group>
      ) : (
        <Text size="sm">{t(`role.${role}`)}</Text>
      )}
    </Group>
  );
}
