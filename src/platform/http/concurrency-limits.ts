import type { FastifyInstance, RouteHandlerMethod } from 'fastify';

import { releaseCapacity } from './admission-control.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { serviceUnavailable } from './errors.ts';
import { ExportLimiter } from './export-limiter.ts';
import { ownerOf } from './principal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads many rows: two at a time for each owner, and a bounded number in all. */
    heavyRead?: boolean;
  }
}

/**
 * The changes of one seller that run at a time. Each may wait for rows that the seller has locked, on
 * a connection of the pool, which others need.
 */
const CHANGES = {
  maxRunning: Infinity,
  maxRunningPerOwner: 3,
  maxQueued: 1_000,
  maxQueuedPerOwner: 200,
  maxWaitMs: 3_000,
  refusal: serviceUnavailable,
} as const;

/**
 * Limits heavy reads, and the changes of each seller except for creations and simulated provider
 * events, which have connections of their own.
 */
export function limitConcurrency(app: FastifyInstance): void {
  const heavyReads = new ExportLimiter();
  const changes = new ConcurrencyLimiter(CHANGES);
  app.addHook('onRoute', (route) => {
    const { config } = route;
    const isChange = ![route.method].flat().some((method) => method === 'GET' || method === 'HEAD');
    if (config?.heavyRead === true) route.handler = limited(route.handler, heavyReads, 'everybody');
    else if (isChange && config?.creation !== true && config?.access !== 'sandbox:simulate')
      route.handler = limited(route.handler, changes, 'sellers');
  });
}

/** The handler, which runs when its caller may start. */
function limited(
  handler: RouteHandlerMethod,
  limiter: ConcurrencyLimiter,
  callers: 'everybody' | 'sellers',
): RouteHandlerMethod {
  return function runLimited(request, reply) {
    const { principal } = request;
    if (callers === 'sellers' && principal?.kind !== 'seller') return handler.call(this, request, reply);
    const owner = ownerOf(principal);
    if (!limiter.hasCapacity(owner)) releaseCapacity(request.raw);
    return limiter.run(owner, async () => handler.call(this, request, reply));
  };
}
