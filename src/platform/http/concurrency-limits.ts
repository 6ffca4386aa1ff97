import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify';

import { releaseCapacity } from './admission-control.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { serviceUnavailable } from './errors.ts';
import { tooManyReads } from './export-limiter.ts';
import { ownerOf } from './principal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Reads many rows: two at a time for each owner, and a bounded number in all. `metadata`: only
     * when it filters by metadata and is no export, which has limits of its own.
     */
    heavyRead?: true | 'metadata';
  }
}

/**
 * The changes of one seller that run at a time. Each may wait for rows that the seller has locked,
 * on a connection of the pool, which others need.
 */
const CHANGES = {
  maxRunning: Infinity,
  maxRunningPerOwner: 3,
  maxQueued: 1_000,
  maxQueuedPerOwner: 200,
  maxWaitMs: 3_000,
  refusal: serviceUnavailable,
} as const;

/** Heavy reads have dedicated connections, one for each that may run at a time. */
const HEAVY_READS = {
  maxRunning: 4,
  maxRunningPerOwner: 2,
  maxQueued: 60,
  maxQueuedPerOwner: 6,
  maxWaitMs: 10_000,
  refusal: tooManyReads,
} as const;

/**
 * Limits heavy reads, and the changes of each seller except for creations and simulated provider
 * events, which have connections of their own.
 */
export function limitConcurrency(app: FastifyInstance): void {
  const heavyReads = new ConcurrencyLimiter(HEAVY_READS);
  const changes = new ConcurrencyLimiter(CHANGES);
  app.addHook('onRoute', (route) => {
    const { config } = route;
    const isChange = ![route.method].flat().some((method) => method === 'GET' || method === 'HEAD');
    if (config?.heavyRead !== undefined)
      route.handler = limited(
        route.handler,
        heavyReads,
        config.heavyRead === true ? () => true : filtersByMetadata,
      );
    else if (isChange && config?.creation !== true && config?.access !== 'sandbox:simulate')
      route.handler = limited(route.handler, changes, ({ principal }) => principal?.kind === 'seller');
  });
}

function filtersByMetadata({ query }: FastifyRequest): boolean {
  if (typeof query !== 'object' || query === null || !('metadataKey' in query)) return false;
  return !('export' in query && query.export === true);
}

/** The handler, which runs when its caller may start. */
function limited(
  handler: RouteHandlerMethod,
  limiter: ConcurrencyLimiter,
  isLimited: (request: FastifyRequest) => boolean,
): RouteHandlerMethod {
  return function runLimited(request, reply) {
    if (!isLimited(request)) return handler.call(this, request, reply);
    const owner = ownerOf(request.principal);
    if (!limiter.hasCapacity(owner)) releaseCapacity(request.raw);
    return limiter.run(owner, async () => handler.call(this, request, reply));
  };
}
