import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
  type Span as SdkSpan,
} from '@opentelemetry/sdk-trace';
import { Counter, type Registry } from 'prom-client';

import { bindDeps } from '#platform/kit/bind.ts';
import { errorCode } from '#platform/kit/errors.ts';
import type { Logger } from '#platform/kit/log.ts';
import { VERSION } from '#platform/kit/version.ts';
import { runWithTraceParent } from './trace-parent.ts';
import type {
  RequestHeaders,
  SharedSpanOptions,
  SpanContext,
  SpanOptions,
  SpanWork,
  TracedRequest,
  Tracing,
  TracingSettings,
} from './tracing.ts';

/** Maximum number of spans that wait for the export. Further ones are dropped. */
const MAX_QUEUE_SIZE = 2_048;
const MAX_EXPORT_BATCH_SIZE = 512;
/** How long `close` waits for a collector that does not respond. */
const CLOSE_TIMEOUT_MS = 400;

/** The channel on which Node publishes each request of its own HTTP client. */
const REQUEST_CREATED = 'http.client.request.created';

/**
 * What spans are created with. None of it is global, so that several gateways in one process can
 * trace.
 */
interface TracerDeps {
  readonly tracer: Tracer;
  readonly contexts: AsyncLocalStorageContextManager;
  readonly propagator: W3CTraceContextPropagator;
}

/** Starts to send spans to a collector. */
export function startTracing(settings: TracingSettings, log: Logger, registry: Registry): Tracing {
  const provider = createProvider(settings, log, registry);
  const stopLimiting = limitExports(settings);
  const deps: TracerDeps = {
    tracer: provider.getTracer('vereda', VERSION),
    contexts: new AsyncLocalStorageContextManager().enable(),
    propagator: new W3CTraceContextPropagator(),
  };
  return {
    // bindDeps does not preserve type parameters.
    span: (name, options, run) => span(deps, name, options, run),
    sharedSpan: (name, options, run) => sharedSpan(deps, name, options, run),
    ...bindDeps(deps, { task, activeSpanContext, request }),
    async close() {
      const timeout = new AbortController();
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(CLOSE_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => undefined),
      ]);
      timeout.abort();
      stopLimiting();
      deps.contexts.disable();
    },
  };
}

function createProvider(settings: TracingSettings, log: Logger, registry: Registry): TracerProvider {
  const exporter = new OTLPTraceExporter({
    url: tracesUrl(settings),
    timeoutMillis: settings.exportTimeoutMs,
  });
  const processor = new BatchSpanProcessor({
    exporter: withExportMetrics(exporter, log, registry),
    maxQueueSize: MAX_QUEUE_SIZE,
    maxExportBatchSize: MAX_EXPORT_BATCH_SIZE,
    scheduledDelayMillis: settings.exportIntervalMs,
    exportTimeoutMillis: settings.exportTimeoutMs,
  });
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': VERSION }),
    sampler: samplerOf(settings),
    spanProcessors: [new IdleTaskFilter(processor)],
  });
}

const tracesUrl = ({ endpoint }: TracingSettings): string => `${endpoint.replace(/\/$/, '')}/v1/traces`;

/**
 * Limits the whole time of a request to the collector. The timeout of the exporter begins once it is
 * connected, and again with each byte that arrives. Its connections cannot be replaced without its
 * settings for certificates. Returns the function that stops it.
 */
function limitExports(settings: TracingSettings): () => void {
  const { host, pathname } = new URL(tracesUrl(settings));
  const onCreated = (message: unknown): void => {
    const { request }: Readonly<Record<string, unknown>> = Object(message);
    if (!(request instanceof ClientRequest)) return;
    if (request.path !== pathname || request.getHeader('host') !== host) return;
    const timer = setTimeout(() => {
      request.destroy(new Error(`no complete response within ${settings.exportTimeoutMs} ms`));
    }, settings.exportTimeoutMs).unref();
    request.once('close', () => clearTimeout(timer));
  };
  subscribe(REQUEST_CREATED, onCreated);
  return () => void unsubscribe(REQUEST_CREATED, onCreated);
}

function span<T>(
  deps: TracerDeps,
  name: string,
  { root = false, parent, client = false, attributes = {} }: SpanOptions,
  run: SpanWork<T>,
): Promise<T> {
  const parentContext =
    parent === undefined
      ? root
        ? ROOT_CONTEXT
        : deps.contexts.active()
      : extractContext(deps, { traceparent: parent });
  const kind = client ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const newSpan = deps.tracer.startSpan(name, { kind, attributes: { ...attributes } }, parentContext);
  return runInSpan(deps, newSpan, parentContext, run);
}

