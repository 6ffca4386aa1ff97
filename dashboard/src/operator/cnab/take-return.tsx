import { Button, Paper, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, ask } from '../../api/client.ts';
import { FileDrop } from '../../pieces/file-drop.tsx';
import { say } from '../../pieces/notes.tsx';
import { FileRefusal } from '../pieces/file-refusal.tsx';
import { refresh } from '../queries.ts';

/** Takes in what the bank returned. */
export function TakeReturn({ onTaken }: { readonly onTaken: (id: string) => void }): ReactNode {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const mutation = useMutation({
    mutationFn: async (chosen: File) => {
      // Of one byte a column, whatever the bank writes: as text it could be changed on the way.
      const bytes = new Blob([await chosen.arrayBuffer()]);
      const answer = await ask(
        api.POST('/v1/admin/cnab/returns', {
          headers: { 'content-type': 'text/plain' },
          body: '',
          bodySerializer: () => bytes,
        }),
      );
      return answer.data;
    },
    onSuccess: async ({ id, repeated }) => {
      say(repeated ? t('operator.cnab.repeated') : t('operator.cnab.taken'));
      setFile(null);
      await refresh('bank-returns', 'withdrawals', 'audit');
      onTaken(id);
    },
  });
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
            {t('operator.cnab.take')}
          </Title>
          <FileDrop
            file={file}
            accept="text/plain,.ret,.txt"
            hint={t('operator.cnab.drop')}
            choose={t('operator.reconciliation.choose')}
            onChoose={(chosen) => {
              mutation.reset();
              setFile(chosen);
            }}
          >
            <Button type="submit" disabled={file === null} loading={mutation.isPending}>
              {t('operator.cnab.send')}
            </Button>
          </FileDrop>
          <FileRefusal error={mutation.error} />
        </Stack>
      </form>
    </Paper>
  );
}
