import type { Logger } from '#platform/kit/log.ts';
import type { Registry } from 'prom-client';

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Which traces are kept: OpenTelemetry's own names. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingSettings {
  /** Base address of an OTLP/HTTP collector, such as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Of the samplers by ratio, 0 to 1. */
  readonly ratio: number;
  /** How often what has gathered is sent. */
  readonly exportIntervalMs: number;
  /** How long one export may take, with its repetitions. */
  readonly exportTimeoutMs: number;
}

export interface SpanOptions {
  /** Begins a trace of its own, whatever is under way. */
  readonly root?: boolean;
  /** A call that leaves this process. */
  readonly client?: boolean;
  readonly attributes?: Attributes;
}

/** A place in a trace that others can point at. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** A request whose answer is still to come. */
export interface TracedRequest {
  /** Goes on with the request inside its span. */
  run(next: () => void): void;
  end(route: string, statusCode: number): void;
}

/**
 * Where spans go. What is told of them is names, counts, statuses and our request ids: never bodies, addresses or anything of
 * people. There is none of it where no collector is named: nothing is wrapped then, and no package is loaded.
 */
export interface Tracing {
  /**
   * Runs work as a span beneath the one under way. `tell` adds what is known at its end; an error ends it as failed, by its
   * kind alone.
   */
  span<T>(
    name: string,
    options: SpanOptions,
    run: (setAttributes: (more: Attributes) => void) => Promise<T>,
  ): Promise<T>;
  /** A look of the worker. One that finds nothing to do leaves no span. */
  task(name: string, run: () => Promise<boolean>): Promise<boolean>;
  /** A statement that serves several callers, each at its place. */
  sharedSpan<T>(
    name: string,
    callers: readonly SpanContext[],
    attributes: Attributes,
    run: () => Promise<T>,
  ): Promise<T>;
  /** Where we are now; undefined outside any span that is kept. */
  activeSpanContext(): SpanContext | undefined;
  /** A request that begins, as part of the caller's trace where it sent a `traceparent`. */
  request(
    method: string,
    requestId: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): TracedRequest;
  /** Sends what waits, within a moment. */
  close(): Promise<void>;
}

/** Loads OpenTelemetry and begins to trace, where a collector is named. */
export async function openTracing(
  settings: TracingSettings | undefined,
  log: Logger,
  registry: Registry,
): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined;
  const { startTracing } = await import('./otlp.ts');
  return startTracing(settings, log, registry);
}
