import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import { subjectKey } from './subject-key.ts';

const DAY_SECONDS = 86_400;
/** Invitations that a seller can send in seven days. */
const MAX_IN_WEEK = 50;
const MAX_TO_ADDRESS_IN_DAY = 3;

/**
 * Counts an invitation that a seller is about to send. Returns false above a limit. Counts what is
 * sent, because an invitation that is revoked or repeated has been mailed too.
 */
export async function admitInvitation(rates: RateLimiter, sellerId: string, email: string): Promise<boolean> {
  const key = `invitations:${sellerId}`;
  const windowSeconds = 7 * DAY_SECONDS;
  if ((await rates.consume(key, MAX_IN_WEEK, windowSeconds)).exceeded) return false;
  if (!(await rates.consume(`${key}:${subjectKey(email)}`, MAX_TO_ADDRESS_IN_DAY, DAY_SECONDS)).exceeded)
    return true;
  await rates.release(key, windowSeconds);
  return false;
}
