import type { Caller } from '#platform/http/audit-actor.ts';
import { OPERATOR_ROLES, SELLER_ROLES, type Role } from '#platform/kit/permissions.ts';
import type { User } from './store.ts';

/** What may be told of a user. */
export interface Profile {
  readonly id: string;
  readonly sellerId: string | null;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

export const profileOf = (user: User): Profile => ({
  id: user.id,
  sellerId: user.seller_id,
  name: user.name,
  email: user.email,
  role: roleOf(user),
  createdAt: user.created_at,
});

/** The table's CHECK admits no other text. */
export function roleOf(user: User): Role {
  const role = [...SELLER_ROLES, ...OPERATOR_ROLES].find((known) => known === user.role);
  if (role === undefined) throw new Error('a user has an unknown role');
  return role;
}

/** The user as the author of what they do before the guard knows them. */
export const callerFor = (user: User, requestId: string): Caller => ({
  kind: user.seller_id === null ? 'OPERATOR_USER' : 'SELLER_USER',
  id: user.id,
  name: user.name,
  requestId,
});
