import { Accordion, Button, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { delivery, queryClient } from '../api/queries.ts';
import { DateTime, Id, Status, StatusDescription } from '../components/values.tsx';
import { ErrorAlert, LoadingSkeleton, notify, notifyError } from '../components/feedback.tsx';
import { translateReason } from '../i18n/reasons.ts';

/** Indents JSON; returns other text unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function ResendButton({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const may = useMay();
  const mutation = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/webhooks/deliveries/{id}/resend', { params: { path: { id } } })),
    onSuccess: async () => {
      notify(t('deliveries.resent'));
      await queryClient.invalidateQueries({ queryKey: ['deliveries'] });
    },
    onError: notifyError,
  });
  if (!may('webhooks:write')) return null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RotateCcw size={14} aria-hidden />}
      loading={mutation.isPending}
      onClick={() => mutation.mutate()}
    >
      {t('deliveries.resend')}
    </Button>
  );
}

/** Details of a delivery with its attempts and their responses. */
export function DeliveryDetail({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const query = useQuery(delivery(id));
  if (query.isError && query.data === undefined) {
    return <ErrorAlert error={query.error} retry={query.refetch} />;
  }
  if (query.data === undefined) return <LoadingSkeleton />;
  const { data } = query;
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <Status kind="delivery" of={data.status} />
          <Text fw={600}>{data.event}</Text>
        </Group>
        <ResendButton id={id} />
      </Group>
      <StatusDescription kind="delivery" of={data.status} />
      <Code block className="wrapped">
        POST {data.url}
      </Code>
      <Text size="sm" component="div">
        <DateTime at={data.createdAt} /> · {t('deliveries.record')}: <Id id={data.recordId} />
      </Text>
      <Accordion
        multiple
        defaultValue={['payload', `attempt-${data.attempts.at(-1)?.number}`]}
        variant="separated"
      >
        <Accordion.Item value="payload">
          <Accordion.Control>{t('deliveries.payload')}</Accordion.Control>
          <Accordion.Panel>
            <Code block className="wrapped" tabIndex={0}>
              {pretty(data.payload)}
            </Code>
          </Accordion.Panel>
        </Accordion.Item>
        {data.attempts.map((attempt) => (
          <Accordion.Item key={attempt.number} value={`attempt-${attempt.number}`}>
            <Accordion.Control>
              {t('deliveries.attempt', { number: attempt.number })}
              {' · '}
              {attempt.statusCode ?? t('deliveries.noAnswer')}
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="xs">
                <Text size="sm" c="dimmed">
                  <DateTime at={attempt.at} />
                  {' · '}
                  {t('deliveries.latency', { ms: attempt.latencyMs })}
                </Text>
                {attempt.error === null ? null : <Text size="sm">{translateReason(attempt.error)}</Text>}
                {attempt.responseBody === null || attempt.responseBody === '' ? null : (
                  <Paper>
                    <Text size="sm" fw={600}>
                      {t('deliveries.answer')}
                    </Text>
                    <Code block className="wrapped" tabIndex={0}>
                      {pretty(attempt.responseBody)}
                    </Code>
                  </Paper>
                )}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  );
}
