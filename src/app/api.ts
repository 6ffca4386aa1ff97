import { Counter, type Registry } from 'prom-client';

import { createForbiddenRecorder, recordReads } from '#audit/access-log.ts';
import { createBoundedAudit } from '#audit/bounded-audit.ts';
import { createAuthenticator } from '#identity/authenticator.ts';
import { registerGuard, type GuardedRoute } from '#platform/http/guard.ts';
import { healthRoute } from '#platform/http/health.ts';
import { metricsRoute } from '#platform/http/metrics.ts';
import { createMemoryRateLimiter, type RateLimiter } from '#platform/http/rate-limiter.ts';
import { createRedisRateLimiter } from '#platform/http/redis-rate-limiter.ts';
import { createServer, type App } from '#platform/http/server.ts';
import { dashboardRoutes } from '#platform/http/static/dashboard.ts';
import { publicAssetRoutes } from '#platform/http/static/public-assets.ts';
import { JobLoop, type Job } from '#platform/jobs/loop.ts';
import { collectOpenApiRoutes, type OpenApiDocuments } from '#platform/openapi/document.ts';
import { traceRequests } from '#platform/telemetry/request-tracing.ts';
import type { Tracing } from '#platform/telemetry/tracing.ts';
import { EVENTS, registerRoutes, type RouteOptions } from './routes.ts';
import type { Runtime } from './runtime.ts';

/**
 * Connections that wait to be accepted. With fewer, some connections of a burst time out in the
 * kernel and retry seconds later. The system may limit it further (`net.core.somaxconn`).
 */
const LISTEN_BACKLOG = 4_096;

const KEY_USAGE_FLUSH_MS = 60_000;

export interface Api {
  readonly routes: readonly GuardedRoute[];
  start(): Promise<void>;
  /** Reports to load balancers that it is about to stop, and continues to serve. */
  drain(): void;
  stop(): Promise<void>;
}

export interface ServerOptions extends Omit<RouteOptions, 'boundedAudit'> {
  readonly registry: Registry;
  readonly tracing: Tracing | undefined;
  /** Called after each request that may have written something. */
  readonly noticeActivity?: () => void;
}

/** The server, with its rate limiter and the job that stores when API keys were last used. */
export async function composeApi(options: Omit<ServerOptions, 'rates'>): Promise<Api> {
  const { config, log, registry } = options;
  const { apiKeys } = options.services;
  const { redisUrl } = config;
  const rates =
    redisUrl === undefined
      ? createMemoryRateLimiter()
      : await createRedisRateLimiter(redisUrl, log, registry);
  const { app, routes } = await closeOnFailure(rates, composeServer({ ...options, rates }));
  const keyUsage = new JobLoop(
    keyUsageJob(() => apiKeys.flushUsage()),
    log,
  );
  return {
    routes,
    async start() {
      const { host, port } = config;
      await closeOnFailure(rates, app.listen({ host, port, backlog: LISTEN_BACKLOG }));
      keyUsage.start();
    },
    drain() {
      app.stopping.begun = true;
    },
    async stop() {
      await app.close();
      await keyUsage.stop();
      await apiKeys
        .flushUsage()
        .catch((err: unknown) => log.warn({ err }, 'could not store when API keys were last used'));
      await rates.close();
    },
  };
}

/** A failed start must leave no connection that keeps the process alive. */
async function closeOnFailure<T>(rates: RateLimiter, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    await rates.close();
    throw error;
  }
}

const keyUsageJob = (flush: () => Promise<void>): Job => ({
  name: 'key uses',
  intervalMs: KEY_USAGE_FLUSH_MS,
  async run() {
    await flush();
    return false;
  },
});

export interface ComposedServer {
  readonly app: App;
  readonly routes: readonly GuardedRoute[];
  readonly generateOpenApi: () => OpenApiDocuments;
}

/** The server, not listening. The OpenAPI documents are generated from it. */
export async function composeServer(options: ServerOptions): Promise<ComposedServer> {
  const { config, log, database, services, rates, registry, tracing } = options;
  const rejectedRequests = new Counter({
    name: 'http_requests_refused_total',
    help: 'Requests rejected by admission control',
    registers: [registry],
  });
  const app = createServer(log, {
    ...config,
    admission: {
      databaseWaitMs: () => database.queryDeadline?.longestWaitMs() ?? 0,
      onRejected: () => rejectedRequests.inc(),
    },
  });
  if (tracing !== undefined) traceRequests(app, tracing);
  const { noticeActivity } = options;
  if (noticeActivity !== undefined) {
    app.addHook('onResponse', ({ method }, _reply, done) => {
      if (method !== 'GET' && method !== 'HEAD') noticeActivity();
      done();
    });
  }
  const generateOpenApi = collectOpenApiRoutes(app, { publicUrl: config.publicUrl, events: EVENTS });
  const boundedAudit = createBoundedAudit({ db: database.db, clock: options.clock, rates, log });
  recordReads(app, boundedAudit);
  const routes = registerGuard(app, createAuthenticator(services), {
    rateLimiter: rates,
    onForbidden: createForbiddenRecorder(boundedAudit),
    operatorRequestsPerMinute: config.operatorRequestsPerMinute,
  });
  metricsRoute(app, config.metricsToken, registry);
  await registerRoutes(app, { ...options, boundedAudit });
  await publicAssetRoutes(app, generateOpenApi);
  await dashboardRoutes(app, config.mode);
  return { app, routes, generateOpenApi };
}

/** Serves only health and metrics, for a process without an API. */
export async function serveMetrics(
  { config, log, database, clockSkew }: Runtime & Pick<RouteOptions, 'clockSkew'>,
  registry: Registry,
  port: number,
): Promise<App> {
  const app = createServer(log, config);
  metricsRoute(app, config.metricsToken, registry);
  await app.register(async (v1: App) => healthRoute(v1, database, clockSkew), { prefix: '/v1' });
  await app.listen({ host: config.host, port });
  return app;
}
