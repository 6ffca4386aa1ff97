import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ShieldOff } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { Confirm } from '../components/confirm.tsx';
import { notify, notifyError } from '../components/feedback.tsx';
import { DateTime, RelativeTime } from '../components/values.tsx';
import { me } from '../settings/account.ts';

/** Requests that the second factor of a person who lost it is removed. */
export function ResetButton({
  name,
  request,
}: {
  readonly name: string;
  /** Resolves to undefined if the reset waits for an approval. */
  readonly request: () => Promise<object | undefined>;
}): ReactNode {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        h="auto"
        py={6}
        // Wraps beside a name on phones.
        styles={{ label: { whiteSpace: 'normal' } }}
        leftSection={<ShieldOff size={14} aria-hidden />}
        aria-label={`${t('passkeys.reset')}: ${name}`}
        onClick={() => setAsking(true)}
      >
        {t('passkeys.reset')}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        danger
        title={t('passkeys.resetTitle', { name })}
        message={t('passkeys.resetMeans')}
        action={t('passkeys.reset')}
        run={async () => {
          if ((await request()) !== undefined) notify(t('passkeys.resetRequested'));
        }}
      />
    </>
  );
}

/** When the second factor of a person is removed. */
export function PendingReset({
  dueAt,
  name,
  cancel,
}: {
  readonly dueAt: string;
  readonly name: string;
  /** Undefined if the user may not cancel it. */
  readonly cancel: (() => Promise<unknown>) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const mutation = useCancel(cancel);
  return (
    <Group gap="xs">
      <Text size="xs" fw={600}>
        {t('passkeys.resetAt')} <RelativeTime at={dueAt} size="xs" />
      </Text>
      {cancel === undefined ? null : (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${t('passkeys.cancelReset')}: ${name}`}
          loading={mutation.isPending}
          onClick={() => mutation.mutate()}
        >
          {t('passkeys.cancelReset')}
        </Button>
      )}
    </Group>
  );
}

/** Informs the signed-in user about a requested reset, which they can cancel. */
export function OwnReset(): ReactNode {
  const { t } = useTranslation();
  const dueAt = useQuery(me()).data?.secondFactorResetAt ?? null;
  const mutation = useCancel(async () => {
    await unwrap<unknown>(api.DELETE('/v1/users/me/second-factor-reset'));
    await queryClient.invalidateQueries({ queryKey: ['me'] });
  });
  if (dueAt === null) return null;
  return (
    <Alert color="orange" mb="md" title={t('passkeys.ownReset')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t('passkeys.ownResetMeans')} <DateTime at={dueAt} size="sm" />.
        </Text>
        <Button size="xs" loading={mutation.isPending} onClick={() => mutation.mutate()}>
          {t('passkeys.cancelReset')}
        </Button>
      </Stack>
    </Alert>
  );
}

function useCancel(cancel: (() => Promise<unknown>) | undefined) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async () => cancel?.(),
    onSuccess: () => notify(t('passkeys.resetCanceled')),
    onError: notifyError,
  });
}
