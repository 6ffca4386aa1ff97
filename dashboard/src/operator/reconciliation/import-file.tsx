import { Button, Group, Paper, Stack, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../../api/clock.ts';
import { api, ask, download } from '../../api/client.ts';
import { isSandbox } from '../../api/permissions.ts';
import { FileDrop } from '../../pieces/file-drop.tsx';
import { say, sayFailure } from '../../pieces/notes.tsx';
import { localDay } from '../../words/format.ts';
import { FileRefusal } from '../pieces/file-refusal.tsx';
import { refresh } from '../queries.ts';

const DAY_MS = 86_400_000;

/** Imports a provider's file: all of it or nothing, with every line that is wrong named. */
export function ImportFile(): ReactNode {
  const { t } = useTranslation();
  const [provider, setProvider] = useState(isSandbox ? 'sandbox' : '');
  const [day, setDay] = useState(localDay(new Date(serverNow() - DAY_MS)));
  const [file, setFile] = useState<File | null>(null);
  const mutation = useMutation({
    mutationFn: async (chosen: File) => {
      const answer = await ask(
        api.POST('/v1/admin/reconciliation/files', {
          params: { query: { provider: provider.trim(), day } },
          headers: { 'content-type': 'text/csv' },
          body: await chosen.text(),
          bodySerializer: (text) => text,
        }),
      );
      return answer.data;
    },
    onSuccess: async ({ repeated, lines }) => {
      say(
        repeated
          ? t('operator.reconciliation.repeated')
          : t('operator.reconciliation.imported', { count: lines }),
      );
      setFile(null);
      await refresh('reconciliation', 'audit');
    },
  });
  const choose = (chosen: File | null) => {
    mutation.reset();
    setFile(chosen);
  };
  const { error } = mutation;
  return (
    <Paper withBorder p="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== null) mutation.mutate(file);
        }}
      >
        <Stack gap="sm">
          <Title order={2} size="h4">
            {t('operator.reconciliation.import')}
          </Title>
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t('operator.provider')}
              w={150}
              required
              withAsterisk={false}
              pattern="[a-z0-9][a-z0-9\-]{0,39}"
              title={t('operator.reconciliation.providerHint')}
              value={provider}
              onChange={(event) => setProvider(event.currentTarget.value)}
            />
            <TextInput
              label={t('operator.reconciliation.day')}
              type="date"
              w={160}
              required
              withAsterisk={false}
              value={day}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
            {isSandbox ? (
              <Button
                variant="subtle"
                onClick={() => {
                  const path = `/v1/sandbox/settlement-file?day=${encodeURIComponent(day)}`;
                  download(path, `settlement-${day}.csv`).catch(sayFailure);
                }}
              >
                {t('operator.reconciliation.sandboxFile')}
              </Button>
            ) : null}
          </Group>
          <FileDrop
            file={file}
            accept="text/csv,.csv"
            hint={t('operator.reconciliation.drop')}
            choose={t('operator.reconciliation.choose')}
            onChoose={choose}
          >
            <Button type="submit" disabled={file === null} loading={mutation.isPending}>
              {t('operator.reconciliation.send')}
            </Button>
          </FileDrop>
          <FileRefusal error={error} />
        </Stack>
      </form>
    </Paper>
  );
}
