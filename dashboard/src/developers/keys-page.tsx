import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { hasOnlyPermissionsOf, SELLER_ROLES } from '../../../src/platform/kit/permissions.ts';
import { api, unwrap } from '../api/client.ts';
import { useMay, useUser } from '../api/permissions.ts';
import { apiKeys, queryClient } from '../api/queries.ts';
import { PageTitle } from '../components/feedback.tsx';
import { Keys } from './keys.tsx';

const refresh = async () => queryClient.invalidateQueries({ queryKey: ['api-keys'] });

export function KeysPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const user = useUser();
  const query = useQuery(apiKeys());
  return (
    <Keys
      query={query}
      mayWrite={may('api-keys:write')}
      // A key cannot have permissions that its creator lacks.
      roles={SELLER_ROLES.filter((role) => hasOnlyPermissionsOf(role, user.role))}
      head={(button) => (
        <PageTitle title={t('keys.title')} intro={t('keys.intro')}>
          {button}
        </PageTitle>
      )}
      create={async (body) => {
        const { data } = await unwrap(api.POST('/v1/api-keys', { body }));
        await refresh();
        return data;
      }}
      remove={async (id) => {
        await unwrap<unknown>(api.DELETE('/v1/api-keys/{id}', { params: { path: { id } } }));
        await refresh();
      }}
    />
  );
}
