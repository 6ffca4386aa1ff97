import { describe, expect, it } from 'vitest';

import { MAX_RETRY_AFTER_SECONDS, toAttemptRecord, RETRY_DELAYS_SECONDS } from './retry-policy.ts';
import type { SendResult } from './sender.ts';

const AT = new Date('2026-11-20T12:00:00.000Z');
const ENDED_MS = AT.getTime() + 250;

function outcome(attempts: number, result: Partial<SendResult>, webhookId: string | null = 'one') {
  const error = 'The server responded with status 503.' as const;
  const response = { statusCode: 503, latencyMs: 250, responseBody: '', error, retryAfterSeconds: null };
  const delivery = {
    sellerId: 's',
    id: 'd',
    eventId: 'e',
    webhookId,
    endpoint: 'one',
    url: '',
    attempts,
    payload: '',
    traceParent: null,
    encryptedSecrets: [],
  };
  const { status, dueAt } = toAttemptRecord({
    delivery,
    at: AT,
    result: { ok: false, ...response, ...result },
  });
  return { status, inSeconds: (dueAt.getTime() - ENDED_MS) / 1000 };
}

describe('the outcome of an attempt', () => {
  it('follows the schedule from the end of the attempt, and fails after the fifth', () => {
    RETRY_DELAYS_SECONDS.forEach((inSeconds, attempts) => {
      expect(outcome(attempts, {})).toEqual({ status: 'PENDING', inSeconds });
    });
    expect(outcome(4, {}).status).toBe('FAILED');
    expect(outcome(4, { retryAfterSeconds: 60 }).status).toBe('FAILED');
    expect(outcome(2, { ok: true, statusCode: 200, error: null }).status).toBe('DELIVERED');
  });

  it.each([
    [0, 29, 30],
    [0, 0, 30],
    [0, 31, 31],
    [3, 60, 3600],
    [3, 7200, 7200],
    [1, 999_999_999, MAX_RETRY_AFTER_SECONDS],
  ])('after %i attempts with Retry-After %i delays the next one to %i s', (attempts, asked, inSeconds) => {
    expect(outcome(attempts, { retryAfterSeconds: asked })).toEqual({ status: 'PENDING', inSeconds });
  });

  it('is FAILED after a 410 from an endpoint, but not from a postbackUrl', () => {
    expect(outcome(0, { statusCode: 410 }).status).toBe('FAILED');
    expect(outcome(0, { statusCode: 410 }, null).status).toBe('PENDING');
    expect(outcome(0, { statusCode: 404 }).status).toBe('PENDING');
  });
});
