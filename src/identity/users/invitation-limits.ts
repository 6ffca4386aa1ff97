import { HttpError } from '#platform/http/errors.ts';
import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import { subjectKey } from './subject-key.ts';

const DAY_SECONDS = 86_400;
/** Invitations that a seller, or the operator, can send in seven days. */
const MAX_IN_WEEK = { seller: 50, operator: 500 } as const;
const MAX_TO_ADDRESS_IN_DAY = 3;

/**
 * Counts an invitation that a seller or the operator (null) is about to send, to whichever team.
 * Throws above a limit. Counts what is sent, because an invitation that is revoked or repeated has
 * been mailed too. One that is refused is to be released.
 */
export async function admitInvitation(
  rates: RateLimiter,
  senderId: string | null,
  email: string,
): Promise<void> {
  const key = `invitations:${senderId ?? 'operator'}`;
  const limit = senderId === null ? MAX_IN_WEEK.operator : MAX_IN_WEEK.seller;
  const windowSeconds = 7 * DAY_SECONDS;
  if ((await rates.consume(key, limit, windowSeconds)).exceeded) throw new HttpError('too_many_invitations');
  const toAddress = await rates.consume(`${key}:${subjectKey(email)}`, MAX_TO_ADDRESS_IN_DAY, DAY_SECONDS);
  if (!toAddress.exceeded) return;
  await rates.release(key, windowSeconds);
  throw new HttpError('too_many_invitations');
}

/** Undoes `admitInvitation`: no invitation was sent. */
export async function releaseInvitation(
  rates: RateLimiter,
  senderId: string | null,
  email: string,
): Promise<void> {
  const key = `invitations:${senderId ?? 'operator'}`;
  await rates.release(key, 7 * DAY_SECONDS);
  await rates.release(`${key}:${subjectKey(email)}`, DAY_SECONDS);
}
