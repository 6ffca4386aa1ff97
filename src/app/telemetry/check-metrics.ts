import type { Registry } from 'prom-client';

import type { SystemCheck } from '#operator/system-routes.ts';
import { registerGauge } from '#platform/telemetry/gauge.ts';

const VALUES: Readonly<Record<SystemCheck['status'], number>> = { OK: 0, WARNING: 1, FAILED: 2 };

/**
 * Registers the results of the checks of this process. A scrape does not wait for checks, which may
 * take seconds: it has the results that were known before it, and none at first.
 */
export function registerCheckMetrics(
  registry: Registry,
  findChecks: () => Promise<readonly SystemCheck[]>,
): void {
  let known: readonly SystemCheck[] = [];
  registerGauge({
    name: 'system_check_status',
    help: 'Result of a check of npm run doctor in this process: 0 OK, 1 WARNING, 2 FAILED',
    labelNames: ['check'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, status } of known) this.set({ check: name }, VALUES[status]);
      findChecks().then(
        (checks) => (known = checks),
        () => (known = []),
      );
    },
  });
}
