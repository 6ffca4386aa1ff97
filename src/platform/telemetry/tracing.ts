type Attributes = Readonly<Record<string, string | number | boolean>>;

/** OpenTelemetry's names of the samplers. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingSettings {
  /** The base URL of an OTLP/HTTP collector, such as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** The ratio of the ratio samplers, from 0 to 1. */
  readonly ratio: number;
  /** The interval between exports. */
  readonly exportIntervalMs: number;
  /** The timeout of one export, including its retries. */
  readonly exportTimeoutMs: number;
}

export interface SpanOptions {
  /** Starts a new trace instead of a child of the active span. */
  readonly root?: boolean;
  /** The `traceparent` of the parent, instead of the active span. */
  readonly parent?: string;
  /** Marks a call to another system. */
  readonly client?: boolean;
  readonly attributes?: Attributes;
}

/** Identifies a span, so that others can link to it. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

export interface SharedSpanOptions {
  readonly callers: readonly SpanContext[];
  readonly attributes: Attributes;
}

/** The work inside a span. `setAttributes` adds attributes that are known at its end. */
export type SpanWork<T> = (setAttributes: (attributes: Attributes) => void) => Promise<T>;

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The span of a request that has no response yet. */
export interface TracedRequest {
  /** Continues the request inside its span. */
  run(next: () => void): void;
  end(route: string, statusCode: number): void;
}

/**
 * Creates spans. They contain names, counts, statuses and request ids, never bodies, addresses or
 * personal data. Without a configured collector there is no instance, nothing is wrapped, and
 * OpenTelemetry is not loaded.
 */
export interface Tracing {
  /**
   * Runs work in a child span of the active one. If the work throws, the span records the type of
   * the error only.
   */
  span<T>(name: string, options: SpanOptions, run: SpanWork<T>): Promise<T>;
  /** Runs a job of the worker in a span. A job that finds no work leaves no span. */
  task(name: string, run: () => Promise<boolean>): Promise<boolean>;
  /** Runs a statement that serves several callers in a span with links to theirs. */
  sharedSpan<T>(name: string, options: SharedSpanOptions, run: () => Promise<T>): Promise<T>;
  /** The active span; undefined if there is none or it is not sampled. */
  activeSpanContext(): SpanContext | undefined;
  /** Starts the span of a request, as a child of the client's span if it sent a `traceparent`. */
  request(method: string, requestId: string, headers: RequestHeaders): TracedRequest;
  /** Sends the waiting spans, within a short timeout. */
  close(): Promise<void>;
}
