/**
 * Who may do what: the one table. A route names the permission it needs; a user or key has one role.
 */

export const SELLER_ROLES = ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'] as const;
export const OPERATOR_ROLES = ['ADMIN', 'SUPPORT'] as const;

export type SellerRole = (typeof SELLER_ROLES)[number];
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
export type Role = SellerRole | OperatorRole;

const ALL_SELLER_ROLES = SELLER_ROLES;
const DEVELOPER_ROLES = ['OWNER', 'DEVELOPER'] as const;
const FINANCE_ROLES = ['OWNER', 'FINANCE'] as const;

export const PERMISSIONS = {
  'transactions:read': ALL_SELLER_ROLES,
  'transactions:create': DEVELOPER_ROLES,
  'fees:read': ALL_SELLER_ROLES,
  'refunds:create': ['OWNER', 'FINANCE'],
  'disputes:read': ALL_SELLER_ROLES,
  'disputes:appeal': ['OWNER', 'FINANCE'],
  'wallet:read': ALL_SELLER_ROLES,
  'withdrawals:read': ALL_SELLER_ROLES,
  'withdrawals:create': FINANCE_ROLES,
  'webhooks:read': ALL_SELLER_ROLES,
  'webhooks:write': DEVELOPER_ROLES,
  'api-keys:read': ALL_SELLER_ROLES,
  'api-keys:write': DEVELOPER_ROLES,
  'users:read': ALL_SELLER_ROLES,
  'users:write': ['OWNER'],
  /** Playing the provider's part; the route exists in the sandbox only. */
  'sandbox:play': DEVELOPER_ROLES,
  /** Ending one's own tokens: every user, of a seller in any status or of the operator. */
  'session:end': [...SELLER_ROLES, ...OPERATOR_ROLES],
  /** One's own name, password, second factor and sessions: likewise. */
  'account:own': [...SELLER_ROLES, ...OPERATOR_ROLES],
  'operator:read': OPERATOR_ROLES,
  'operator:write': ['ADMIN'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export function hasPermission(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = PERMISSIONS[permission];
  return allowed.includes(role);
}

/** Whether `role` may do nothing that `other` may not: who makes a credential must not gain by it. */
export function hasOnlyPermissionsOf(role: Role, other: Role): boolean {
  const allowances: readonly (readonly Role[])[] = Object.values(PERMISSIONS);
  return allowances.every((allowed) => !allowed.includes(role) || allowed.includes(other));
}
