import type { Registry } from 'prom-client';

import type { Logger } from '#platform/kit/log.ts';
import type { Tracing, TracingSettings } from './tracing.ts';

/** Loads OpenTelemetry and starts tracing if a collector is configured. */
export async function openTracing(
  settings: TracingSettings | undefined,
  log: Logger,
  registry: Registry,
): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined;
  const { startTracing } = await import('./otlp.ts');
  return startTracing(settings, log, registry);
}
