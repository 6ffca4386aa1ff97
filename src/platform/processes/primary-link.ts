import cluster from 'node:cluster';

import type { Registry } from 'prom-client';

import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import type { ChildMessage, PrimaryMessage } from './messages.ts';
import { createRateClient } from './rates.ts';

const METRICS_DEADLINE_MS = 2_000;

/** A process of several that serve one port, as it sees the others. */
export interface ProcessLink {
  readonly rates: RateLimiter;
  /** The worker runs in another process. */
  wakeDeliveries(): void;
  /** What all processes measured together, as Prometheus text. */
  readonly metrics: () => Promise<string>;
  /** It serves, and this is what it measures. */
  ready(registry: Registry): void;
}

/** Whether this process is one of several that the primary has started. */
export const isChild = (): boolean => cluster.isWorker;

/**
 * Connects a child to its primary.
 *
 * @param stop called when the primary asks for it or is gone, with how long to go on serving before.
 */
export function connectToPrimary(stop: (drainMs: number) => void): ProcessLink {
  const rateClient = createRateClient(send);
  const pendingMetrics = new Map<number, (text: string) => void>();
  let registry: Registry | undefined;
  let lastId = 0;

  process.on('message', (message: PrimaryMessage) => {
    switch (message.kind) {
      case 'stop':
        stop(message.drainMs);
        return;
      case 'rates':
        rateClient.resolveCalls(message.id, message.results);
        return;
      case 'metrics':
        pendingMetrics.get(message.id)?.(message.text);
        return;
      case 'own-metrics': {
        const { id } = message;
        void registry?.getMetricsAsJSON().then((metrics) => send({ kind: 'own-metrics', id, metrics }));
      }
    }
  });
  process.once('disconnect', () => stop(0));

  return {
    rates: rateClient.rates,
    wakeDeliveries: () => send({ kind: 'deliveries' }),
    ready(own) {
      registry = own;
      send({ kind: 'ready' });
    },
    metrics() {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          pendingMetrics.delete(id);
          reject(new Error('the primary process did not gather the metrics in time'));
        }, METRICS_DEADLINE_MS);
        pendingMetrics.set(id, (text) => {
          clearTimeout(timer);
          pendingMetrics.delete(id);
          resolve(text);
        });
        send({ kind: 'metrics', id });
      });
    },
  };
}

function send(message: ChildMessage): void {
  // Without a primary nobody listens; `disconnect` ends this process.
  if (process.connected) process.send?.(message);
}
