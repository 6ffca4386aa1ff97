import { HttpError } from '#platform/http/errors.ts';
import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import { subjectKey } from './subject-key.ts';

const DAY_SECONDS = 86_400;
/** Invitations that a seller, or the operator, can send in seven days. */
const MAX_IN_WEEK = { seller: 50, operator: 500 } as const;
const MAX_TO_ADDRESS_IN_DAY = 3;

const WEEK_SECONDS = 7 * DAY_SECONDS;

/** The counters of what a sender invites, in all and to one address. */
function countersOf(senderId: string | null, email: string) {
  const sender = `invitations:${senderId ?? 'operator'}`;
  return { sender, toAddress: `${sender}:${subjectKey(email)}` };
}

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
  const { sender, toAddress } = countersOf(senderId, email);
  const limit = senderId === null ? MAX_IN_WEEK.operator : MAX_IN_WEEK.seller;
  if ((await rates.consume(sender, limit, WEEK_SECONDS)).exceeded)
    throw new HttpError('too_many_invitations');
  if (!(await rates.consume(toAddress, MAX_TO_ADDRESS_IN_DAY, DAY_SECONDS)).exceeded) return;
  await rates.release(sender, WEEK_SECONDS);
  throw new HttpError('too_many_invitations');
}

/** Undoes `admitInvitation`: no invitation was sent. */
export async function releaseInvitation(
  rates: RateLimiter,
  senderId: string | null,
  email: string,
): Promise<void> {
  const { sender, toAddress } = countersOf(senderId, email);
  await rates.release(sender, WEEK_SECONDS);
  await rates.release(toAddress, DAY_SECONDS);
}
