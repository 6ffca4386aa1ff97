import type { SendResult } from './sender.ts';
import type { AttemptRecord, ClaimedDelivery } from './store-deliveries.ts';

/** After which delay each attempt follows the one before, in seconds; the first leaves at once. */
export const RETRY_DELAYS_SECONDS = [30, 120, 600, 3600] as const;
const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/** No receiver puts its next attempt off for longer, whatever its `Retry-After` asks for. */
export const MAX_RETRY_AFTER_SECONDS = 24 * 3600;

const GONE = 410;

/** An attempt as it was made. */
export interface CompletedAttempt {
  readonly delivery: ClaimedDelivery;
  /** When it began, by the domain's clock. */
  readonly at: Date;
  readonly result: SendResult;
}

/**
 * What is recorded of an attempt and becomes of its delivery. A failing answer may lengthen the delay of the schedule by
 * `Retry-After` (RFC 9110, 10.2.3), never shorten it and never add an attempt. 410 from a registration ends the
 * delivery: the registration is disabled, so there is nowhere to try again.
 */
export function toAttemptRecord({ delivery, at, result }: CompletedAttempt): AttemptRecord {
  const last = delivery.attempts + 1 >= MAX_ATTEMPTS || isGone(delivery.webhookId, result.statusCode);
  const scheduled = RETRY_DELAYS_SECONDS[delivery.attempts] ?? 0;
  const retryAfter = Math.min(result.retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return {
    delivery,
    at,
    latencyMs: Math.round(result.latencyMs),
    statusCode: result.statusCode,
    responseBody: result.responseBody,
    error: result.error,
    status: result.ok ? 'DELIVERED' : last ? 'FAILED' : 'PENDING',
    // Counted from the end of the attempt, so that a slow receiver is never called early. What the sandbox's clock was moved by
    // meanwhile does not put the next one off.
    dueAt: new Date(at.getTime() + result.latencyMs + Math.max(scheduled, retryAfter) * 1000),
  };
}

/** Whether a registration's receiver said that it is gone for good (RFC 9110, 15.5.11). A postbackUrl is no registration. */
export function isGone(webhookId: string | null, statusCode: number | null): boolean {
  return webhookId !== null && statusCode === GONE;
}
