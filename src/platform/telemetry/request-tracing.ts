import type { App } from '#platform/http/server.ts';
import type { TracedRequest, Tracing } from './tracing.ts';

/** A span for each request, in which all of its work stands. */
export function traceRequests(app: App, tracing: Tracing): void {
  const traced = new WeakMap<object, TracedRequest>();
  app.addHook('onRequest', (request, _reply, done) => {
    const tracedRequest = tracing.request(request.method, request.id, request.headers);
    traced.set(request, tracedRequest);
    tracedRequest.run(done);
  });
  // Reading a body goes on where the socket was opened, so the request's own place is taken up again.
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
