import '@fastify/cookie';

import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { forbidden, HttpError } from '#platform/http/errors.ts';
import { REFRESH_TOKEN_TTL_SECONDS } from './session-lifetime.ts';
import { DEVICE_TOKEN_TTL_SECONDS, PASSKEY_CHALLENGE_TTL_SECONDS } from './signed-tokens.ts';

/**
 * The `x-requested-by` header of the dashboard. A page of another origin cannot send it without a
 * CORS preflight.
 */
const REQUESTED_BY_DASHBOARD = 'dashboard';

/** Longer values are not tokens of the gateway. */
const MAX_COOKIE_LENGTH = 1_000;

/** A cookie of the browser session. */
interface SessionCookie {
  get(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

export interface SessionCookies {
  readonly refreshToken: SessionCookie;
  readonly deviceToken: SessionCookie;
  readonly passkeyNonce: SessionCookie;
}

/**
 * The cookies of a browser session: the refresh token, the known device, and the nonce of a sign-in
 * with a passkey. They are HttpOnly and SameSite=Strict.
 *
 * With TLS at a host of its own, their names begin with `__Host-`, so that another subdomain cannot
 * set them (session fixation). Such cookies apply to all paths of the host. If the gateway shares
 * its host (PUBLIC_URL with a path), they apply to the paths that need them.
 */
export function createSessionCookies(publicUrl: string): SessionCookies {
  const { protocol, pathname } = new URL(publicUrl);
  const secure = protocol === 'https:';
  const base = pathname.replace(/\/$/, '');
  const isHostOnly = secure && base === '';
  // Browsers reject both prefixes without TLS.
  const prefix = isHostOnly ? '__Host-' : secure ? '__Secure-' : '';
  const cookie = (name: string, path: string, maxAge: number): SessionCookie =>
    createCookie(prefix + name, maxAge, {
      httpOnly: true,
      sameSite: 'strict',
      secure,
      path: isHostOnly ? '/' : base + path,
    });
  return {
    refreshToken: cookie('refresh', '/v1/auth', REFRESH_TOKEN_TTL_SECONDS),
    deviceToken: cookie('device', '/v1/login', DEVICE_TOKEN_TTL_SECONDS),
    passkeyNonce: cookie('passkey', '/v1/login', PASSKEY_CHALLENGE_TTL_SECONDS),
  };
}

function createCookie(name: string, maxAge: number, options: CookieSerializeOptions): SessionCookie {
  return {
    get(request) {
      const value = request.cookies[name];
      return value === undefined || value.length > MAX_COOKIE_LENGTH ? undefined : value;
    },
    set: (reply, value) => void reply.setCookie(name, value, { ...options, maxAge }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}

/**
 * Rejects a request that another origin's page made the browser send. It could sign the browser in
 * as another user.
 */
export function rejectCrossOrigin({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw forbidden();
}

/**
 * Protects requests that authenticate by cookie against CSRF. SameSite excludes other sites; the
 * header and the JSON body exclude other ports and subdomains, and browsers without SameSite: a
 * form cannot send them, and a script of another origin needs a CORS preflight, which the gateway
 * never grants.
 */
export function requireCsrfHeaders(request: FastifyRequest): void {
  const { headers } = request;
  if (headers['x-requested-by'] !== REQUESTED_BY_DASHBOARD) throw forbidden();
  rejectCrossOrigin(request);
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw new HttpError('unsupported_media_type');
}
