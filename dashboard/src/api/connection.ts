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

let timer: ReturnType<typeof setTimeout> | undefined;

/** From now on the gateway is asked whether it is there, until it is. */
function lose(): void {
  if (lost) return;
  set(true);
  timer = setTimeout(() => void askAgain(), ASK_EVERY_MS);
}

async function askAgain(): Promise<void> {
  clearTimeout(timer);
  const answer = await fetch('/v1/health', { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok === true) set(false);
  else timer = setTimeout(() => void askAgain(), ASK_EVERY_MS);
}

// A computer knows of its own network before any request fails.
addEventListener('offline', lose);
addEventListener('online', () => {
  if (lost) void askAgain();
});

/** `fetch` that knows whether the connection stands. Who aborts a request has not lost it. */
export async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    lose();
    throw new ConnectionError();
  }
}
