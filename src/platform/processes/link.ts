import cluster from 'node:cluster';

import type { Registry } from 'prom-client';

import type { RateCounter } from '#platform/http/rates.ts';
import type { FromChild, FromPrimary } from './messages.ts';
import { rateLink } from './rates.ts';

const METRICS_DEADLINE_MS = 2_000;

/** A process of several that serve one port, as it sees the others. */
export interface ProcessLink {
  readonly rates: RateCounter;
  /** The worker runs in another process. */
  wakeDeliveries(): void;
  /** What all processes measured together, as Prometheus text. */
  readonly metrics: () => Promise<string>;
  /** It serves, and this is what it measures. */
  ready(own: Registry): void;
}

/** Whether this process is one of several that the primary has started. */
export const isChild = (): boolean => cluster.isWorker;

/**
 * Connects a child to its primary.
 *
 * @param stop called when the primary asks for it or is gone, with how long to go on serving before.
 */
export function connectToPrimary(stop: (drainMs: number) => void): ProcessLink {
  const counting = rateLink(send);
  const asked = new Map<number, (text: string) => void>();
  let registry: Registry | undefined;
  let last = 0;

  process.on('message', (message: FromPrimary) => {
    switch (message.kind) {
      case 'stop':
        stop(message.drainMs);
        return;
      case 'rates':
        counting.answered(message.id, message.answers);
        return;
      case 'metrics':
        asked.get(message.id)?.(message.text);
        return;
      case 'own-metrics': {
        const { id } = message;
        void registry?.getMetricsAsJSON().then((metrics) => send({ kind: 'own-metrics', id, metrics }));
      }
    }
  });
  process.once('disconnect', () => stop(0));

  return {
    rates: counting.rates,
    wakeDeliveries: () => send({ kind: 'deliveries' }),
    ready(own) {
      registry = own;
      send({ kind: 'ready' });
    },
    metrics() {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          asked.delete(id);
          reject(new Error('the primary process did not gather the metrics in time'));
        }, METRICS_DEADLINE_MS);
        asked.set(id, (text) => {
          clearTimeout(timer);
          asked.delete(id);
          resolve(text);
        });
        send({ kind: 'metrics', id });
      });
    },
  };
}

function send(message: FromChild): void {
  // Without a primary nobody listens; `disconnect` ends this process.
  if (process.connected) process.send?.(message);
}
