import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { forbidden, HttpError, unauthorized } from './errors.ts';
import { countedAddress, decisive, type RateCounter, type RateState } from './rates.ts';
import type { Caller } from './author.ts';
import { isUuidV4 } from '#platform/kit/ids.ts';
import { mayDo, type OperatorRole, type Permission, type SellerRole } from './permissions.ts';

/** What the guard must know of the seller behind a credential. */
export interface Account {
  readonly id: string;
  readonly active: boolean;
  readonly requestsPerMinute: number;
  readonly creationsPerMinute: number;
}

export type Principal =
  | {
      readonly kind: 'seller';
      readonly role: SellerRole;
      readonly account: Account;
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

const REQUESTS_PER_MINUTE_OF_A_STRANGER = 120;

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
export function guard(
  app: FastifyInstance,
  authenticator: Authenticator,
  rates: RateCounter,
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
      if (unlimited !== true) await countStranger(request, reply);
      return;
    }
    const principal = await identify(request);
    if (principal === undefined) {
      await countStranger(request, reply);
      throw unauthorized();
    }
    request.principal = principal;
    if (principal.kind === 'seller') await countSeller(principal.account, creation === true, reply);
    if (!mayDo(principal.role, access)) throw forbidden();
    if (principal.kind === 'seller' && !principal.account.active && anySellerStatus !== true) {
      throw new HttpError(403, 'Seller is not active');
    }
    if (peopleOnly === true && principal.userId === null) throw forbidden();
    if (idempotent === true) idempotencyKey(request);
  });
  return routes;

  async function identify(request: FastifyRequest): Promise<Principal | undefined> {
    const key = request.headers['x-api-key'];
    if (key !== undefined) return typeof key === 'string' ? authenticator.byApiKey(key) : undefined;
    const token = /^Bearer ([\w.-]{1,2000})$/i.exec(request.headers.authorization ?? '')?.[1];
    return token === undefined ? undefined : authenticator.byAccessToken(token);
  }

  async function countStranger(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const key = `address:${countedAddress(request.ip)}`;
    tell(reply, await rates.count(key, REQUESTS_PER_MINUTE_OF_A_STRANGER));
  }

  async function countSeller(account: Account, creation: boolean, reply: FastifyReply): Promise<void> {
    const requests = await rates.count(`seller:${account.id}`, account.requestsPerMinute);
    if (!creation) {
      tell(reply, requests);
      return;
    }
    const [key, limit] = [`creations:${account.id}`, account.creationsPerMinute] as const;
    // A refused request is no creation, but how long to wait depends on both allowances.
    const creations = requests.refused ? await rates.look(key, limit) : await rates.count(key, limit);
    const refused = requests.refused || creations.refused;
    tell(reply, { ...decisive(requests, creations), refused });
  }
}

function tell(reply: FastifyReply, rate: RateState): void {
  if (rate.refused) throw rateExceeded(rate);
  reply.headers(rateHeaders(rate));
}

/** The refusal of a request whose allowance is used up. */
export function rateExceeded(rate: RateState): HttpError {
  const headers = { ...rateHeaders(rate), 'retry-after': String(rate.resetSeconds) };
  return new HttpError(429, 'Rate limit exceeded', headers);
}

const rateHeaders = (rate: RateState) => ({
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
export function callingSeller(request: FastifyRequest): Account {
  if (request.principal?.kind !== 'seller') throw new Error('a seller route was reached without a seller');
  return request.principal.account;
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
export function authorOf(request: FastifyRequest): Caller {
  const { principal, id: requestId } = request;
  if (principal === null) throw new Error('a change was asked for by nobody');
  const { name } = principal;
  if (principal.kind === 'operator') return { kind: 'OPERATOR_USER', id: principal.userId, name, requestId };
  if (principal.userId !== null) return { kind: 'SELLER_USER', id: principal.userId, name, requestId };
  if (principal.keyId === null) throw new Error('a seller has neither a user nor a key');
  return { kind: 'API_KEY', id: principal.keyId, name, requestId };
}