function task(deps: TracerDeps, name: string, run: () => Promise<boolean>): Promise<boolean> {
  const options = { kind: SpanKind.INTERNAL, attributes: { [TASK]: name } };
  const newSpan = deps.tracer.startSpan(`worker ${name}`, options, ROOT_CONTEXT);
  return runInSpan(deps, newSpan, ROOT_CONTEXT, async (setAttributes) => {
    const more = await run();
    if (more) setAttributes({ [MORE]: true });
    return more;
  });
}

function sharedSpan<T>(
  deps: TracerDeps,
  name: string,
  { callers, attributes }: SharedSpanOptions,
  run: () => Promise<T>,
): Promise<T> {
  const links = callers.map((context) => ({ context }));
  const options = { kind: SpanKind.CLIENT, links, attributes: { ...attributes } };
  return runInSpan(deps, deps.tracer.startSpan(name, options, ROOT_CONTEXT), ROOT_CONTEXT, run);
}

async function runInSpan<T>(
  { contexts }: TracerDeps,
  newSpan: Span,
  parentContext: Context,
  run: SpanWork<T>,
): Promise<T> {
  try {
    return await contexts.with(trace.setSpan(parentContext, newSpan), () =>
      runWithTraceParent(toTraceParent(newSpan), () =>
        run((attributes) => void newSpan.setAttributes({ ...attributes })),
      ),
    );
  } catch (error) {
    setErrorStatus(newSpan, errorTypeOf(error));
    throw error;
  } finally {
    newSpan.end();
  }
}

function activeSpanContext({ contexts }: TracerDeps): SpanContext | undefined {
  const spanContext = trace.getSpanContext(contexts.active());
  const sampled = spanContext !== undefined && (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0;
  return sampled ? spanContext : undefined;
}

function request(
  deps: TracerDeps,
  method: string,
  requestId: string,
  headers: RequestHeaders,
): TracedRequest {
  const { tracer, contexts } = deps;
  const parentContext = extractContext(deps, headers);
  const attributes = { 'http.request.method': method, 'request.id': requestId };
  const newSpan = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parentContext);
  const requestContext = trace.setSpan(parentContext, newSpan);
  return {
    run: (next) => contexts.with(requestContext, () => runWithTraceParent(toTraceParent(newSpan), next)),
    end(route, statusCode) {
      newSpan.updateName(`${method} ${route}`);
      newSpan.setAttributes({ 'http.route': route, 'http.response.status_code': statusCode });
      if (statusCode >= 500) setErrorStatus(newSpan, String(statusCode));
      newSpan.end();
    },
  };
}

/** The context of the remote span that a `traceparent` names. Without a valid one, no span. */
const extractContext = ({ propagator }: TracerDeps, headers: RequestHeaders): Context =>
  propagator.extract(ROOT_CONTEXT, headers, {
    keys: (carrier) => Object.keys(carrier),
    get: (carrier, key) => carrier[key],
  });

/** The `traceparent` of a sampled span. */
function toTraceParent(span: Span): string | null {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return (traceFlags & TraceFlags.SAMPLED) === 0 ? null : `00-${traceId}-${spanId}-01`;
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}

const TASK = 'worker.task';
const MORE = 'worker.more';

/**
 * Drops the spans of jobs that found no work, had no child spans and did not fail. Some run ten
 * times a second.
 */
class IdleTaskFilter implements SpanProcessor {
  readonly #next: SpanProcessor;
  /** The span ids of running jobs without child spans. */
  readonly #idle = new Set<string>();

  constructor(next: SpanProcessor) {
    this.#next = next;
  }

  onStart(span: SdkSpan, parentContext: Context): void {
    const parent = trace.getSpanContext(parentContext);
    if (parent !== undefined) this.#idle.delete(parent.spanId);
    if (span.attributes[TASK] !== undefined) this.#idle.add(span.spanContext().spanId);
    this.#next.onStart(span, parentContext);
  }

  onEnd(span: ReadableSpan): void {
    const idle = this.#idle.delete(span.spanContext().spanId);
    if (idle && span.status.code !== SpanStatusCode.ERROR && span.attributes[MORE] !== true) return;
    this.#next.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#next.shutdown();
  }
}

/** Counts exported spans, and logs when the collector starts and stops to reject them. */
function withExportMetrics(exporter: SpanExporter, log: Logger, registry: Registry): SpanExporter {
  const exported = new Counter({
    name: 'trace_spans_exported_total',
    help: 'Spans sent to the collector, by result: taken or lost',
    labelNames: ['result'],
    registers: [registry],
  });
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !failing) log.warn({ err: result.error }, 'trace export failed');
        if (!failed && failing) log.info('trace export recovered');
        failing = failed;
        exported.inc({ result: failed ? 'lost' : 'taken' }, spans.length);
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

function setErrorStatus(failed: Span, errorType: string): void {
  failed.setAttribute('error.type', errorType);
  failed.setStatus({ code: SpanStatusCode.ERROR });
}

/** The code or name of an error. Its message may contain personal data. */
function errorTypeOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.name : 'unknown');
}
