/**
 * The roles that hold each permission. A route requires one permission; a user or API key has one
 * role.
 */

export const SELLER_ROLES = ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'] as const;
export const OPERATOR_ROLES = ['ADMIN', 'SUPPORT'] as const;

export type SellerRole = (typeof SELLER_ROLES)[number];
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
export type Role = SellerRole | OperatorRole;

const ALL_ROLES = [...SELLER_ROLES, ...OPERATOR_ROLES] as const;
const DEVELOPER_ROLES = ['OWNER', 'DEVELOPER'] as const;
const FINANCE_ROLES = ['OWNER', 'FINANCE'] as const;

export const PERMISSIONS = {
  'transactions:read': SELLER_ROLES,
  'transactions:create': DEVELOPER_ROLES,
  'customers:read': SELLER_ROLES,
  'customers:write': ['OWNER', 'FINANCE', 'DEVELOPER'],
  'payment-links:read': SELLER_ROLES,
  'payment-links:write': DEVELOPER_ROLES,
  'subscriptions:read': SELLER_ROLES,
  'subscriptions:write': DEVELOPER_ROLES,
  'fees:read': SELLER_ROLES,
  'refunds:create': FINANCE_ROLES,
  'disputes:read': SELLER_ROLES,
  'disputes:appeal': FINANCE_ROLES,
  'wallet:read': SELLER_ROLES,
  'withdrawals:read': SELLER_ROLES,
  'withdrawals:create': FINANCE_ROLES,
  'webhooks:read': SELLER_ROLES,
  'webhooks:write': DEVELOPER_ROLES,
  'api-keys:read': SELLER_ROLES,
  'api-keys:write': DEVELOPER_ROLES,
  /** What payers see of a seller. */
  'settings:read': SELLER_ROLES,
  'settings:write': DEVELOPER_ROLES,
  'users:read': SELLER_ROLES,
  'users:write': ['OWNER'],
  /** The application for the account of the seller. Any seller status. */
  'application:own': ['OWNER'],
  /** Simulates provider events. The routes exist in the sandbox only. */
  'sandbox:simulate': DEVELOPER_ROLES,
  /** Revokes the caller's own tokens. Any seller status. */
  'session:end': ALL_ROLES,
  /** Changes the caller's own profile, password, second factor and sessions. Any seller status. */
  'account:own': ALL_ROLES,
  'operator:read': OPERATOR_ROLES,
  'operator:write': ['ADMIN'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export function hasPermission(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = PERMISSIONS[permission];
  return allowed.includes(role);
}

/**
 * Whether `role` has no permission that `other` lacks. A user who creates a credential must not
 * gain privileges by it.
 */
export function hasOnlyPermissionsOf(role: Role, other: Role): boolean {
  const permittedRoles: readonly (readonly Role[])[] = Object.values(PERMISSIONS);
  return permittedRoles.every((allowed) => !allowed.includes(role) || allowed.includes(other));
}
