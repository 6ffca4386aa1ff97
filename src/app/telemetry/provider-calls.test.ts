import { Registry } from 'prom-client';
import { expect, it } from 'vitest';

import type { ProviderHealth } from '#providers/health.ts';
import { registerProviderMetrics, type ObservedProviders } from './provider-calls.ts';

const healthOf = (name: string, state: ProviderHealth['state']): ProviderHealth => ({
  name,
  state,
  methods: ['PIX'],
  calls: 5,
  errorRate: 1,
  latencyP50: 1,
  latencyP95: 1,
  lastSuccessAt: null,
  lastFailureAt: null,
  lastFailure: null,
});

const list = () => [healthOf('a', 'CLOSED'), healthOf('b', 'OPEN'), healthOf('c', 'HALF_OPEN')];

async function valuesOf(findPaused: ObservedProviders['findPaused']) {
  const registry = new Registry();
  registerProviderMetrics(registry, { list, findPaused });
  const [metric] = await registry.getMetricsAsJSON();
  return metric?.values.map(({ labels, value }) => [labels['provider'], value]);
}

it('a provider is available while its circuit breaker is closed, or it is paused', async () => {
  expect(await valuesOf(async () => new Set())).toEqual([
    ['a', 1],
    ['b', 0],
    ['c', 0],
  ]);
  expect(await valuesOf(async () => new Set(['b']))).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 0],
  ]);
});

it('counts as not paused while the database cannot be read', async () => {
  expect(await valuesOf(() => Promise.reject(new Error('away')))).toEqual([
    ['a', 1],
    ['b', 0],
    ['c', 0],
  ]);
});
