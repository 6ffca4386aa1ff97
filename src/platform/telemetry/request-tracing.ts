import type { App } from '#platform/http/server.ts';
import type { TracedRequest, Tracing } from './tracing.ts';

/** Requests of monitoring, a few each second, which say nothing about what callers experience. */
const UNTRACED = new Set(['/v1/health', '/v1/health/live', '/metrics']);

/** Creates a span for each request, which is active during all of its work. */
export function traceRequests(app: App, tracing: Tracing): void {
  const traced = new WeakMap<object, TracedRequest>();
  app.addHook('onRequest', (request, _reply, done) => {
    if (UNTRACED.has(request.routeOptions.url ?? '')) {
      done();
      return;
    }
    const tracedRequest = tracing.request(request.method, request.id, request.headers);
    traced.set(request, tracedRequest);
    tracedRequest.run(done);
  });
  // Reading the body continues in the context of the socket, so the context of the request is
  // restored.
  app.addHook('preValidation', (request, _reply, done) => {
    const tracedRequest = traced.get(request);
    if (tracedRequest === undefined) done();
    else tracedRequest.run(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    traced.get(request)?.end(request.routeOptions.url ?? 'unknown', reply.statusCode);
    done();
  });
}
