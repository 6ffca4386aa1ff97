import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

import type { Clock } from '#clock.ts';
import type { Db } from '#database/connect.ts';
import type { SendResult } from './sender.ts';
import { findQueue, type Queue } from './store-deliveries.ts';

/** The queue is looked at no more often than this, however many ask. */
const LOOK_MS = 10_000;

/** What an operator is woken by: attempts and how they ended, and what waits. */
export interface WebhookMetrics {
  attempted(result: SendResult): void;
}

export function createWebhookMetrics(registry: Registry, db: Db, clock: Clock): WebhookMetrics {
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver webhooks, by result: delivered, refused (an answer other than 2xx) or unanswered',
    labelNames: ['result'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'How long attempts took, from the call to the end of the answer',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });
  let looked: { readonly atMs: number; readonly queue: Promise<Queue> } | undefined;
  const queue = () => {
    const now = performance.now();
    if (looked === undefined || now - looked.atMs >= LOOK_MS) looked = { atMs: now, queue: findQueue(db) };
    return looked.queue;
  };
  const gauge = (name: string, help: string, value: (found: Queue) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // A database that is away must not take the other figures along.
        const found = await queue().catch(() => undefined);
        if (found === undefined) this.reset();
        else this.set(value(found));
      },
    });
  gauge('webhook_queue_depth', 'Deliveries that could be attempted now', ({ depth }) => depth);
  gauge('webhook_queue_waiting', 'Deliveries that wait for their next attempt', ({ waiting }) => waiting);
  gauge(
    'webhook_queue_oldest_seconds',
    'How long the oldest delivery that could be attempted now has been due',
    (found) => (found.oldest === null ? 0 : Math.max(0, (clock.nowMs() - found.oldest.getTime()) / 1000)),
  );
  return {
    attempted(result) {
      attempts.inc({
        result: result.ok ? 'delivered' : result.statusCode === null ? 'unanswered' : 'refused',
      });
      durations.observe(result.latencyMs / 1000);
    },
  };
}
