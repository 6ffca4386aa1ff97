import { timingSafeEqual } from 'node:crypto';

import type { FastifyRequest } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

import { hashCredential } from '#platform/kit/ids.ts';
import { isLoopback } from '#platform/kit/loopback.ts';
import { HttpError, routeNotFound } from './errors.ts';
import type { App } from './server.ts';

/**
 * Serves Prometheus metrics at /metrics and adds the duration of requests to them. Clients need the
 * token; without one configured, only clients on this machine are served, and others get a 404.
 */
export function metricsRoute(app: App, token: string | undefined, registry: Registry): void {
  observeRequestDurations(app, registry);
  const tokenHash = token === undefined ? undefined : hashCredential(token);
  const options = { config: { access: 'public', unlimited: true }, schema: { hide: true } } as const;
  app.get('/metrics', options, async (request, reply) => {
    if (tokenHash === undefined) requireLocalClient(request);
    else requireToken(request, tokenHash);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function observeRequestDurations(app: App, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  // Looking up a series by its labels is more expensive than an observation, so series are cached.
  const observers = new Map<string, { observe(seconds: number): void }>();
  app.addHook('onResponse', (request, reply, done) => {
    // Unknown paths share one label: clients must not be able to create series.
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const status = reply.statusCode;
    const key = `${method} ${status} ${route}`;
    let observer = observers.get(key);
    if (observer === undefined) {
      observer = durations.labels({ method, route, status });
      observers.set(key, observer);
    }
    observer.observe(reply.elapsedTime / 1000);
    done();
  });
}

function requireLocalClient({ ip, headers }: FastifyRequest): void {
  // A proxy on this machine forwards requests of remote clients.
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded;
  if (!isLoopback(ip) || forwarded !== undefined) throw routeNotFound();
}

function requireToken({ headers }: FastifyRequest, tokenHash: Buffer): void {
  const token = /^Bearer (.{1,500})$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined || !timingSafeEqual(hashCredential(token), tokenHash))
    throw new HttpError('invalid_metrics_token');
}
