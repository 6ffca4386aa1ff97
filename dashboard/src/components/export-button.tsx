import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';

import { writeCsv, type Column } from '../../../src/platform/http/csv-line.ts';
import { download, save } from '../api/client.ts';
import { currentLanguage } from '../i18n/format.ts';
import { notify, notifyError } from './feedback.tsx';
import type { Filters } from './views.tsx';

interface Selected<Row> {
  readonly rows: readonly Row[];
  /** The columns of the file, which are those of the API's export. */
  readonly columns: readonly Column<Row>[];
}

/** Exports all rows that match the filters, or those that were selected, in the user's language. */
export function ExportButton<Row>({
  path,
  filters,
  name,
  selected,
}: {
  readonly path: string;
  readonly filters: Filters;
  readonly name: string;
  readonly selected?: Selected<Row>;
}) {
  const { t } = useTranslation();
  const locale = currentLanguage() === 'pt-BR' ? 'pt-BR' : undefined;
  const mutation = useMutation({
    mutationFn: () => {
      const query = new URLSearchParams({ export: 'true' });
      if (locale !== undefined) query.set('locale', locale);
      for (const [key, value] of Object.entries(filters)) if (value !== undefined) query.set(key, value);
      return download(`${path}?${query.toString()}`, name);
    },
    onSuccess: () => notify(t('list.exported')),
    onError: notifyError,
  });
  const button = {
    size: 'xs',
    variant: 'default',
    leftSection: <Download size={14} aria-hidden />,
    loading: mutation.isPending,
    children: t('list.export'),
  } as const;
  if (selected === undefined || selected.rows.length === 0) {
    return <Button {...button} onClick={() => mutation.mutate()} />;
  }
  const saveSelected = () =>
    save(new Blob([writeCsv(selected.columns, locale, selected.rows)], { type: 'text/csv' }), name);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => mutation.mutate()}>{t('list.exportAll')}</Menu.Item>
        <Menu.Item onClick={saveSelected}>
          {t('list.exportSelected', { count: selected.rows.length })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
