import { useQuery } from '@tanstack/react-query';

import { SAMPLE_TRANSACTION } from '../../../src/payments/transactions/sample-request.ts';
import { useMay } from '../api/permissions.ts';
import { apiKeys } from '../api/queries.ts';

/** Example request that creates a record, with the first characters of an existing API key. */
export function useSampleCall(path = 'transactions', body: object = SAMPLE_TRANSACTION): string {
  const may = useMay();
  const keys = useQuery({ ...apiKeys(), enabled: may('api-keys:read') });
  const key = `${keys.data?.[0]?.prefix ?? 'sk_test_'}…`;
  return [
    `curl ${location.origin}/v1/${path} \\`,
    `  -H 'x-api-key: ${key}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -H "idempotency-key: $(uuidgen)" \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
