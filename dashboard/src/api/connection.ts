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

async function doesRespond(): Promise<boolean> {
  const response = await fetch('/v1/health', { cache: 'no-store' }).catch(() => undefined);
  return response?.ok === true;
}

async function askAgain(): Promise<void> {
  clearTimeout(timer);
  if (await doesRespond()) set(false);
  else timer = setTimeout(() => void askAgain(), POLL_MS);
}

/** Repeats what failed for lack of a connection, once the connection is back. */
export async function withConnection<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (await doesRespond()) throw error;
    markLost();
    await new Promise<void>((resolve) => {
      const stop = subscribeToConnection(() => {
        if (lost) return;
        stop();
        resolve();
      });
    });
    return withConnection(run);
  }
}

// The browser detects a lost network before a request fails.
addEventListener('offline', markLost);
addEventListener('online', () => {
  if (lost) void askAgain();
});

let limitedSeconds: number | undefined;
let limitTimer: ReturnType<typeof setTimeout> | undefined;

/** Seconds until requests are accepted again. Undefined while no rate limit is exceeded. */
export const rateLimitSeconds = (): number | undefined => limitedSeconds;

function setRateLimit(seconds: number | undefined): void {
  limitedSeconds = seconds;
  for (const listener of listeners) listener();
}

/** Reports a response with status 429 to the user until its `Retry-After` has passed. */
export function noteRateLimit(response: Response): void {
  if (response.status !== 429) return;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (!Number.isFinite(seconds)) return;
  setRateLimit(seconds);
  clearTimeout(limitTimer);
  limitTimer = setTimeout(() => setRateLimit(undefined), seconds * 1_000);
}

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
