import { Counter, Histogram, type Registry } from 'prom-client';

import type { SendResult } from './sender.ts';

/** Metrics of attempts. The metrics of the queue are among the system metrics. */
export interface WebhookMetrics {
  recordAttempt(result: SendResult): void;
}

export function createWebhookMetrics(registry: Registry): WebhookMetrics {
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help:
      'Attempts to deliver webhooks, by result: delivered, refused (a response other than 2xx) or ' +
      'unanswered',
    labelNames: ['result'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'How long attempts took, from the call to the end of the response',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });
  return {
    recordAttempt(result) {
      attempts.inc({
        result: result.ok ? 'delivered' : result.statusCode === null ? 'unanswered' : 'refused',
      });
      durations.observe(result.latencyMs / 1000);
    },
  };
}
