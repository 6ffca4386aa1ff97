import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { PageTitle } from '../../components/feedback.tsx';
import { defaultFees } from '../queries.ts';
import { FeeEditor } from '../sellers/fee-editor.tsx';

/** The fee plan of new sellers. */
export function DefaultFeesPage(): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack>
      <PageTitle title={t('operator.defaultFees.title')} />
      <FeeEditor
        query={useQuery(defaultFees())}
        description={t('operator.defaultFees.intro')}
        save={async (body) => {
          const { data } = await unwrap(api.PUT('/v1/admin/default-fees', { body }));
          queryClient.setQueryData(defaultFees().queryKey, data);
          return data;
        }}
      />
    </Stack>
  );
}
