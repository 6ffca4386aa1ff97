import { Button, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { DOCUMENT_KINDS, requiredKinds } from '../../../src/onboarding/application.ts';
import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { DownloadButton, FileUpload } from '../components/evidence-file.tsx';
import { notifyError } from '../components/feedback.tsx';
import { formatNumber } from '../i18n/format.ts';
import { application as applicationQuery, type Application } from './queries.ts';

const MAX_DOCUMENTS = 10;

const refresh = () => queryClient.invalidateQueries({ queryKey: applicationQuery().queryKey });

/** The files of an application, with their downloads. */
export function Documents({
  application,
  pathOf,
  readOnly = false,
}: {
  readonly application: Application;
  /** Where a document is downloaded. */
  readonly pathOf: (id: string) => string;
  readonly readOnly?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const { documents } = application;
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {t('onboarding.documents')}
        </Title>
        {documents.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('onboarding.noDocuments')}
          </Text>
        ) : null}
        {documents.map((document) => (
          <Group key={document.id} gap="xs" justify="space-between">
            <Stack gap={0} miw={0} flex={1}>
              <Text size="sm" fw={600}>
                {t(`onboarding.documentKinds.${document.kind}`)}
              </Text>
              <Text size="xs" c="dimmed" className="wrapped">
                {document.name} · {formatNumber(Math.ceil(document.size / 1024))} KB
              </Text>
            </Stack>
            <DownloadButton path={pathOf(document.id)} name={document.name} />
            {readOnly ? null : <Remove id={document.id} name={document.name} />}
          </Group>
        ))}
        {readOnly || documents.length >= MAX_DOCUMENTS ? null : <Add application={application} />}
      </Stack>
    </Paper>
  );
}

function Remove({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  const { t } = useTranslation();
  const remove = useMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/v1/application/documents/{documentId}', { params: { path: { documentId: id } } })),
    onSuccess: refresh,
    onError: notifyError,
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<Trash2 size={14} aria-hidden />}
      aria-label={t('onboarding.deleteOf', { name })}
      loading={remove.isPending}
      onClick={() => remove.mutate()}
    >
      {t('onboarding.delete')}
    </Button>
  );
}

function Add({ application }: { readonly application: Application }): ReactNode {
  const { t } = useTranslation();
  const wanted = requiredKinds(application.documentType).find(
    (kind) => !application.documents.some((document) => document.kind === kind),
  );
  const [chosen, setChosen] = useState<(typeof DOCUMENT_KINDS)[number]>();
  const kind = chosen ?? wanted ?? 'OTHER';
  return (
    <Stack gap="xs">
      <Select
        label={t('onboarding.documentKind')}
        allowDeselect={false}
        data={DOCUMENT_KINDS.map((value) => ({ value, label: t(`onboarding.documentKinds.${value}`) }))}
        value={kind}
        onChange={(next) => setChosen(DOCUMENT_KINDS.find((known) => known === next))}
      />
      <FileUpload
        path={`/v1/application/documents?kind=${kind}`}
        action={t('onboarding.upload')}
        uploaded={t('onboarding.uploaded')}
        onUploaded={async () => {
          setChosen(undefined);
          await refresh();
        }}
      />
    </Stack>
  );
}
