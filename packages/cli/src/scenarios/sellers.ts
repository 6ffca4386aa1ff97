import { randomUUID } from 'node:crypto';

import { callAsOperator } from '../operator.ts';
import { SAMPLE_CUSTOMER } from '../samples.ts';
import type { Context, Scenario } from './context.ts';

interface Seller {
  readonly id: string;
  readonly status: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
}

/** A new seller with an owner that can sign in. */
export const newSeller = () => {
  const { name, documentType, document } = SAMPLE_CUSTOMER;
  return {
    name: 'vereda trigger',
    documentType,
    document,
    ownerName: name,
    ownerEmail: `${randomUUID()}@example.com`,
    ownerPassword: randomUUID(),
  };
};

/**
 * A new seller, whose status the operator changes: an API key does not work unless it is ACTIVE.
 */
async function seller({ options }: Context, status: Seller['status']): Promise<Seller> {
  const created = await callAsOperator<Seller>(options, '/admin/sellers', newSeller());
  if (created.status === status) return created;
  return callAsOperator<Seller>(options, `/admin/sellers/${created.id}`, { status }, 'PATCH');
}

export const SELLERS = {
  'seller.pending': (context) => seller(context, 'PENDING'),
  'seller.active': (context) => seller(context, 'ACTIVE'),
  'seller.suspended': (context) => seller(context, 'SUSPENDED'),
  'seller.closed': (context) => seller(context, 'CLOSED'),
} as const satisfies Readonly<Record<string, Scenario>>;
