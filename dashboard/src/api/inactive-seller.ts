import { subscribeToSession, readSession } from './session.ts';

/** Whether the API has refused a request because the seller of the user is not active. */

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
  if (readSession().state === 'out') set(false);
});
