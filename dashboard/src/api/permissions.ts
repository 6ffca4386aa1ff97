import { useSyncExternalStore } from 'react';

import { hasPermission, OPERATOR_ROLES, type Permission } from '../../../src/platform/kit/permissions.ts';
import { readSession, subscribeToSession, type Session, type User } from './session.ts';

export type { Permission } from '../../../src/platform/kit/permissions.ts';

export const useSession = (): Session => useSyncExternalStore(subscribeToSession, readSession);

/** Who is signed in. Pages stand behind the sign-in, so there is somebody. */
export function useUser(): User {
  const session = useSession();
  return 'user' in session ? session.user : NOBODY;
}

/** Shown for the moment between signing out and leaving the page. */
const NOBODY: User = { id: '', name: '', email: '', role: 'VIEWER' };

/** By the gateway's own table: what is hidden here is refused there. */
export function useMay(): (permission: Permission) => boolean {
  const { role } = useUser();
  return (permission) => hasPermission(role, permission);
}

export const isOperator = ({ role }: User): boolean => OPERATOR_ROLES.some((known) => known === role);

/** Whether this gateway is a sandbox; the page is served with the answer. */
export const isSandbox = document.documentElement.dataset['mode'] === 'sandbox';
