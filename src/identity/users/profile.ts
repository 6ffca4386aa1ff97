import type { NotifiedUser } from '#notifications/notifier.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import { OPERATOR_ROLES, SELLER_ROLES, type Role } from '#platform/kit/permissions.ts';
import type { User } from './store.ts';

/** A user without credentials. */
export interface Profile {
  readonly id: string;
  readonly sellerId: string | null;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  /** When a requested reset removes the second factors. */
  readonly secondFactorResetAt: Date | null;
}

export const profileOf = (user: User): Profile => ({
  id: user.id,
  sellerId: user.seller_id,
  name: user.name,
  email: user.email,
  role: roleOf(user),
  createdAt: user.created_at,
  secondFactorResetAt: user.second_factor_reset_due_at,
});

/** A user whose account is about to be notified of a change. */
export const notifiedUserOf = ({ id, seller_id: sellerId, email, locale }: User): NotifiedUser => ({
  id,
  sellerId,
  email,
  locale,
});

/** A profile as the API returns it. Throws if the role is not one of `roles`. */
export function viewUser<R extends Role>(
  { id, name, email, role, createdAt, secondFactorResetAt }: Profile,
  roles: readonly R[],
) {
  const known = roles.find((candidate) => candidate === role);
  if (known === undefined) throw new Error(`the user has the unexpected role ${role}`);
  return {
    id,
    name,
    email,
    role: known,
    createdAt: createdAt.toISOString(),
    secondFactorResetAt: secondFactorResetAt?.toISOString() ?? null,
  };
}

/** A CHECK constraint limits the column to the known roles. */
export function roleOf(user: User): Role {
  const role = [...SELLER_ROLES, ...OPERATOR_ROLES].find((known) => known === user.role);
  if (role === undefined) throw new Error('the user has an unknown role');
  return role;
}

/** The audit actor of a request that signs the user in, before the guard has a principal. */
export const callerFor = (user: User, requestId: string): Caller => ({
  kind: user.seller_id === null ? 'OPERATOR_USER' : 'SELLER_USER',
  id: user.id,
  name: user.name,
  role: roleOf(user),
  keyPrefix: null,
  requestId,
});
