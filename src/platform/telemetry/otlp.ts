import { setTimeout as sleep } from 'node:timers/promises';

import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
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

import type { Logger } from '#platform/kit/log.ts';
import { VERSION } from '#platform/kit/version.ts';
import type { Attributes, SpanContext, Tracing, TracingSettings } from './tracing.ts';

/** Spans that wait to be sent; further ones are dropped, and nobody waits. */
const MAX_QUEUE_SIZE = 2_048;
const MAX_EXPORT_BATCH_SIZE = 512;
/** A stop does not wait longer for a collector that does not answer. */
const CLOSE_DEADLINE_MS = 400;

/** Starts sending spans to a collector. Nothing here is global: several gateways may trace side by side in one process. */
export function startTracing(settings: TracingSettings, log: Logger, registry: Registry): Tracing {
  const contexts = new AsyncLocalStorageContextManager().enable();
  const propagator = new W3CTraceContextPropagator();
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: settings.exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': VERSION }),
    sampler: samplerOf(settings),
    spanProcessors: [
      new IdleTaskFilter(
        new BatchSpanProcessor({
          exporter: withExportMetrics(exporter, log, registry),
          maxQueueSize: MAX_QUEUE_SIZE,
          maxExportBatchSize: MAX_EXPORT_BATCH_SIZE,
          scheduledDelayMillis: settings.exportIntervalMs,
          exportTimeoutMillis: settings.exportTimeoutMs,
        }),
      ),
    ],
  });
  const tracer = provider.getTracer('vereda', VERSION);

  async function runInSpan<T>(
    span: Span,
    parentContext: Context,
    run: (setAttributes: (more: Attributes) => void) => Promise<T>,
  ): Promise<T> {
    try {
      return await contexts.with(trace.setSpan(parentContext, span), () =>
        run((more) => void span.setAttributes({ ...more })),
      );
    } catch (error) {
      setErrorStatus(span, errorTypeOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    span(name, { root = false, client = false, attributes = {} }, run) {
      const parentContext = root ? ROOT_CONTEXT : contexts.active();
      const kind = client ? SpanKind.CLIENT : SpanKind.INTERNAL;
      return runInSpan(
        tracer.startSpan(name, { kind, attributes: { ...attributes } }, parentContext),
        parentContext,
        run,
      );
    },

    task(name, run) {
      const options = { kind: SpanKind.INTERNAL, attributes: { [TASK]: name } };
      return runInSpan(
        tracer.startSpan(`worker ${name}`, options, ROOT_CONTEXT),
        ROOT_CONTEXT,
        async (setAttributes) => {
          const more = await run();
          if (more) setAttributes({ [MORE]: true });
          return more;
        },
      );
    },

    sharedSpan(name, callers, attributes, run) {
      const links = callers.map((context) => ({ context }));
      const options = { kind: SpanKind.CLIENT, links, attributes: { ...attributes } };
      return runInSpan(tracer.startSpan(name, options, ROOT_CONTEXT), ROOT_CONTEXT, run);
    },

    activeSpanContext(): SpanContext | undefined {
      const spanContext = trace.getSpanContext(contexts.active());
      return spanContext !== undefined && (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0
        ? spanContext
        : undefined;
    },

    request(method, requestId, headers) {
      const parentContext = propagator.extract(ROOT_CONTEXT, headers, {
        keys: (carrier) => Object.keys(carrier),
        get: (carrier, key) => carrier[key],
      });
      const attributes = { 'http.request.method': method, 'request.id': requestId };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parentContext);
      const requestContext = trace.setSpan(parentContext, span);
      return {
        run: (next) => contexts.with(requestContext, next),
        end(route, statusCode) {
          span.updateName(`${method} ${route}`);
          span.setAttributes({ 'http.route': route, 'http.response.status_code': statusCode });
          if (statusCode >= 500) setErrorStatus(span, String(statusCode));
          span.end();
        },
      };
    },

    async close() {
      const timeout = new AbortController();
      const closed = provider.shutdown().catch(() => undefined);
      await Promise.race([
        closed,
        sleep(CLOSE_DEADLINE_MS, undefined, { signal: timeout.signal }).catch(() => undefined),
      ]);
      timeout.abort();
      contexts.disable();
    },
  };
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

/** Loops look ten times a second: a look that did nothing, called nobody and did not fail is no news. */
class IdleTaskFilter implements SpanProcessor {
  readonly #next: SpanProcessor;
  /** Looks under way that nothing has happened in, by the id of their span. */
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

/** Says once that a collector does not take what it is sent, and once that it does again. */
function withExportMetrics(exporter: SpanExporter, log: Logger, registry: Registry): SpanExporter {
  const exported = new Counter({
    name: 'trace_spans_exported_total',
    help: 'Spans that were given to the collector, by result: taken or lost',
    labelNames: ['result'],
    registers: [registry],
  });
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !failing) log.warn({ err: result.error }, 'the collector does not take traces');
        if (!failed && failing) log.info('the collector takes traces again');
        failing = failed;
        exported.inc({ result: failed ? 'lost' : 'taken' }, spans.length);
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

function setErrorStatus(span: Span, kind: string): void {
  span.setAttribute('error.type', kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Its code or its name; a message may quote values. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
