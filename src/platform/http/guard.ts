import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { forbidden, HttpError, unauthorized } from './errors.ts';
import { rateLimitAddress, stricterLimit, type RateLimiter, type RateLimitState } from './rate-limiter.ts';
import type { Caller } from './audit-actor.ts';
import { isUuidV4 } from '#platform/kit/ids.ts';
import {
  hasPermission,
  type OperatorRole,
  type Permission,
  type SellerRole,
} from '#platform/kit/permissions.ts';

/** What the guard must know of the seller behind a credential. */
export interface SellerAccess {
  readonly id: string;
  readonly active: boolean;
  readonly requestsPerMinute: number;
  readonly creationsPerMinute: number;
}

export type Principal =
  | {
      readonly kind: 'seller';
      readonly role: SellerRole;
      readonly seller: SellerAccess;
      /** Null for an API key. */
      readonly userId: string | null;
      /** Of the user's access token; null for an API key. */
      readonly sessionId: string | null;
      /** Null for a user. */
      readonly keyId: string | null;
      /** Of the user or key. */
      readonly name: string;
    }
  | {
      readonly kind: 'operator';
      readonly role: OperatorRole;
      readonly userId: string;
      readonly sessionId: string;
      readonly name: string;
    };

/** Finds who a credential belongs to; undefined for one that is unknown, expired or revoked. */
export interface Authenticator {
  byApiKey(key: string): Promise<Principal | undefined>;
  byAccessToken(token: string): Promise<Principal | undefined>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission a caller needs, or `public`. A route without one is refused at start. */
    access?: Permission | 'public';
    /** Not counted against any rate: probes must always get an answer. */
    unlimited?: boolean;
    /** Creates a record: needs an Idempotency-Key. */
    idempotent?: boolean;
    /** Counts against the seller's creations a minute. */
    creation?: boolean;
    /** Works for a seller that is not ACTIVE too. */
    anySellerStatus?: boolean;
    /** For people who have signed in: no API key may, whatever its role. */
    peopleOnly?: boolean;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

const ANONYMOUS_REQUESTS_PER_MINUTE = 120;

/** A registered route and the permission it asks for: what tests walk through, so that no route is forgotten. */
export interface GuardedRoute {
  readonly method: string;
  readonly url: string;
  readonly access: Permission | 'public';
}

/**
 * Stands before every route: who is it, are they within their rate, may they, is their account open, did they name
 * their request. All of it before the body is read. The answered list grows with the routes that are registered.
 */
export function registerGuard(
  app: FastifyInstance,
  authenticator: Authenticator,
  rateLimiter: RateLimiter,
): readonly GuardedRoute[] {
  const routes: GuardedRoute[] = [];
  app.decorateRequest('principal', null);
  app.addHook('onRoute', ({ method, url, config }) => {
    const access = config?.access;
    if (access === undefined) throw new Error(`route ${url} names no access`);
    for (const one of [method].flat()) routes.push({ method: one, url, access });
  });

  app.addHook('onRequest', async (request, reply) => {
    const { access, unlimited, idempotent, creation, anySellerStatus, peopleOnly } =
      request.routeOptions.config;
    if (access === undefined || access === 'public') {
      if (unlimited !== true) await limitAnonymousClient(request, reply);
      return;
    }
    const principal = await authenticate(request);
    if (principal === undefined) {
      await limitAnonymousClient(request, reply);
      throw unauthorized();
    }
    request.principal = principal;
    if (principal.kind === 'seller') await limitSeller(principal.seller, creation === true, reply);
    if (!hasPermission(principal.role, access)) throw forbidden();
    if (principal.kind === 'seller' && !principal.seller.active && anySellerStatus !== true) {
      throw new HttpError(403, 'Seller is not active');
    }
    if (peopleOnly === true && principal.userId === null) throw forbidden();
    if (idempotent === true) idempotencyKey(request);
  });
  return routes;

  async function authenticate(request: FastifyRequest): Promise<Principal | undefined> {
    const key = request.headers['x-api-key'];
    if (key !== undefined) return typeof key === 'string' ? authenticator.byApiKey(key) : undefined;
    const token = /^Bearer ([\w.-]{1,2000})$/i.exec(request.headers.authorization ?? '')?.[1];
    return token === undefined ? undefined : authenticator.byAccessToken(token);
  }

  async function limitAnonymousClient(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const key = `address:${rateLimitAddress(request.ip)}`;
    setRateLimitHeaders(reply, await rateLimiter.consume(key, ANONYMOUS_REQUESTS_PER_MINUTE));
  }

  async function limitSeller(seller: SellerAccess, creation: boolean, reply: FastifyReply): Promise<void> {
    const requests = await rateLimiter.consume(`seller:${seller.id}`, seller.requestsPerMinute);
    if (!creation) {
      setRateLimitHeaders(reply, requests);
      return;
    }
    const [key, limit] = [`creations:${seller.id}`, seller.creationsPerMinute] as const;
    // A refused request is no creation, but how long to wait depends on both allowances.
    const creations = requests.exceeded
      ? await rateLimiter.peek(key, limit)
      : await rateLimiter.consume(key, limit);
    const exceeded = requests.exceeded || creations.exceeded;
    setRateLimitHeaders(reply, { ...stricterLimit(requests, creations), exceeded });
  }
}

function setRateLimitHeaders(reply: FastifyReply, rate: RateLimitState): void {
  if (rate.exceeded) throw rateLimitExceeded(rate);
  reply.headers(rateLimitHeaders(rate));
}

/** The refusal of a request whose allowance is used up. */
export function rateLimitExceeded(rate: RateLimitState): HttpError {
  const headers = { ...rateLimitHeaders(rate), 'retry-after': String(rate.resetSeconds) };
  return new HttpError(429, 'Rate limit exceeded', headers);
}

const rateLimitHeaders = (rate: RateLimitState) => ({
  'ratelimit-limit': String(rate.limit),
  'ratelimit-remaining': String(rate.remaining),
  'ratelimit-reset': String(rate.resetSeconds),
});

/** The request's Idempotency-Key, in lower case. The guard has refused the request where it is missing or malformed. */
export function idempotencyKey(request: FastifyRequest): string {
  const key = request.headers['idempotency-key'];
  if (key === undefined || key === '') throw new HttpError(400, 'Idempotency-Key header is required');
  if (typeof key !== 'string' || !isUuidV4(key)) throw new HttpError(400, 'Idempotency-Key must be a UUID');
  return key.toLowerCase();
}

/** The seller that the guard let in. */
export function callingSeller(request: FastifyRequest): SellerAccess {
  if (request.principal?.kind !== 'seller') throw new Error('a seller route was reached without a seller');
  return request.principal.seller;
}

/** The role of the seller's user or key that the guard let in. */
export function callingRole(request: FastifyRequest): SellerRole {
  if (request.principal?.kind !== 'seller') throw new Error('a seller route was reached without a seller');
  return request.principal.role;
}

/** The user that the guard let in with an access token. An API key is no user. */
export function callingUserId(request: FastifyRequest): string {
  const userId = request.principal?.userId;
  if (userId === null || userId === undefined) throw forbidden();
  return userId;
}

/** The session of the user that the guard let in with an access token. An API key has none. */
export function callingSession(request: FastifyRequest): {
  readonly userId: string;
  readonly sessionId: string;
} {
  const userId = callingUserId(request);
  const sessionId = request.principal?.sessionId;
  if (sessionId === null || sessionId === undefined) throw forbidden();
  return { userId, sessionId };
}

/** Who answers for what this request changes: the user or key that the guard let in. */
export function auditActorOf(request: FastifyRequest): Caller {
  const { principal, id: requestId } = request;
  if (principal === null) throw new Error('a change was asked for by nobody');
  const { name } = principal;
  if (principal.kind === 'operator') return { kind: 'OPERATOR_USER', id: principal.userId, name, requestId };
  if (principal.userId !== null) return { kind: 'SELLER_USER', id: principal.userId, name, requestId };
  if (principal.keyId === null) throw new Error('a seller has neither a user nor a key');
  return { kind: 'API_KEY', id: principal.keyId, name, requestId };
}
