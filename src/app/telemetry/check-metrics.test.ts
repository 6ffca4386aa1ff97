import { Registry } from 'prom-client';
import { expect, it } from 'vitest';

import type { SystemCheck } from '#operator/system-routes.ts';
import { registerCheckMetrics } from './check-metrics.ts';

it('reports the last results, without waiting for checks', async () => {
  const registry = new Registry();
  const next = Promise.withResolvers<readonly SystemCheck[]>();
  registerCheckMetrics(registry, () => next.promise);
  const values = async () => {
    const [metric] = await registry.getMetricsAsJSON();
    return metric?.values.map(({ labels, value }) => [labels['check'], value]);
  };
  expect(await values()).toEqual([]);
  next.resolve([
    { name: 'schema', status: 'OK', detail: '' },
    { name: 'certificates', status: 'WARNING', detail: '' },
    { name: 'backups', status: 'FAILED', detail: '' },
  ]);
  await next.promise;
  expect(await values()).toEqual([
    ['schema', 0],
    ['certificates', 1],
    ['backups', 2],
  ]);
});
