import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { Send, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Role } from '../../../src/platform/kit/permissions.ts';
import { findText } from '../i18n/find-text.ts';
import { Confirm } from '../components/confirm.tsx';
import { ErrorAlert, LoadingSkeleton, notify, notifyError } from '../components/feedback.tsx';
import { EmailAddress, RelativeTime } from '../components/values.tsx';
import type { Invitee } from './invite-dialog.tsx';

interface Invitation<R extends Role> extends Invitee<R> {
  readonly id: string;
  readonly expiresAt: string;
}

/** Invitations that were not accepted yet. */
export function Invitations<R extends Role>({
  query,
  mayWrite,
  resend,
  revoke,
}: {
  readonly query: UseQueryResult<readonly Invitation<R>[]>;
  readonly mayWrite: boolean;
  /** Resolves to undefined if the invitation waits for an approval. */
  readonly resend: (invitee: Invitee<R>) => Promise<object | undefined>;
  readonly revoke: (id: string) => Promise<unknown>;
}): ReactNode {
  const { t } = useTranslation();
  const [revoking, setRevoking] = useState<Invitation<R>>();
  const again = useMutation({
    mutationFn: async ({ email, role }: Invitation<R>) => resend({ email, role }),
    onSuccess: (sent, { email }) => {
      if (sent !== undefined) notify(t('people.resent', { email }));
    },
    onError: notifyError,
  });
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {t('people.pending')}
        </Title>
        {query.isPending ? <LoadingSkeleton count={1} /> : null}
        {query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
        {query.data?.length === 0 ? <Text c="dimmed">{t('people.noPending')}</Text> : null}
        {query.data?.map((invitation) => (
          <Group key={invitation.id} justify="space-between" gap="xs">
            <div>
              <Text size="sm" fw={600} className="whole">
                <EmailAddress of={invitation.email} />
              </Text>
              <Text size="xs" c="dimmed">
                {findText(`role.${invitation.role}`)} · {t('people.expires')}{' '}
                <RelativeTime at={invitation.expiresAt} size="xs" />
              </Text>
            </div>
            {mayWrite ? (
              <InvitationActions
                email={invitation.email}
                resending={again.isPending && again.variables.id === invitation.id}
                onResend={() => again.mutate(invitation)}
                onRevoke={() => setRevoking(invitation)}
              />
            ) : null}
          </Group>
        ))}
      </Stack>
      <Confirm
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        danger
        title={t('people.revokeTitle', { email: revoking?.email ?? '' })}
        message={t('people.revokeMeans')}
        action={t('people.revoke')}
        dismiss={t('common.back')}
        done={t('people.revoked')}
        run={async () => (revoking === undefined ? undefined : revoke(revoking.id))}
      />
    </Paper>
  );
}

function InvitationActions({
  email,
  resending,
  onResend,
  onRevoke,
}: {
  readonly email: string;
  readonly resending: boolean;
  readonly onResend: () => void;
  readonly onRevoke: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        leftSection={<Send size={14} aria-hidden />}
        aria-label={`${t('people.resend')}: ${email}`}
        loading={resending}
        onClick={onResend}
      >
        {t('people.resend')}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        leftSection={<X size={14} aria-hidden />}
        aria-label={`${t('people.revoke')}: ${email}`}
        onClick={onRevoke}
      >
        {t('people.revoke')}
      </Button>
    </Group>
  );
}
