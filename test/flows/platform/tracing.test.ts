import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { instrumentProviderCalls } from '#app/telemetry/provider-calls.ts';
import { openTracing } from '#platform/telemetry/open-tracing.ts';
import type { TracingSettings } from '#platform/telemetry/tracing.ts';
import { startCollector, type Collector } from '#test/support/collector.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { makePlace, sleep, untilHealthy } from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let collector: Collector;
let receiver: Receiver;
let gateway: TestGateway;
beforeAll(async () => {
  collector = await startCollector();
  receiver = await startReceiver();
  gateway = await startTestGateway({
    environment: {
      ...SHARED_SECRETS,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SERVICE_NAME: 'caixa',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    receiverAuthorities: receiver.authority,
  });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
  await collector.close();
});

/** The context of a client's trace. */
function caller(sampled: boolean) {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}` } };
}

const settings = (endpoint: string): TracingSettings => ({
  endpoint,
  serviceName: 'vereda',
  sampler: 'always_on',
  ratio: 1,
  exportIntervalMs: 50,
  exportTimeoutMs: 1_000,
});

async function failing(): Promise<never> {
  throw new TypeError('Ana Souza owes 15');
}

describe('a traced request', () => {
  it('is a span of the client’s trace, with route, status and request id', async () => {
    const { traceId, spanId, headers } = caller(true);
    const made = await gateway.charge({}, { headers: { ...headers, 'x-request-id': 'request-of-mine' } });
    expect(made.status).toBe(201);
    const span = await collector.find((one) => one.traceId === traceId && one.name.startsWith('POST'));
    expect(span).toMatchObject({ name: 'POST /v1/transactions', parentSpanId: spanId, failed: false });
    expect(span.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/transactions',
      'http.response.status_code': 201,
      'request.id': 'request-of-mine',
    });
    // The spans of its waits are its children, and the shared statement links to it.
    const waited = await collector.find(
      (one) => one.name === 'wait for batch creations' && one.traceId === traceId,
    );
    expect(waited.parentSpanId).toBe(span.spanId);
    const statement = await collector.find(
      (one) => one.name === 'batch creations' && one.links.includes(waited.spanId),
    );
    expect(statement.attributes).toEqual({ 'db.system.name': 'postgresql', 'batch.items': 1 });
  });

  it('of an unknown route or without a credential contains no URL', async () => {
    await gateway.get('/nowhere/529.982.247-25?email=ana@example.com', {
      headers: { 'x-request-id': 'lost' },
    });
    const span = await collector.find(({ attributes }) => attributes['request.id'] === 'lost');
    expect(span).toMatchObject({ name: 'GET unknown', parentSpanId: undefined });
    expect(span.attributes['http.response.status_code']).toBe(404);
  });

  it('exports nothing if the client’s trace is not sampled', async () => {
    const { traceId, headers } = caller(false);
    await gateway.charge({}, { headers });
    const after = caller(true);
    await gateway.charge({}, { headers: after.headers });
    await collector.find((span) => span.traceId === after.traceId && span.parentSpanId === after.spanId);
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it('is never a monitoring probe, even in a sampled trace', async () => {
    const { traceId, headers } = caller(true);
    const origin = new URL(gateway.baseUrl).origin;
    for (const path of ['/v1/health', '/v1/health/live', '/metrics']) {
      const response = await fetch(`${origin}${path}`, { headers });
      await response.body?.cancel();
      expect(response.status).toBe(200);
    }
    const after = caller(true);
    await gateway.charge({}, { headers: after.headers });
    await collector.find((span) => span.traceId === after.traceId && span.parentSpanId === after.spanId);
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    const routes = collector.spans.map(({ attributes }) => attributes['http.route']);
    expect(routes).not.toContain('/v1/health');
  });

  it('with an invalid traceparent starts a new trace', async () => {
    const headers = { traceparent: '00-zz-yy-01', 'x-request-id': 'forged' };
    expect((await gateway.get('/seller-wallet/gestao', { headers })).status).toBe(200);
    const span = await collector.find(({ attributes }) => attributes['request.id'] === 'forged');
    expect(span.parentSpanId).toBeUndefined();
  });
});

describe('background work', () => {
  it('has spans for webhooks, batches and worker jobs that did something', async () => {
    await gateway.post('/webhooks', { url: receiver.url, eventType: 'TRANSACTION' });
    const { body } = await gateway.charge();
    const { traceId, headers } = caller(true);
    await gateway.post(`/sandbox/transactions/${body.data.id}/pay`, undefined, { headers });
    await receiver.waitFor(1, 15_000);
    // The delivery is a child of the request that caused it, in the trace of the caller.
    const post = await collector.find((one) => one.name === 'webhook POST' && one.traceId === traceId);
    const request = await collector.find(
      (one) => one.name.startsWith('POST /v1/sandbox') && one.traceId === traceId,
    );
    expect(post.parentSpanId).toBe(request.spanId);
    expect(post.attributes).toEqual({ 'webhook.result': 'delivered', 'http.response.status_code': 200 });
    await collector.find(({ name }) => name === 'worker deliveries');
    // The loop has polled dozens of times and found nothing. Some runs read the provider routes
    // again.
    const payouts = collector.spans.filter(({ name }) => name === 'worker payouts');
    expect(payouts.length).toBeLessThan(5);
    // No personal data: no name, document, address, charge id or key.
    const reported = collector.text();
    for (const secret of [
      'Ana Souza',
      'ana@example.com',
      '52998224725',
      '11987654321',
      receiver.url,
      body.data.id,
      'sk_test',
      'Caneca',
    ]) {
      expect(reported).not.toContain(secret);
    }
    expect(reported).toContain('caixa');
  });

  it('includes provider calls, which record the type of an error and not its message', async () => {
    const own = new Registry();
    const tracing = await openTracing(settings(collector.endpoint), pino({ level: 'silent' }), own);
    const watch = instrumentProviderCalls(own, tracing);
    expect(await watch('bacen', 'find', async () => 7)).toBe(7);
    await expect(watch('bacen', 'place', failing)).rejects.toThrow('Ana Souza owes 15');
    await tracing?.close();
    const place = await collector.find(({ name }) => name === 'provider place');
    expect(place).toMatchObject({ failed: true });
    expect(place.attributes).toEqual({ provider: 'bacen', operation: 'place', 'error.type': 'TypeError' });
    expect(await collector.find(({ name }) => name === 'provider find')).toMatchObject({ failed: false });
    expect(collector.text()).not.toContain('owes');
    const measured = await own.metrics();
    expect(measured).toContain('_count{provider="bacen",operation="place",result="failed"} 1');
    expect(measured).toContain('trace_spans_exported_total{result="taken"} 2');
  });
});

const FAILURES = [
  ['refuses connections', 'trace export failed'],
  ['never answers', 'no complete response within 1000 ms'],
  ['never ends a response', 'no complete response within 1000 ms'],
];

describe('a collector that does not accept spans', () => {
  it.each(FAILURES)('and %s has no effect on the gateway', async (what, cause) => {
    const dead = await startCollector();
    if (what === 'never answers') dead.hang();
    else dead.trickle();
    const port = await freePort();
    const endpoint = what === 'refuses connections' ? `http://127.0.0.1:${port}` : dead.endpoint;
    const logged: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
    const own = new Registry();
    const tracing = await openTracing(settings(endpoint), log, own);
    if (tracing === undefined) throw new Error('no tracing');
    const begun = performance.now();
    // Ten times the size of the queue: the rest is dropped without waiting.
    for (let n = 0; n < 20_000; n += 1) await tracing.span('work', {}, async () => n);
    expect(performance.now() - begun).toBeLessThan(10_000);
    await vi.waitFor(() => expect(logged.join('')).toContain('trace export failed'), {
      timeout: 20_000,
      interval: 100,
    });
    const lost = /trace_spans_exported_total\{result="lost"\} (\d+)/.exec(await own.metrics())?.[1];
    expect(Number(lost)).toBeGreaterThan(0);
    expect(Number(lost)).toBeLessThan(20_000);
    const asked = performance.now();
    await tracing.close();
    expect(performance.now() - asked).toBeLessThan(2_000);
    expect(logged).toEqual([expect.stringContaining(cause)]);
    await dead.close();
  });

  it('does not delay shutdown', async () => {
    const dead = await startCollector();
    dead.hang();
    const place = await makePlace({
      DATABASE_URL: gateway.database.url,
      ...SHARED_SECRETS,
      MODE: 'sandbox',
      OTEL_EXPORTER_OTLP_ENDPOINT: dead.endpoint,
    });
    try {
      const program = place.run(['start']);
      await untilHealthy(program, place.port);
      await vi.waitFor(() => expect(dead.asked).toBeGreaterThan(0), { timeout: 15_000 });
      program.signal('SIGTERM');
      expect(await program.exit(10_000)).toMatchObject({ code: 0, signal: null, stderr: '' });
    } finally {
      await place.remove();
      await dead.close();
    }
  });
});

