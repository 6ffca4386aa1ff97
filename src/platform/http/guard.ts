import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { ErrorCode } from './error-codes.ts';
import { forbidden, HttpError } from './errors.ts';
import type { Authenticator, Credential, Principal, SellerAccess } from './principal.ts';
import { RequestLimits } from './request-limits.ts';
import type { RateLimiter, RateLimitState } from './rate-limiter.ts';
import type { Caller } from './audit-actor.ts';
import { isApiKey, isUuidV4 } from '#platform/kit/ids.ts';
import { hasPermission, type Permission, type SellerRole } from '#platform/kit/permissions.ts';

/** Records with personal data that the operator reads. */
type PersonalDataType = 'transaction' | 'withdrawal' | 'dispute' | 'seller';

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
    /**
     * The type of the records with personal data that it reads, which is recorded in the audit log.
     */
    personalData?: PersonalDataType;
    /** Refuses API keys, whatever their role. */
    peopleOnly?: boolean;
    /** In a browser session, the user must have been verified within the last minutes. */
    stepUp?: boolean;
    /** Allowed to users who must set up a second factor first. */
    withoutSecondFactor?: boolean;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/**
 * A registered route and the permission that it requires. Tests iterate over these to cover every
 * route.
 */
export interface GuardedRoute {
  readonly method: string;
  readonly url: string;
  readonly access: Permission | 'public';
}

export interface GuardOptions {
  readonly rateLimiter: RateLimiter;
  readonly operatorRequestsPerMinute: number;
  /** Called before an authenticated request is refused for lack of permission. */
  readonly onForbidden?: OnForbidden;
}

/** Why an authenticated request is refused. */
export type AccessRefusal = 'permission_denied' | 'second_factor_required' | 'seller_not_active';
export type OnForbidden = (request: FastifyRequest, code: AccessRefusal) => Promise<void>;

/**
 * Checks every request before its body is read: rate limit, credential, permission, seller status
 * and the Idempotency-Key, in this order. Returns the list of routes, which grows as routes are
 * registered.
 */
export function registerGuard(
  app: FastifyInstance,
  authenticator: Authenticator,
  { rateLimiter, operatorRequestsPerMinute, onForbidden }: GuardOptions,
): readonly GuardedRoute[] {
  const limits = new RequestLimits(rateLimiter, operatorRequestsPerMinute);
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
      if (config.unlimited !== true) enforceRateLimit(reply, await limits.countAnonymous(request.ip));
      if (config.idempotent === true) idempotencyKey(request);
      return;
    }
    const credential = await readCredential(authenticator, request);
    const { principal, rate } = await limits.authenticate(credential, request.ip, config.creation === true);
    enforceRateLimit(reply, rate);
    if (principal === undefined) throw new HttpError(invalidCredentialCode(request));
    request.principal = principal;
    const refusal = findRefusal(principal, config.access, config);
    if (refusal !== undefined) {
      await onForbidden?.(request, refusal);
      throw new HttpError(refusal);
    }
    if (config.stepUp === true && !(await isRecentlyVerified(request)))
      throw new HttpError('step_up_required');
    if (config.idempotent === true) idempotencyKey(request);
  });
  return routes;
}

/**
 * Whether the user was verified within the last minutes. True outside browser sessions. For
 * operations that need a verified user depending on their body; others set `config.stepUp`.
 */
export const isRecentlyVerified = async ({ principal }: FastifyRequest): Promise<boolean> =>
  principal === null || principal.isVerified();

/** An API key takes precedence over an access token. */
async function readCredential(
  authenticator: Authenticator,
  { headers }: FastifyRequest,
): Promise<Credential | undefined> {
  const key = headers['x-api-key'];
  if (key !== undefined) return typeof key === 'string' ? authenticator.readApiKey(key) : undefined;
  const token = /^Bearer ([\w.-]{1,2000})$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : authenticator.readAccessToken(token);
}

/** Why the request was not authenticated. */
function invalidCredentialCode({ headers }: FastifyRequest): ErrorCode {
  const key = headers['x-api-key'];
  if (key !== undefined)
    return typeof key === 'string' && isApiKey(key) ? 'revoked_api_key' : 'malformed_api_key';
  return headers.authorization === undefined ? 'missing_credentials' : 'invalid_access_token';
}

/** Why the caller may not make the request; undefined if it may. */
function findRefusal(
  principal: Principal,
  permission: Permission,
  { anySellerStatus, peopleOnly, withoutSecondFactor }: FastifyContextConfig,
): AccessRefusal | undefined {
  if (!hasPermission(principal.role, permission)) return 'permission_denied';
  if (principal.kind === 'operator' && principal.needsSecondFactor && withoutSecondFactor !== true)
    return 'second_factor_required';
  if (principal.kind === 'seller' && !principal.seller.active && anySellerStatus !== true) {
    return 'seller_not_active';
  }
  return peopleOnly === true && principal.userId === null ? 'permission_denied' : undefined;
}

function enforceRateLimit(reply: FastifyReply, rate: RateLimitState): void {
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
  const { name, role } = principal;
  const user = { name, role, keyPrefix: null, requestId };
  if (principal.kind === 'operator') return { kind: 'OPERATOR_USER', id: principal.userId, ...user };
  if (principal.userId !== null) return { kind: 'SELLER_USER', id: principal.userId, ...user };
  if (principal.key === null) throw new Error('the principal has neither a user nor an API key');
  const { id, prefix: keyPrefix } = principal.key;
  return { kind: 'API_KEY', id, name, role, keyPrefix, requestId };
}
