import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { download, upload } from '../api/client.ts';
import { notify, notifyError } from './feedback.tsx';
import { FileDrop } from './file-drop.tsx';
import { prepareFile } from './prepare-file.ts';

/** Downloads a stored PDF, PNG or JPEG. */
export function DownloadButton({ path, name }: { readonly path: string; readonly name: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<Download size={14} aria-hidden />}
      aria-label={t('disputes.downloadOf', { name })}
      onClick={() => void download(path, name).catch(notifyError)}
    >
      {t('disputes.download')}
    </Button>
  );
}

/** Uploads one PDF, PNG or JPEG. */
export function FileUpload({
  path,
  action,
  uploaded,
  onUploaded,
}: {
  readonly path: string;
  /** Label of the submit button. */
  readonly action: string;
  /** The notification after the file is stored. */
  readonly uploaded: string;
  readonly onUploaded: () => Promise<void>;
}): ReactNode {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const mutation = useMutation({
    mutationFn: async (chosen: File) => upload(path, await prepareFile(chosen)),
    onSuccess: async () => {
      setFile(null);
      notify(uploaded);
      await onUploaded();
    },
    onError: notifyError,
  });
  return (
    <FileDrop
      file={file}
      accept="application/pdf,image/png,image/jpeg"
      hint={t('disputes.fileHint')}
      choose={t('disputes.chooseFile')}
      onChoose={setFile}
    >
      <Button
        disabled={file === null}
        loading={mutation.isPending}
        onClick={() => (file === null ? undefined : mutation.mutate(file))}
      >
        {action}
      </Button>
    </FileDrop>
  );
}
