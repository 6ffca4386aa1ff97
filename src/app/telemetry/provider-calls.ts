import { Histogram, type Registry } from 'prom-client';

import type { CallWrapper, ProviderHealth } from '#providers/health.ts';
import { registerGauge } from '#platform/telemetry/gauge.ts';
import type { Tracing } from '#platform/telemetry/tracing.ts';

/** Measures calls of providers, and shows them in traces where those are kept. */
export function instrumentProviderCalls(registry: Registry, tracing: Tracing | undefined): CallWrapper {
  const durations = new Histogram({
    name: 'provider_call_duration_seconds',
    help: 'How long calls of providers took, by result: answered or failed',
    labelNames: ['provider', 'operation', 'result'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });
  return async (provider, operation, run) => {
    const startedMs = performance.now();
    let result = 'failed';
    try {
      const answer = await (tracing === undefined
        ? run()
        : tracing.span(`provider ${operation}`, { client: true, attributes: { provider, operation } }, run));
      result = 'answered';
      return answer;
    } finally {
      durations.observe({ provider, operation, result }, (performance.now() - startedMs) / 1000);
    }
  };
}

/** Whether each provider is called at all, as this process sees it. */
export function registerProviderMetrics(registry: Registry, list: () => readonly ProviderHealth[]): void {
  registerGauge({
    name: 'provider_available',
    help: 'Whether a provider is called: 0 while it has failed too often and rests',
    labelNames: ['provider'],
    registers: [registry],
    collect() {
      for (const { name, state } of list()) this.set({ provider: name }, state === 'OPEN' ? 0 : 1);
    },
  });
}
