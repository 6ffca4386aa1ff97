import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { SELLER_ROLES } from '../../../../src/platform/kit/permissions.ts';
import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { Keys } from '../../developers/keys.tsx';
import { appliedOrAwaiting } from '../components/awaiting.ts';
import { refresh } from '../queries.ts';
import { sellerKeys } from './queries.ts';

export function KeysTab({ sellerId }: { readonly sellerId: string }): ReactNode {
  const may = useMay();
  const query = useQuery(sellerKeys(sellerId));
  return (
    <Keys
      query={query}
      mayWrite={may('operator:write')}
      roles={SELLER_ROLES}
      head={(button) => <Group justify="flex-end">{button}</Group>}
      create={async (body) => {
        const path = { id: sellerId };
        const { data } = await unwrap(
          api.POST('/v1/admin/sellers/{id}/api-keys', { params: { path }, body }),
        );
        await refresh('seller-keys', 'audit');
        return appliedOrAwaiting(data);
      }}
      remove={async (keyId) => {
        const path = { id: sellerId, keyId };
        await unwrap(api.DELETE('/v1/admin/sellers/{id}/api-keys/{keyId}', { params: { path } }));
        await refresh('seller-keys', 'audit');
      }}
    />
  );
}
