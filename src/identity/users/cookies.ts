import '@fastify/cookie';

import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { forbidden, HttpError } from '#platform/http/errors.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { REFRESH_TOKEN_TTL_SECONDS } from './session-lifetime.ts';
import { DEVICE_TOKEN_TTL_SECONDS, PASSKEY_CHALLENGE_TTL_SECONDS } from './signed-tokens.ts';

/**
 * The `x-requested-by` header of the dashboard. A page of another origin cannot send it without a
 * CORS preflight.
 */
const REQUESTED_BY_DASHBOARD = 'dashboard';

/** Longer values are not tokens of the gateway. */
const MAX_COOKIE_LENGTH = 1_000;

interface Cookie {
  readonly name: string;
  readonly options: CookieSerializeOptions;
}

interface CookiesDeps {
  readonly refresh: Cookie;
  readonly device: Cookie;
  readonly passkey: Cookie;
}

export type SessionCookies = ReturnType<typeof createSessionCookies>;

/**
 * The cookies of a browser session: the refresh token, the known device, and the nonce of a sign-in
 * with a passkey. They are HttpOnly and SameSite=Strict.
 *
 * With TLS at a host of its own, their names begin with `__Host-`, so that another subdomain cannot
 * set them (session fixation). Such cookies apply to all paths of the host. If the gateway shares
 * its host (PUBLIC_URL with a path), they apply to the paths that need them.
 */
export function createSessionCookies(publicUrl: string) {
  const { protocol, pathname } = new URL(publicUrl);
  const secure = protocol === 'https:';
  const base = pathname.replace(/\/$/, '');
  const isHostOnly = secure && base === '';
  // Browsers reject both prefixes without TLS.
  const prefix = isHostOnly ? '__Host-' : secure ? '__Secure-' : '';
  const cookie = (name: string, path: string): Cookie => ({
    name: prefix + name,
    options: { httpOnly: true, sameSite: 'strict', secure, path: isHostOnly ? '/' : base + path },
  });
  const deps: CookiesDeps = {
    refresh: cookie('refresh', '/v1/auth'),
    device: cookie('device', '/v1/login'),
    passkey: cookie('passkey', '/v1/login'),
  };
  return bindDeps(deps, {
    getRefreshToken,
    getDeviceToken,
    setRefreshToken,
    clearRefreshToken,
    setDeviceToken,
    getPasskeyNonce,
    setPasskeyNonce,
  });
}

function getRefreshToken({ refresh }: CookiesDeps, request: FastifyRequest): string | undefined {
  return readCookie(request, refresh);
}

function getDeviceToken({ device }: CookiesDeps, request: FastifyRequest): string | undefined {
  return readCookie(request, device);
}

function setRefreshToken({ refresh }: CookiesDeps, reply: FastifyReply, token: string): void {
  reply.setCookie(refresh.name, token, { ...refresh.options, maxAge: REFRESH_TOKEN_TTL_SECONDS });
}

function clearRefreshToken({ refresh }: CookiesDeps, reply: FastifyReply): void {
  reply.clearCookie(refresh.name, refresh.options);
}

function setDeviceToken({ device }: CookiesDeps, reply: FastifyReply, token: string): void {
  reply.setCookie(device.name, token, { ...device.options, maxAge: DEVICE_TOKEN_TTL_SECONDS });
}

function getPasskeyNonce({ passkey }: CookiesDeps, request: FastifyRequest): string | undefined {
  return readCookie(request, passkey);
}

function setPasskeyNonce({ passkey }: CookiesDeps, reply: FastifyReply, nonce: string): void {
  reply.setCookie(passkey.name, nonce, { ...passkey.options, maxAge: PASSKEY_CHALLENGE_TTL_SECONDS });
}

function readCookie(request: FastifyRequest, { name }: Cookie): string | undefined {
  const value = request.cookies[name];
  return value === undefined || value.length > MAX_COOKIE_LENGTH ? undefined : value;
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
