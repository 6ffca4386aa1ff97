import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { notify } from '../../components/feedback.tsx';
import { FileForm } from '../components/file-form.tsx';
import { refresh } from '../queries.ts';

/** Imports a bank return file. */
export function ImportReturn({ onImported }: { readonly onImported: (id: string) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <FileForm
      title={t('operator.cnab.importReturn')}
      accept="text/plain,.ret,.txt"
      hint={t('operator.cnab.drop')}
      action={t('operator.cnab.send')}
      send={async (file) => {
        // Sent as bytes, because decoding as text could alter the single-byte encoding.
        const bytes = new Blob([await file.arrayBuffer()]);
        const { data } = await unwrap(
          api.POST('/v1/admin/cnab/returns', {
            headers: { 'content-type': 'text/plain' },
            body: '',
            bodySerializer: () => bytes,
          }),
        );
        notify(data.repeated ? t('operator.cnab.repeated') : t('operator.cnab.imported'));
        await refresh('bank-returns', 'transactions', 'withdrawals', 'returns', 'reports', 'audit');
        onImported(data.id);
      }}
    />
  );
}