describe('without a collector', () => {
  it('OpenTelemetry is not loaded, except what the metrics require', async () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = new Set();
      registerHooks({ load(url, context, next) {
        const name = /@opentelemetry\\/([\\w-]+)/.exec(url)?.[1];
        if (name !== undefined) loaded.add(name);
        return next(url, context);
      } });
      await import('#app/gateway.ts');
      const { openTracing } = await import('#platform/telemetry/open-tracing.ts');
      const { Registry } = await import('prom-client');
      const made = await openTracing(undefined, {}, new Registry());
      const before = [...loaded];
      const settings = { endpoint: 'http://127.0.0.1:1', serviceName: '', sampler: 'always_off', ratio: 0,
        exportEveryMs: 1000, exportDeadlineMs: 1000 };
      await openTracing(settings, {}, new Registry());
      console.log(JSON.stringify({ made: made ?? null, before, after: loaded.size }));`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: fileURLToPath(new URL('../../../', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
    const found: unknown = JSON.parse(said);
    expect(found).toMatchObject({ made: null, before: ['api'] });
    // Shows that the test would detect more.
    expect(found).toMatchObject({ after: expect.toSatisfy((count: number) => count > 3) });
  });
});

it('a sampler with ratio 0 exports nothing', async () => {
  const quiet = await startCollector();
  const own = { ...settings(quiet.endpoint), sampler: 'traceidratio', ratio: 0 } as const;
  const tracing = await openTracing(own, pino({ level: 'silent' }), new Registry());
  await tracing?.span('work', {}, async () => sleep(1));
  await tracing?.close();
  expect(quiet.asked).toBe(0);
  await quiet.close();
});
