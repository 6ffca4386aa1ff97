import type { FastifyRequest } from 'fastify';

import type { BoundedAudit } from '#audit/bounded-audit.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSession, callingUserId, rateLimitExceeded } from '#platform/http/guard.ts';
import type { LoginThrottle } from './login-throttle.ts';

export interface ReauthenticationDeps {
  readonly throttle: LoginThrottle;
  readonly boundedAudit: BoundedAudit;
}

export type VerificationFailure =
  | 'wrong_password'
  | 'wrong_code'
  | 'wrong_password_or_code'
  | 'wrong_passkey';

/**
 * Runs a change that verifies a password, a code or a passkey of the user. Throws the error if it
 * is wrong.
 */
export async function reauthenticate<T>(
  { throttle, boundedAudit }: ReauthenticationDeps,
  request: FastifyRequest,
  code: VerificationFailure,
  change: () => Promise<T | undefined>,
): Promise<T> {
  const attempt = await throttle.attemptReauthentication(callingSession(request).sessionId, change);
  if (attempt.kind === 'refused') throw rateLimitExceeded(attempt.rate);
  if (attempt.result === undefined) {
    await recordFailedVerification(boundedAudit, request, code);
    throw new HttpError(code);
  }
  return attempt.result;
}

/** Bounded by the throttle of the session. */
function recordFailedVerification(
  audit: BoundedAudit,
  request: FastifyRequest,
  reason: VerificationFailure,
): Promise<void> {
  const { principal } = request;
  return audit.recordRefusal(auditActorOf(request), {
    action: 'user.verification-failed',
    recordType: 'user',
    recordId: callingUserId(request),
    sellerId: principal?.kind === 'seller' ? principal.seller.id : null,
    after: {
      reason,
      operation: `${request.method} ${request.routeOptions.url ?? ''}`,
    },
  });
}
