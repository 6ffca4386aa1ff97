/**
 * Server time. It differs from the computer's when the sandbox clock was moved or the computer's
 * clock is wrong.
 */

let offsetMs = 0;

/** Smaller differences are network latency, not clock skew. */
const SLACK_MS = 30_000;

/** Reads the server time from the token's `iat` claim. */
export function setServerTime(accessToken: string): void {
  const payload = accessToken.split('.')[1];
  if (payload === undefined) return;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof claims !== 'object' || claims === null || !('iat' in claims)) return;
    const difference = Number(claims.iat) * 1_000 - Date.now();
    if (Number.isFinite(difference)) offsetMs = Math.abs(difference) > SLACK_MS ? difference : 0;
  } catch {
    // The token is not a JWT: keep the local clock.
  }
}

/** Server time in milliseconds since 1970. */
export const serverNow = (): number => Date.now() + offsetMs;
