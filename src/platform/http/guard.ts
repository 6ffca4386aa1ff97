import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { ErrorCode } from './error-codes.ts';
import { forbidden, HttpError } from './errors.ts';
import { rateLimitAddress, stricterLimit, type RateLimiter, type RateLimitState } from './rate-limiter.ts';
import type { Caller } from './audit-actor.ts';
import { isApiKey, isUuidV4 } from '#platform/kit/ids.ts';
import {
  hasPermission,
  type OperatorRole,
  type Permission,
  type SellerRole,
} from '#platform/kit/permissions.ts';

/** The part of a seller that the guard needs. */
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
      /** The session of the access token. Null for an API key. */
      readonly sessionId: string | null;
      /** Null for a user. */
      readonly keyId: string | null;
      /** The name of the user or API key. */
      readonly name: string;
    }
  | {
      readonly kind: 'operator';
      readonly role: OperatorRole;
      readonly userId: string;
      readonly sessionId: string;
      readonly name: string;
    };

/** Resolves credentials. Unknown, expired and revoked ones resolve to undefined. */
export interface Authenticator {
  byApiKey(key: string): Promise<Principal | undefined>;
  byAccessToken(token: string): Promise<Principal | undefined>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The required permission, or `public`. Registration of a route without it fails. */
    access?: Permission | 'public';
    /** Exempt from rate limits. */
    unlimited?: boolean;
    /** Requires an Idempotency-Key. */
    idempotent?: boolean;
    /** Counts against the seller's creations per minute too. */
    creation?: boolean;
    /** Allowed to sellers in any status, not only ACTIVE. */
    anySellerStatus?: boolean;
    /** Refuses API keys, whatever their role. */
    peopleOnly?: boolean;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

const ANONYMOUS_REQUESTS_PER_MINUTE = 120;

/**
 * A registered route and the permission that it requires. Tests iterate over these to cover every
 * route.
 */
export interface GuardedRoute {
  readonly method: string;
  readonly url: string;
  readonly access: Permission | 'public';
}

/**
 * Checks every request before its body is read: credential, rate limit, permission, seller status
 * and the Idempotency-Key, in this order. Returns the list of routes, which grows as routes are
 * registered.
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
    if (access === undefined) throw new Error(`route ${url} does not set config.access`);
    for (const one of [method].flat()) routes.push({ method: one, url, access });
  });
  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions;
    if (config.access === undefined || config.access === 'public') {
      if (config.unlimited !== true) await limitAnonymousClient(rateLimiter, request, reply);
      return;
    }
    const principal = await authenticate(authenticator, request);
    if (principal === undefined) {
      await limitAnonymousClient(rateLimiter, request, reply);
      throw new HttpError(invalidCredentialCode(request));
    }
    request.principal = principal;
    if (principal.kind === 'seller') {
      setRateLimitHeaders(reply, await limitSeller(rateLimiter, principal.seller, config.creation === true));
    }
    authorize(principal, config.access, config);
    if (config.idempotent === true) idempotencyKey(request);
  });
  return routes;
}

/** An API key takes precedence over an access token. */
async function authenticate(
  authenticator: Authenticator,
  { headers }: FastifyRequest,
): Promise<Principal | undefined> {
  const key = headers['x-api-key'];
  if (key !== undefined) return typeof key === 'string' ? authenticator.byApiKey(key) : undefined;
  const token = /^Bearer ([\w.-]{1,2000})$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : authenticator.byAccessToken(token);
}

/** Why the request was not authenticated. */
function invalidCredentialCode({ headers }: FastifyRequest): ErrorCode {
  const key = headers['x-api-key'];
  if (key !== undefined)
    return typeof key === 'string' && isApiKey(key) ? 'revoked_api_key' : 'malformed_api_key';
  return headers.authorization === undefined ? 'missing_credentials' : 'invalid_access_token';
}

function authorize(
  principal: Principal,
  permission: Permission,
  { anySellerStatus, peopleOnly }: FastifyContextConfig,
): void {
  if (!hasPermission(principal.role, permission)) throw forbidden();
  if (principal.kind === 'seller' && !principal.seller.active && anySellerStatus !== true) {
    throw new HttpError('seller_not_active');
  }
  if (peopleOnly === true && principal.userId === null) throw forbidden();
}

async function limitAnonymousClient(
  rateLimiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const key = `address:${rateLimitAddress(request.ip)}`;
  setRateLimitHeaders(reply, await rateLimiter.consume(key, ANONYMOUS_REQUESTS_PER_MINUTE));
}

async function limitSeller(
  rateLimiter: RateLimiter,
  seller: SellerAccess,
  creation: boolean,
): Promise<RateLimitState> {
  const requests = await rateLimiter.consume(`seller:${seller.id}`, seller.requestsPerMinute);
  if (!creation) return requests;
  const [key, limit] = [`creations:${seller.id}`, seller.creationsPerMinute] as const;
  // A rejected request creates nothing, but when to retry depends on both limits.
  const creations = requests.exceeded
    ? await rateLimiter.peek(key, limit)
    : await rateLimiter.consume(key, limit);
  const exceeded = requests.exceeded || creations.exceeded;
  return { ...stricterLimit(requests, creations), exceeded };
}

function setRateLimitHeaders(reply: FastifyReply, rate: RateLimitState): void {
  if (rate.exceeded) throw rateLimitExceeded(rate);
  reply.headers(rateLimitHeaders(rate));
}

/** The error of a request above its rate limit. */
export function rateLimitExceeded(rate: RateLimitState): HttpError {
  const headers = { ...rateLimitHeaders(rate), 'retry-after': String(rate.resetSeconds) };
  return new HttpError('rate_limited', { headers });
}

const rateLimitHeaders = (rate: RateLimitState) => ({
  'ratelimit-limit': String(rate.limit),
  'ratelimit-remaining': String(rate.remaining),
  'ratelimit-reset': String(rate.resetSeconds),
});

/**
 * The request's Idempotency-Key in lower case.
 *
 * @throws HttpError 400 if it is missing or malformed. The guard checks that before the route runs.
 */
export function idempotencyKey(request: FastifyRequest): string {
  const key = request.headers['idempotency-key'];
  if (key === undefined || key === '') throw new HttpError('idempotency_key_required');
  if (typeof key !== 'string' || !isUuidV4(key)) throw new HttpError('idempotency_key_invalid');
  return key.toLowerCase();
}

/** The authenticated seller. */
export function callingSeller(request: FastifyRequest): SellerAccess {
  return sellerPrincipal(request).seller;
}

/** The role of the authenticated user or API key of a seller. */
export function callingRole(request: FastifyRequest): SellerRole {
  return sellerPrincipal(request).role;
}

function sellerPrincipal({ principal }: FastifyRequest): Extract<Principal, { readonly kind: 'seller' }> {
  if (principal?.kind !== 'seller') throw new Error('the route is not restricted to sellers');
  return principal;
}

/**
 * The authenticated user.
 *
 * @throws HttpError 403 for an API key.
 */
export function callingUserId(request: FastifyRequest): string {
  const userId = request.principal?.userId;
  if (userId === null || userId === undefined) throw forbidden();
  return userId;
}

/**
 * The authenticated user's session.
 *
 * @throws HttpError 403 for an API key.
 */
export function callingSession(request: FastifyRequest): {
  readonly userId: string;
  readonly sessionId: string;
} {
  const userId = callingUserId(request);
  const sessionId = request.principal?.sessionId;
  if (sessionId === null || sessionId === undefined) throw forbidden();
  return { userId, sessionId };
}

/** The authenticated user or API key, as the author of the request's changes. */
export function auditActorOf(request: FastifyRequest): Caller {
  const { principal, id: requestId } = request;
  if (principal === null) throw new Error('the route does not require authentication');
  const { name } = principal;
  if (principal.kind === 'operator') return { kind: 'OPERATOR_USER', id: principal.userId, name, requestId };
  if (principal.userId !== null) return { kind: 'SELLER_USER', id: principal.userId, name, requestId };
  if (principal.keyId === null) throw new Error('the principal has neither a user nor an API key');
  return { kind: 'API_KEY', id: principal.keyId, name, requestId };
}
