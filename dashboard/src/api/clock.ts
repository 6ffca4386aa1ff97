/**
 * Server time. It differs from the computer's when the sandbox clock was moved or the computer's
 * clock is wrong.
 */

let offsetMs = 0;

/** Smaller differences are network latency, not clock skew. */
const SLACK_MS = 30_000;

/** Reads the server time from the `iat` claim of an access token. */
export function setServerTime({ iat }: Readonly<Record<string, unknown>>): void {
  const difference = Number(iat) * 1_000 - Date.now();
  if (Number.isFinite(difference)) offsetMs = Math.abs(difference) > SLACK_MS ? difference : 0;
}

/** Server time in milliseconds since 1970. */
export const serverNow = (): number => Date.now() + offsetMs;
