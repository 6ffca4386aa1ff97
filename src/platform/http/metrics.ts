import { timingSafeEqual } from 'node:crypto';

import { Histogram, type Registry } from 'prom-client';

import { hashCredential } from '#platform/kit/ids.ts';
import { HttpError, unauthorized } from './errors.ts';
import type { App } from './server.ts';

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/**
 * Prometheus text at /metrics: for whoever has the token, or, where none is set, for callers on the same machine.
 * A stranger is told that the address does not exist. The registry is what the
 * whole process measures; requests are added to it here. `textOf` tells it, or that of several processes together.
 */
export function metricsRoute(
  app: App,
  token: string | undefined,
  registry: Registry,
  renderMetrics: (own: Registry) => Promise<string> = (own) => own.metrics(),
): void {
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long answers took, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const tokenHash = token === undefined ? undefined : hashCredential(token);

  // Looking a series up by its labels costs more than adding to it, so each is looked up once.
  const series = new Map<string, { observe(seconds: number): void }>();
  app.addHook('onResponse', (request, reply, done) => {
    // Unknown addresses share one label: the caller must not be able to make series.
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const status = reply.statusCode;
    const name = `${method} ${status} ${route}`;
    let observer = series.get(name);
    if (observer === undefined) {
      observer = requests.labels({ method, route, status });
      series.set(name, observer);
    }
    observer.observe(reply.elapsedTime / 1000);
    done();
  });

  app.get(
    '/metrics',
    { config: { access: 'public', unlimited: true }, schema: { hide: true } },
    async (request, reply) => {
      if (tokenHash === undefined) {
        // What a proxy on this machine passes on is not from this machine.
        const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded;
        if (!LOOPBACK.has(request.ip) || forwarded !== undefined) throw new HttpError(404, 'Route not found');
      } else {
        const sent = /^Bearer (.{1,500})$/.exec(request.headers.authorization ?? '')?.[1];
        if (sent === undefined || !timingSafeEqual(hashCredential(sent), tokenHash)) throw unauthorized();
      }
      return reply.type(registry.contentType).send(await renderMetrics(registry));
    },
  );
}
