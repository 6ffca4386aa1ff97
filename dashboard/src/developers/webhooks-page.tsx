import { Button, Group, Menu, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, Webhook as WebhookIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { apiKeys, queryClient, webhooks, type Webhook } from '../api/queries.ts';
import { Confirm } from '../components/confirm.tsx';
import { RelativeTime, Status } from '../components/values.tsx';
import { useFieldErrors } from '../components/field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import {
  EmptyState,
  ErrorAlert,
  LoadingSkeleton,
  PageTitle,
  notify,
  notifyError,
} from '../components/feedback.tsx';
import { translateReason } from '../i18n/reasons.ts';
import { SecretDialog } from './secret-dialog.tsx';

const TYPES = ['ALL', 'TRANSACTION', 'WITHDRAWAL', 'DISPUTE', 'SUBSCRIPTION'] as const;
const refresh = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] });

export function WebhooksPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const query = useQuery(webhooks());
  const keys = useQuery({ ...apiKeys(), enabled: may('api-keys:read') });
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <Stack>
      <PageTitle title={t('webhooks.title')} intro={t('webhooks.intro')}>
        {may('webhooks:write') ? (
          <Button leftSection={<WebhookIcon size={16} aria-hidden />} onClick={() => setCreating(true)}>
            {t('webhooks.new')}
          </Button>
        ) : null}
      </PageTitle>
      {query.isError && query.data === undefined ? (
        <ErrorAlert error={query.error} retry={query.refetch} />
      ) : null}
      {query.isPending ? <LoadingSkeleton count={3} height={72} /> : null}
      {query.data?.length === 0 ? (
        <EmptyState
          icon={<WebhookIcon />}
          title={t('webhooks.emptyTitle')}
          hint={t('webhooks.emptyHint')}
          command={[
            `curl ${location.origin}/v1/webhooks \\`,
            `  -H 'x-api-key: ${keys.data?.[0]?.prefix ?? 'sk_test_'}…' \\`,
            `  -H 'content-type: application/json' \\`,
            `  -d '{"url":"https://loja.example/webhook","eventType":"ALL"}'`,
          ].join('\n')}
        />
      ) : null}
      {query.data?.map((webhook) => (
        <WebhookCard key={webhook.id} webhook={webhook} onSecret={setSecret} />
      ))}
      {may('webhooks:write') ? <PostbackSecretRotation /> : null}
      <NewWebhook
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={(made) => {
          setCreating(false);
          setSecret(made);
        }}
      />
      <SecretDialog
        title={t('webhooks.secretTitle')}
        label={t('webhooks.secretLabel')}
        hint={t('webhooks.secretHint')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </Stack>
  );
}

/** The new secret of postbacks is shown once, after the rotation. */
function PostbackSecretRotation() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <Group>
      <Button
        size="xs"
        variant="default"
        h="auto"
        mih={{ base: 44, sm: 30 }}
        styles={{ label: { whiteSpace: 'normal' } }}
        onClick={() => setOpened(true)}
      >
        {t('webhooks.postback.rotate')}
      </Button>
      <Confirm
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('webhooks.postback.title')}
        message={t('webhooks.postback.description')}
        action={t('webhooks.rotate')}
        run={async () => {
          const rotated = await unwrap(api.POST('/v1/webhooks/postback-secret/rotate'));
          setSecret(rotated.data.secret);
        }}
      />
      <SecretDialog
        title={t('webhooks.secretTitle')}
        label={t('webhooks.secretLabel')}
        hint={t('webhooks.postback.hint')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </Group>
  );
}

type WebhookDialog = 'rotate' | 'delete';

function WebhookCard({
  webhook,
  onSecret,
}: {
  readonly webhook: Webhook;
  readonly onSecret: (secret: string) => void;
}) {
  const { t } = useTranslation();
  const may = useMay();
  const [dialog, setDialog] = useState<WebhookDialog>();
  const params = { path: { id: webhook.id } };
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start">
        <WebhookFacts webhook={webhook} />
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            component={Link}
            to={`/developers/deliveries?webhookId=${webhook.id}`}
          >
            {t('webhooks.log')}
          </Button>
          {may('webhooks:write') ? <WebhookMenu webhook={webhook} onChoose={setDialog} /> : null}
        </Group>
      </Group>
      <Confirm
        opened={dialog === 'rotate'}
        onClose={() => setDialog(undefined)}
        title={t('webhooks.rotateTitle')}
        message={t('webhooks.rotateDescription')}
        action={t('webhooks.rotate')}
        done={t('webhooks.changed')}
        run={async () => {
          const made = await unwrap(api.POST('/v1/webhooks/{id}/rotate-secret', { params }));
          onSecret(made.data.secret);
        }}
      />
      <Confirm
        opened={dialog === 'delete'}
        onClose={() => setDialog(undefined)}
        danger
        title={t('webhooks.deleteTitle')}
        message={t('webhooks.deleteDescription', { url: webhook.url })}
        action={t('common.delete')}
        done={t('webhooks.deleted')}
        run={async () => {
          await unwrap<unknown>(api.DELETE('/v1/webhooks/{id}', { params }));
          await refresh();
        }}
      />
    </Paper>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation();
  return (
    <Stack gap={4} miw={0} flex="1 1 240px">
      <Text fw={600} className="whole">
        {webhook.url}
      </Text>
      {webhook.description === null ? null : (
        <Text size="sm" className="whole">
          {webhook.description}
        </Text>
      )}
      <Group gap="xs">
        <Status kind="webhook" of={webhook.status} />
        <Text size="sm" c="dimmed">
          {t(`webhooks.types.${webhook.eventType}`)} · {t('common.created')}:{' '}
          <RelativeTime at={webhook.createdAt} />
        </Text>
      </Group>
      {webhook.disabledReason === null ? null : (
        <Text size="sm">{translateReason(webhook.disabledReason)}</Text>
      )}
    </Stack>
  );
}

