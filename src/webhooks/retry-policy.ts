import type { SendResult } from './sender.ts';
import type { AttemptRecord, ClaimedDelivery } from './store-deliveries.ts';

/** The delay before each further attempt, in seconds. The first attempt is made at once. */
export const RETRY_DELAYS_SECONDS = [30, 120, 600, 3600] as const;
const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/** The longest delay that a `Retry-After` header can cause. */
export const MAX_RETRY_AFTER_SECONDS = 24 * 3600;

const GONE = 410;

export interface CompletedAttempt {
  readonly delivery: ClaimedDelivery;
  /** When it began, by the domain clock. */
  readonly at: Date;
  readonly result: SendResult;
}

/**
 * Decides the next state of a delivery. `Retry-After` of a failed response (RFC 9110, 10.2.3) can
 * lengthen the scheduled delay. It never shortens it and never adds an attempt. 410 from a webhook
 * ends the delivery: the webhook is disabled, so there is nothing to retry.
 */
export function toAttemptRecord({ delivery, at, result }: CompletedAttempt): AttemptRecord {
  const isLast = delivery.attempts + 1 >= MAX_ATTEMPTS || isGone(delivery.webhookId, result.statusCode);
  const scheduled = RETRY_DELAYS_SECONDS[delivery.attempts] ?? 0;
  const retryAfter = Math.min(result.retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return {
    delivery,
    at,
    latencyMs: Math.round(result.latencyMs),
    statusCode: result.statusCode,
    responseBody: result.responseBody,
    error: result.error,
    status: result.ok ? 'DELIVERED' : isLast ? 'FAILED' : 'PENDING',
    // From the end of the attempt, so that a slow endpoint is not called early, and independent of
    // changes of the sandbox clock during the attempt.
    dueAt: new Date(at.getTime() + result.latencyMs + Math.max(scheduled, retryAfter) * 1000),
  };
}

/**
 * Whether a webhook's endpoint is gone for good (RFC 9110, 15.5.11). Does not apply to postback
 * URLs.
 */
export function isGone(webhookId: string | null, statusCode: number | null): boolean {
  return webhookId !== null && statusCode === GONE;
}
