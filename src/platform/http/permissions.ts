/**
 * Who may do what: the one table. A route names the permission it needs; a user or key has one role.
 */

export const SELLER_ROLES = ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'] as const;
export const OPERATOR_ROLES = ['ADMIN', 'SUPPORT'] as const;

export type SellerRole = (typeof SELLER_ROLES)[number];
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
export type Role = SellerRole | OperatorRole;

const EVERY_SELLER_ROLE = SELLER_ROLES;
const BUILDERS = ['OWNER', 'DEVELOPER'] as const;
const TREASURERS = ['OWNER', 'FINANCE'] as const;

export const PERMISSIONS = {
  'transactions:read': EVERY_SELLER_ROLE,
  'transactions:create': BUILDERS,
  'fees:read': EVERY_SELLER_ROLE,
  'refunds:create': ['OWNER', 'FINANCE'],
  'disputes:read': EVERY_SELLER_ROLE,
  'disputes:appeal': ['OWNER', 'FINANCE'],
  'wallet:read': EVERY_SELLER_ROLE,
  'withdrawals:read': EVERY_SELLER_ROLE,
  'withdrawals:create': TREASURERS,
  'webhooks:read': EVERY_SELLER_ROLE,
  'webhooks:write': BUILDERS,
  'api-keys:read': EVERY_SELLER_ROLE,
  'api-keys:write': BUILDERS,
  'users:read': EVERY_SELLER_ROLE,
  'users:write': ['OWNER'],
  /** Playing the provider's part; the route exists in the sandbox only. */
  'sandbox:play': BUILDERS,
  /** Ending one's own tokens: every user, of a seller in any status or of the operator. */
  'session:end': [...SELLER_ROLES, ...OPERATOR_ROLES],
  /** One's own name, password, second factor and sessions: likewise. */
  'account:own': [...SELLER_ROLES, ...OPERATOR_ROLES],
  'operator:read': OPERATOR_ROLES,
  'operator:write': ['ADMIN'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export function mayDo(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = PERMISSIONS[permission];
  return allowed.includes(role);
}

/** Whether `role` may do nothing that `other` may not: who makes a credential must not gain by it. */
export function isWithin(role: Role, other: Role): boolean {
  const allowances: readonly (readonly Role[])[] = Object.values(PERMISSIONS);
  return allowances.every((allowed) => !allowed.includes(role) || allowed.includes(other));
}
