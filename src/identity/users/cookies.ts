import '@fastify/cookie';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { forbidden, HttpError } from '#platform/http/errors.ts';
import { REFRESH_TOKEN_TTL_SECONDS } from './sessions.ts';
import { DEVICE_TOKEN_TTL_SECONDS } from './signed-tokens.ts';

/** What the dashboard says in `x-requested-by`. No page of another origin can send it unasked, and nothing here allows one that asks. */
export const REQUESTED_BY_DASHBOARD = 'dashboard';

export type SessionCookies = ReturnType<typeof createSessionCookies>;

/**
 * The cookies of a browser: its refresh token, and that it is a known device. No script reads them and no other site
 * sends them.
 *
 * With TLS, at a host of its own, their names begin with `__Host-`: a browser then takes them from this host alone, so
 * that another subdomain cannot plant a session of somebody else here. Such cookies are for every address of the host.
 * Where the gateway shares its host (PUBLIC_URL with a path), only the addresses that need them get them.
 */
export function createSessionCookies(publicUrl: string) {
  const { protocol, pathname } = new URL(publicUrl);
  const secure = protocol === 'https:';
  const base = pathname.replace(/\/$/, '');
  const isHostOnly = secure && base === '';
  // Names that browsers let nobody set without TLS; without TLS they would refuse them.
  const prefix = isHostOnly ? '__Host-' : secure ? '__Secure-' : '';
  const baseOptions = { httpOnly: true, sameSite: 'strict', secure } as const;
  const cookieOptions = (path: string) => ({ ...baseOptions, path: isHostOnly ? '/' : base + path });
  const refresh = { name: `${prefix}refresh`, options: cookieOptions('/v1/auth') };
  const device = { name: `${prefix}device`, options: cookieOptions('/v1/login') };

  return {
    /** Undefined where the browser has none. */
    getRefreshToken: (request: FastifyRequest): string | undefined =>
      ignoreOversized(request.cookies[refresh.name]),

    getDeviceToken: (request: FastifyRequest): string | undefined =>
      ignoreOversized(request.cookies[device.name]),

    setRefreshToken(reply: FastifyReply, token: string): void {
      reply.setCookie(refresh.name, token, { ...refresh.options, maxAge: REFRESH_TOKEN_TTL_SECONDS });
    },

    clearRefreshToken(reply: FastifyReply): void {
      reply.clearCookie(refresh.name, refresh.options);
    },

    setDeviceToken(reply: FastifyReply, token: string): void {
      reply.setCookie(device.name, token, { ...device.options, maxAge: DEVICE_TOKEN_TTL_SECONDS });
    },
  };
}

/** Nothing of ours is longer. */
const ignoreOversized = (text: string | undefined): string | undefined =>
  text === undefined || text.length > 1_000 ? undefined : text;

/**
 * Refuses what a page of another origin has a browser send, where the browser says so. What signs in gives the browser
 * cookies: another page must not sign it in as somebody else.
 */
export function rejectCrossOrigin({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw forbidden();
}

/**
 * Lets a request act on a cookie only if a page of ours sent it: SameSite keeps other sites away, and this keeps away
 * whoever shares the site (another port or subdomain), and browsers that know nothing of SameSite. A form cannot send
 * the header or JSON, and a script of another origin would have to ask first, which nothing here allows.
 */
export function requireCsrfHeaders(request: FastifyRequest): void {
  const { headers } = request;
  if (headers['x-requested-by'] !== REQUESTED_BY_DASHBOARD) throw forbidden();
  rejectCrossOrigin(request);
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw new HttpError(415, 'Content-Type must be application/json');
}
