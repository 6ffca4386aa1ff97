import { useSyncExternalStore } from 'react';

import { hasPermission, OPERATOR_ROLES, type Permission } from '../../../src/platform/kit/permissions.ts';
import { readSession, subscribeToSession, type Session, type User } from './session.ts';

export type { Permission } from '../../../src/platform/kit/permissions.ts';

export const useSession = (): Session => useSyncExternalStore(subscribeToSession, readSession);

/** The signed-in user. Only for screens behind the sign-in. */
export function useUser(): User {
  const session = useSession();
  return 'user' in session ? session.user : NO_USER;
}

/** Used between signing out and leaving the screen. */
const NO_USER: User = { id: '', name: '', email: '', role: 'VIEWER' };

/** Checks the user's permissions with the same table that the gateway enforces. */
export function useMay(): (permission: Permission) => boolean {
  const { role } = useUser();
  return (permission) => hasPermission(role, permission);
}

export const isOperator = ({ role }: User): boolean => OPERATOR_ROLES.some((known) => known === role);

/** Whether the gateway is a sandbox, as stated in the served page. */
export const isSandbox = document.documentElement.dataset['mode'] === 'sandbox';
