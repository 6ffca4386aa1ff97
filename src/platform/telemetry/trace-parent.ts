import { AsyncLocalStorage } from 'node:async_hooks';

const active = new AsyncLocalStorage<string | null>();

/**
 * The active span as a W3C `traceparent`, so that later work can continue its trace. Null without a
 * span, and if it is not sampled.
 */
export const activeTraceParent = (): string | null => active.getStore() ?? null;

export const runWithTraceParent = <T>(traceParent: string | null, run: () => T): T =>
  active.run(traceParent, run);
