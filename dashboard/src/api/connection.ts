import { ConnectionError } from './errors.ts';

/**
 * Connection state. A failed request marks the connection as lost; polling detects when it is back.
 */

type Listener = () => void;

const POLL_MS = 3_000;

let lost = false;
const listeners = new Set<Listener>();
const whenBack = new Set<Listener>();

export function subscribeToConnection(listener: Listener): Listener {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isConnectionLost = (): boolean => lost;

/** Calls `listener` each time the connection is restored. */
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

/** Polls the gateway until it responds. */
function markLost(): void {
  if (lost) return;
  set(true);
  timer = setTimeout(() => void askAgain(), POLL_MS);
}

async function askAgain(): Promise<void> {
  clearTimeout(timer);
  const answer = await fetch('/v1/health', { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok === true) set(false);
  else timer = setTimeout(() => void askAgain(), POLL_MS);
}

// The browser detects a lost network before a request fails.
addEventListener('offline', markLost);
addEventListener('online', () => {
  if (lost) void askAgain();
});

/**
 * `fetch` that tracks the connection state. An aborted request does not count as a lost connection.
 */
export async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    markLost();
    throw new ConnectionError();
  }
}
