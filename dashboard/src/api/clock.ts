/** The gateway's time, which its sandbox can move ahead and which a computer's clock need not agree with. */

let offsetMs = 0;

/** Differences up to this are the network's, not a clock's. */
const SLACK_MS = 30_000;

/** A token says when it was made. */
export function setServerTime(accessToken: string): void {
  const payload = accessToken.split('.')[1];
  if (payload === undefined) return;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof claims !== 'object' || claims === null || !('iat' in claims)) return;
    const difference = Number(claims.iat) * 1_000 - Date.now();
    if (Number.isFinite(difference)) offsetMs = Math.abs(difference) > SLACK_MS ? difference : 0;
  } catch {
    // A token of another form tells no time; the computer's stays good.
  }
}

/** Milliseconds since 1970 on the gateway's clock. */
export const serverNow = (): number => Date.now() + offsetMs;
