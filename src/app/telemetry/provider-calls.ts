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

/** The availability of each provider as this process sees it. */
export function registerProviderMetrics(registry: Registry, list: () => readonly ProviderHealth[]): void {
  registerGauge({
    name: 'provider_available',
    help: 'Whether a provider is called: 0 while its circuit breaker is open',
    labelNames: ['provider'],
    registers: [registry],
    collect() {
      for (const { name, state } of list()) this.set({ provider: name }, state === 'OPEN' ? 0 : 1);
    },
  });
}
