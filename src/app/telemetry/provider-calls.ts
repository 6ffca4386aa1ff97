import { Histogram, type Registry } from 'prom-client';

import { registerGauge } from '#platform/telemetry/gauge.ts';
import type { Tracing } from '#platform/telemetry/tracing.ts';
import type { CallWrapper, ProviderHealth } from '#providers/health.ts';

/** Measures calls to providers and traces them. */
export function instrumentProviderCalls(registry: Registry, tracing: Tracing | undefined): CallWrapper {
  const durations = new Histogram({
    name: 'provider_call_duration_seconds',
    help: 'Duration of calls to providers, by result: answered or failed',
    labelNames: ['provider', 'operation', 'result'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });
  return async (provider, operation, run) => {
    const startedMs = performance.now();
    const options = { client: true, attributes: { provider, operation } };
    let result = 'failed';
    try {
      const response = await (tracing === undefined
        ? run()
        : tracing.span(`provider ${operation}`, options, run));
      result = 'answered';
      return response;
    } finally {
      durations.observe({ provider, operation, result }, (performance.now() - startedMs) / 1000);
    }
  };
}

export interface ObservedProviders {
  readonly list: () => readonly ProviderHealth[];
  /** The names of those that are paused for every method. */
  readonly findPaused: () => Promise<ReadonlySet<string>>;
}

/**
 * The availability of each provider as this process sees it. A circuit breaker that is half open
 * has had no success yet. That of a paused provider stays open, since nothing calls it.
 */
export function registerProviderMetrics(registry: Registry, { list, findPaused }: ObservedProviders): void {
  registerGauge({
    name: 'provider_available',
    help: 'Whether a provider is available: 0 until its circuit breaker closes, 1 while it is paused',
    labelNames: ['provider'],
    registers: [registry],
    async collect() {
      const paused = await findPaused().catch(() => new Set<string>());
      for (const { name, state } of list()) {
        this.set({ provider: name }, state === 'CLOSED' || paused.has(name) ? 1 : 0);
      }
    },
  });
}
