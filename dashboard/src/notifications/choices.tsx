import { Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { CHOSEN_KINDS, type ChosenKind } from '../../../src/notifications/kinds.ts';
import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { ErrorAlert, LoadingSkeleton, notifyError } from '../components/feedback.tsx';
import { notificationChoices } from './queries.ts';

/** Which notifications the user also receives by email. */
export function NotificationChoices(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(notificationChoices());
  const change = useMutation({
    mutationFn: ({ kind, mailed }: { readonly kind: ChosenKind; readonly mailed: boolean }) =>
      unwrap(api.PATCH('/v1/users/me/notifications', { body: { mail: { [kind]: mailed } } })),
    onSuccess: ({ data }) => queryClient.setQueryData(notificationChoices().queryKey, data),
    onError: notifyError,
  });
  return (
    <Paper withBorder p="md">
      <Stack>
        <div>
          <Title order={2} size="h4">
            {t('notifications.choicesTitle')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('notifications.choicesIntro')}
          </Text>
        </div>
        {query.isPending ? <LoadingSkeleton count={CHOSEN_KINDS.length} height={22} /> : null}
        {query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
        {query.data === undefined
          ? null
          : CHOSEN_KINDS.map((kind) => (
              <Switch
                key={kind}
                label={t(`notifications.choices.${kind}`)}
                // While it is saved, it shows what was chosen.
                checked={
                  change.isPending && change.variables.kind === kind
                    ? change.variables.mailed
                    : query.data.mail[kind]
                }
                onChange={(event) => change.mutate({ kind, mailed: event.currentTarget.checked })}
              />
            ))}
      </Stack>
    </Paper>
  );
}
