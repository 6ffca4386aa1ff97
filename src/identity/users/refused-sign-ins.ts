import type { BoundedAudit } from '#audit/bounded-audit.ts';
import { anonymousActor } from '#platform/http/audit-actor.ts';
import { maskPixKey } from '#platform/kit/masks.ts';
import { subjectKey } from './subject-key.ts';

/** Refused sign-ins of unknown emails that are recorded in an hour. */
const MAX_OF_UNKNOWN_EMAILS = 1_000;

export type SignInRefusalReason =
  | 'WRONG_PASSWORD'
  | 'UNKNOWN_EMAIL'
  | 'WRONG_CODE'
  | 'WRONG_PASSKEY'
  | 'TOO_MANY_ATTEMPTS';

/** The client of a sign-in, for the audit log. */
export interface SignInClient {
  readonly requestId: string;
  readonly address: string;
  readonly browser: string | null;
}

export interface RefusedSignIn {
  readonly reason: SignInRefusalReason;
  /** Null for an unknown passkey. */
  readonly email: string | null;
  /** Null for an unknown email, which is masked: it may be a mistyped password. */
  readonly user: { readonly id: string; readonly sellerId: string | null } | null;
}

/**
 * Records a refused sign-in. Those of one user are bounded by the login throttle, those of unknown
 * emails by their number in an hour. Below that number the response waits for the entry, above it
 * never, so that its time does not reveal whether the email is known.
 */
export async function recordRefusedSignIn(
  audit: BoundedAudit,
  { requestId, address, browser }: SignInClient,
  { reason, email, user }: RefusedSignIn,
): Promise<void> {
  const hasRoom = await audit.admit('sign-in-failed', MAX_OF_UNKNOWN_EMAILS);
  if (!hasRoom && user === null) return;
  const written = audit.recordRefusal(anonymousActor(requestId), {
    action: 'user.sign-in-failed',
    recordType: 'user',
    recordId: user?.id ?? null,
    sellerId: user?.sellerId ?? null,
    after: {
      reason,
      email: user === null && email !== null ? maskPixKey('EMAIL', email) : email,
      address,
      browser,
    },
  });
  if (hasRoom) await written;
}

/** Whether a sign-in that the throttle refused is recorded: one for each email or user and hour. */
export const admitThrottled = (audit: BoundedAudit, subject: string): Promise<boolean> =>
  audit.admit(`sign-in-throttled:${subjectKey(subject)}`);
