import { ConnectionError } from './errors.ts';

/** Whether the gateway can be reached. Lost is noticed by a request that fails, and mended by asking again. */

type Listener = () => void;

const ASK_EVERY_MS = 3_000;

let lost = false;
const listeners = new Set<Listener>();
const whenBack = new Set<Listener>();

export function subscribeToConnection(listener: Listener): Listener {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isConnectionLost = (): boolean => lost;

/** Calls `listener` each time the gateway is reached again. */
export function onConnectionBack(listener: Listener): void {
  whenBack.add(listener);
}

function set(value: boolean): void {
  if (lost === value) return;
  lost = value;
  for (const listener of listeners) listener();
  if (!value) for (const listener of whenBack) listener();
}

async function askAgain(): Promise<void> {
  const answer = await fetch('/v1/health', { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok === true) set(false);
  else setTimeout(() => void askAgain(), ASK_EVERY_MS);
}

/** `fetch` that knows whether the connection stands. Who aborts a request has not lost it. */
export async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    if (!lost) {
      set(true);
      setTimeout(() => void askAgain(), ASK_EVERY_MS);
    }
    throw new ConnectionError();
  }
}
