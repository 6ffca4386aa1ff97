import { Button, Paper, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { FileDrop } from '../../components/file-drop.tsx';
import { FileRefusal } from './file-refusal.tsx';

/** Uploads a file. If it is rejected, lists every invalid line. `children` are further fields. */
export function FileForm({
  title,
  accept,
  hint,
  action,
  send,
  check = () => true,
  children,
}: {
  readonly title: string;
  readonly accept: string;
  readonly hint: string;
  readonly action: string;
  readonly send: (file: File) => Promise<unknown>;
  /** Marks further fields that are wrong, and returns whether there are none. */
  readonly check?: () => boolean;
  readonly children?: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const mutation = useMutation({ mutationFn: send, onSuccess: () => setFile(null) });
  return (
    <Paper withBorder p="md">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (check() && file !== null) mutation.mutate(file);
        }}
      >
        <Stack gap="sm">
          <Title order={2} size="h4">
            {title}
          </Title>
          {children}
          <FileDrop
            file={file}
            accept={accept}
            hint={hint}
            choose={t('operator.reconciliation.choose')}
            onChoose={(chosen) => {
              mutation.reset();
              setFile(chosen);
            }}
          >
            <Button type="submit" disabled={file === null} loading={mutation.isPending}>
              {action}
            </Button>
          </FileDrop>
          <FileRefusal error={mutation.error} />
        </Stack>
      </form>
    </Paper>
  );
}
