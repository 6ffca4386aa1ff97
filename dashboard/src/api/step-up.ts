import { useSyncExternalStore } from 'react';

/** Requests that wait until the user is verified again. The dialog of `session/` ends the wait. */

let waiting: ((verified: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function set(next: typeof waiting): void {
  waiting = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks the user to confirm their identity. Resolves to false if they do not. */
export const askForStepUp = (): Promise<boolean> => new Promise((resolve) => set([...waiting, resolve]));

export function endStepUp(verified: boolean): void {
  const ended = waiting;
  set([]);
  for (const resolve of ended) resolve(verified);
}

export const useStepUpAsked = (): boolean => useSyncExternalStore(subscribe, () => waiting.length > 0);
