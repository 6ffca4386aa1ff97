import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';

import { download } from '../api/client.ts';
import { currentLanguage } from '../i18n/format.ts';
import { notify, notifyError } from './feedback.tsx';
import type { Filters } from './views.tsx';

/** Exports all rows that match the filters as CSV, in the user's language. */
export function ExportButton({
  path,
  filters,
  name,
}: {
  readonly path: string;
  readonly filters: Filters;
  readonly name: string;
}) {
  const { t } = useTranslation();
  const mutation = useMutation({
    mutationFn: () => {
      const query = new URLSearchParams({ export: 'true' });
      if (currentLanguage() === 'pt-BR') query.set('locale', 'pt-BR');
      for (const [key, value] of Object.entries(filters)) if (value !== undefined) query.set(key, value);
      return download(`${path}?${query.toString()}`, name);
    },
    onSuccess: () => notify(t('list.exported')),
    onError: notifyError,
  });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Download size={14} aria-hidden />}
      loading={mutation.isPending}
      onClick={() => mutation.mutate()}
    >
      {t('list.export')}
    </Button>
  );
}
