import { useQuery } from '@tanstack/react-query';

import { useMay } from '../api/permissions.ts';
import { apiKeys } from '../api/queries.ts';

/** The call that creates a PIX charge, with the beginning of a key that the reader has. */
export function useSampleCall(): string {
  const may = useMay();
  const keys = useQuery({ ...apiKeys(), enabled: may('api-keys:read') });
  const key = `${keys.data?.[0]?.prefix ?? 'sk_test_'}…`;
  const body = {
    amount: 1500,
    method: 'PIX',
    customer: {
      name: 'Ana Souza',
      email: 'ana@example.com',
      phone: '11987654321',
      documentType: 'CPF',
      document: '52998224725',
    },
    items: [{ title: 'Caneca', amount: 1500, quantity: 1, tangible: true }],
  };
  return [
    `curl ${location.origin}/v1/transactions \\`,
    `  -H 'x-api-key: ${key}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -H "idempotency-key: $(uuidgen)" \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
