import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { sellerFees } from './queries.ts';
import { FeeEditor } from './fee-editor.tsx';

/** Fee plan of a seller. */
export function FeesTab({ sellerId }: { readonly sellerId: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <FeeEditor
      query={useQuery(sellerFees(sellerId))}
      description={t('operator.fees.description')}
      save={async (body) => {
        const params = { path: { id: sellerId } };
        const { data } = await unwrap(api.PUT('/v1/admin/sellers/{id}/fees', { params, body }));
        queryClient.setQueryData(sellerFees(sellerId).queryKey, data);
        return data;
      }}
    />
  );
}
