import { subscribeToSession, readSession } from './session.ts';

/** Whether the seller of the user is not active, as the session or a refused request has shown. */

let inactive = false;
const listeners = new Set<() => void>();

export const isSellerInactive = (): boolean => inactive;

export function subscribeToSellerStatus(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(value: boolean): void {
  if (inactive === value) return;
  inactive = value;
  for (const listener of listeners) listener();
}

export const noteInactiveSeller = (): void => set(true);

// The next user may belong to another seller.
subscribeToSession(() => {
  const session = readSession();
  if (session.state === 'out') set(false);
  const status = session.state === 'in' ? session.user.seller?.status : undefined;
  if (status !== undefined && status !== 'ACTIVE') set(true);
});
