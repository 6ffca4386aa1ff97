import { collectDefaultMetrics, Registry } from 'prom-client';

import type { GroupCommitFactory } from '#platform/database/group-commit.ts';
import { instrumentGroupCommits } from '#platform/telemetry/group-commit-metrics.ts';
import { openTracing } from '#platform/telemetry/open-tracing.ts';
import type { Tracing } from '#platform/telemetry/tracing.ts';
import type { CallWrapper } from '#providers/health.ts';
import type { Runtime } from '#app/runtime.ts';
import { registerDatabaseMetrics } from './database-metrics.ts';
import { instrumentProviderCalls } from './provider-calls.ts';

/** Each sample wakes an idle process. The reported delay includes it. */
const EVENT_LOOP_SAMPLE_MS = 100;

/** What a process measures and traces, and what instruments its parts. */
export interface Telemetry {
  readonly registry: Registry;
  readonly tracing: Tracing | undefined;
  readonly groupCommit: GroupCommitFactory;
  readonly instrumentCall: CallWrapper;
}

export async function openTelemetry({ config, database, log }: Runtime): Promise<Telemetry> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  registerDatabaseMetrics(registry, database);
  const tracing = await openTracing(config.tracing, log, registry);
  return {
    registry,
    tracing,
    groupCommit: instrumentGroupCommits(registry, tracing),
    instrumentCall: instrumentProviderCalls(registry, tracing),
  };
}
