import { Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { queryClient, type Dispute } from '../api/queries.ts';
import type { components } from '../api/schema.gen.ts';
import { Author } from '../components/author.tsx';
import { DownloadButton, FileUpload } from '../components/evidence-file.tsx';
import { ErrorAlert, LoadingSkeleton, notify, notifyError } from '../components/feedback.tsx';
import { DateTime } from '../components/values.tsx';
import { formatNumber } from '../i18n/format.ts';
import { daysLeft } from './deadline.tsx';
import { WhatToAttach } from './what-to-attach.tsx';

type Attachment = components['schemas']['DisputeAttachment'];
type Message = components['schemas']['DisputeMessage'];

const MAX_ATTACHMENTS = 10;

const evidenceKey = (id: string) => ['disputes', 'evidence', id];
const refreshEvidence = (id: string) => queryClient.invalidateQueries({ queryKey: evidenceKey(id) });

/** The files and messages of the seller, and how it adds to them until the deadline. */
export function Evidence({ dispute }: { readonly dispute: Dispute }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const path = { params: { path: { id: dispute.id } } };
  const query = useQuery({
    queryKey: evidenceKey(dispute.id),
    queryFn: async ({ signal }) => ({
      attachments: (await unwrap(api.GET('/v1/disputes/{id}/attachments', { ...path, signal }))).data,
      messages: (await unwrap(api.GET('/v1/disputes/{id}/messages', { ...path, signal }))).data,
    }),
  });
  const isUndecided = dispute.status === 'OPEN' || dispute.status === 'UNDER_REVIEW';
  const mayAdd = isUndecided && daysLeft(dispute.appealUntil) >= 0 && may('disputes:appeal');
  if (query.data === undefined) {
    return query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : <LoadingSkeleton />;
  }
  const { attachments, messages } = query.data;
  if (!mayAdd && attachments.length + messages.length === 0) return null;
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={3} size="h5">
          {t('disputes.evidence')}
        </Title>
        {mayAdd ? <WhatToAttach reason={dispute.reason} /> : null}
        <EvidenceList
          attachments={attachments}
          messages={messages}
          pathOf={({ id }) => `/v1/disputes/${dispute.id}/attachments/${id}`}
        />
        {mayAdd && attachments.length < MAX_ATTACHMENTS ? <Attach id={dispute.id} /> : null}
        {mayAdd && dispute.status === 'UNDER_REVIEW' ? <AddMessage id={dispute.id} /> : null}
      </Stack>
    </Paper>
  );
}

/** Attachments with their downloads, then messages. */
export function EvidenceList({
  attachments,
  messages,
  pathOf,
}: {
  readonly attachments: readonly Attachment[];
  readonly messages: readonly Message[];
  /** Where an attachment is downloaded. */
  readonly pathOf: (attachment: Attachment) => string;
}): ReactNode {
  return (
    <>
      {attachments.map((attachment) => (
        <Group key={attachment.id} gap="xs" justify="space-between">
          <Stack gap={0} miw={0} flex={1}>
            <Text size="sm" className="wrapped">
              {attachment.name}
            </Text>
            <Text size="xs" c="dimmed">
              {formatNumber(Math.ceil(attachment.size / 1024))} KB ·{' '}
              <DateTime at={attachment.createdAt} size="xs" />
            </Text>
          </Stack>
          <DownloadButton path={pathOf(attachment)} name={attachment.name} />
        </Group>
      ))}
      {messages.map((message) => (
        <div key={message.id}>
          <Text className="wrapped" size="sm">
            {message.text}
          </Text>
          <Text size="xs" c="dimmed" component="div">
            <Author by={message.createdBy} /> · <DateTime at={message.createdAt} size="xs" />
          </Text>
        </div>
      ))}
    </>
  );
}

function Attach({ id }: { readonly id: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <FileUpload
      path={`/v1/disputes/${id}/attachments`}
      action={t('disputes.attachFile')}
      uploaded={t('disputes.attached')}
      onUploaded={() => refreshEvidence(id)}
    />
  );
}

function AddMessage({ id }: { readonly id: string }): ReactNode {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const send = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/v1/disputes/{id}/messages', { params: { path: { id } }, body: { text: text.trim() } }),
      ),
    onSuccess: async () => {
      setText('');
      notify(t('disputes.messageSent'));
      await refreshEvidence(id);
    },
    onError: notifyError,
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea
        w="100%"
        label={t('disputes.message')}
        autosize
        minRows={2}
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={text.trim() === ''}
        loading={send.isPending}
        onClick={() => send.mutate()}
      >
        {t('disputes.sendMessage')}
      </Button>
    </Stack>
  );
}