function WebhookMenu({
  webhook,
  onChoose,
}: {
  readonly webhook: Webhook;
  readonly onChoose: (dialog: WebhookDialog) => void;
}) {
  const { t } = useTranslation();
  const params = { path: { id: webhook.id } };
  const test = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/webhooks/{id}/test', { params })),
    onSuccess: () => {
      notify(t('webhooks.tested'));
      void queryClient.invalidateQueries({ queryKey: ['deliveries'] });
    },
    onError: notifyError,
  });
  const change = useMutation({
    mutationFn: (status: Webhook['status']) =>
      unwrap(api.PATCH('/v1/webhooks/{id}', { params, body: { status } })),
    onSuccess: async () => {
      notify(t('webhooks.changed'));
      await refresh();
    },
    onError: notifyError,
  });
  const active = webhook.status === 'ACTIVE';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" rightSection={<ChevronDown size={14} aria-hidden />}>
          {t('common.actions')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={!active} onClick={() => test.mutate()}>
          {t('webhooks.test')}
        </Menu.Item>
        <Menu.Item onClick={() => onChoose('rotate')}>{t('webhooks.rotate')}</Menu.Item>
        <Menu.Item onClick={() => change.mutate(active ? 'DISABLED' : 'ACTIVE')}>
          {active ? t('webhooks.disable') : t('webhooks.enable')}
        </Menu.Item>
        <Menu.Item c="var(--mantine-color-error)" onClick={() => onChoose('delete')}>
          {t('common.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useNewWebhook(onCreated: (secret: string) => void) {
  const [url, setUrl] = useState('');
  const [eventType, setEventType] = useState<Webhook['eventType']>('ALL');
  const [description, setDescription] = useState('');
  const mutation = useMutation({
    mutationFn: async () => {
      const body = {
        url: url.trim(),
        eventType,
        ...(description.trim() === '' ? {} : { description: description.trim() }),
      };
      return (await unwrap(api.POST('/v1/webhooks', { body }))).data;
    },
    onSuccess: async ({ secret }) => {
      setUrl('');
      setDescription('');
      setEventType('ALL');
      onCreated(secret);
      await refresh();
    },
  });
  const { errors, clear } = useFieldErrors(mutation.error, ['url', 'eventType', 'description']);
  return { url, setUrl, eventType, setEventType, description, setDescription, mutation, errors, clear };
}

function NewWebhook({
  opened,
  onClose,
  onCreated,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (secret: string) => void;
}) {
  const { t } = useTranslation();
  const { url, setUrl, eventType, setEventType, description, setDescription, mutation, errors, clear } =
    useNewWebhook(onCreated);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t('webhooks.new')}
      action={t('webhooks.new')}
      sending={mutation}
      errors={errors}
    >
      <TextInput
        label={t('webhooks.url')}
        placeholder="https://"
        required
        withAsterisk={false}
        value={url}
        error={errors['url']}
        onChange={(event) => {
          setUrl(event.currentTarget.value);
          clear('url');
        }}
        data-autofocus
      />
      <Select
        label={t('webhooks.about')}
        allowDeselect={false}
        data={TYPES.map((value) => ({ value, label: t(`webhooks.types.${value}`) }))}
        value={eventType}
        onChange={(value) => setEventType(TYPES.find((known) => known === value) ?? 'ALL')}
      />
      <TextInput
        label={`${t('common.description')} (${t('common.optional')})`}
        maxLength={255}
        value={description}
        error={errors['description']}
        onChange={(event) => {
          setDescription(event.currentTarget.value);
          clear('description');
        }}
      />
    </FormDialog>
  );
}
