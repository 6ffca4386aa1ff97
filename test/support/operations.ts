import type { Operation } from './operation-rules.ts';
import { OPERATOR_OPERATIONS } from './operator-operations.ts';
import { PAGE_OPERATIONS } from './page-operations.ts';
import { SELLER_OPERATIONS } from './seller-operations.ts';

/**
 * Every operation with its callers and records, written from the contract and
 * independent of the code. A missing route fails the tests that use this table, and so does a
 * missing field that refers to a record.
 */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...PAGE_OPERATIONS,
  ...SELLER_OPERATIONS,
  ...OPERATOR_OPERATIONS,
};

/** The row of a route; Fastify answers HEAD for every GET. */
export function operationOf({ method, url }: { readonly method: string; readonly url: string }): Operation {
  const name = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  const found = OPERATIONS[name];
  if (found === undefined) throw new Error(`${name} is in no row of the table of operations`);
  return found;
}
