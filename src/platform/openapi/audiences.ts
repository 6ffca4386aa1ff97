import { hasPermission, OPERATOR_ROLES, SELLER_ROLES } from '#platform/kit/permissions.ts';
import type { DocumentedRoute } from './errors.ts';

/** Who a document is for. Sellers' documents also have the operations of payers. */
export type Audience = 'seller' | 'operator';

const ROLES = { seller: SELLER_ROLES, operator: OPERATOR_ROLES } as const;

/** Public operations that operators need too. */
const SHARED_TAGS: readonly string[] = ['Authentication', 'Health'];

/** Whether a role of the audience may call the operation. Some belong to both audiences. */
export function isForAudience(
  audience: Audience,
  { schema, config }: Pick<DocumentedRoute, 'schema' | 'config'>,
): boolean {
  const { access } = config;
  if (access === undefined) return false;
  if (access !== 'public') return ROLES[audience].some((role) => hasPermission(role, access));
  return audience === 'seller' || (schema.tags ?? []).some((tag) => SHARED_TAGS.includes(tag));
}
