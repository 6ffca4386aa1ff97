import '@fastify/cookie';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { forbidden, HttpError } from '#platform/http/errors.ts';
import { REFRESH_SECONDS } from './sessions.ts';
import { DEVICE_SECONDS } from './signed-tokens.ts';

/** What the dashboard says in `x-requested-by`. No page of another origin can send it unasked, and nothing here allows one that asks. */
export const REQUESTED_BY = 'dashboard';

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
  const ofHost = secure && base === '';
  // Names that browsers let nobody set without TLS; without TLS they would refuse them.
  const prefix = ofHost ? '__Host-' : secure ? '__Secure-' : '';
  const always = { httpOnly: true, sameSite: 'strict', secure } as const;
  const scoped = (path: string) => ({ ...always, path: ofHost ? '/' : base + path });
  const refresh = { name: `${prefix}refresh`, options: scoped('/v1/auth') };
  const device = { name: `${prefix}device`, options: scoped('/v1/login') };

  return {
    /** Undefined where the browser has none. */
    refreshTokenOf: (request: FastifyRequest): string | undefined => short(request.cookies[refresh.name]),

    deviceOf: (request: FastifyRequest): string | undefined => short(request.cookies[device.name]),

    keepRefreshToken(reply: FastifyReply, token: string): void {
      reply.setCookie(refresh.name, token, { ...refresh.options, maxAge: REFRESH_SECONDS });
    },

    clearRefreshToken(reply: FastifyReply): void {
      reply.clearCookie(refresh.name, refresh.options);
    },

    keepDevice(reply: FastifyReply, slip: string): void {
      reply.setCookie(device.name, slip, { ...device.options, maxAge: DEVICE_SECONDS });
    },
  };
}

/** Nothing of ours is longer. */
const short = (text: string | undefined): string | undefined =>
  text === undefined || text.length > 1_000 ? undefined : text;

/**
 * Refuses what a page of another origin has a browser send, where the browser says so. What signs in gives the browser
 * cookies: another page must not sign it in as somebody else.
 */
export function mustNotComeFromElsewhere({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw forbidden();
}

/**
 * Lets a request act on a cookie only if a page of ours sent it: SameSite keeps other sites away, and this keeps away
 * whoever shares the site (another port or subdomain), and browsers that know nothing of SameSite. A form cannot send
 * the header or JSON, and a script of another origin would have to ask first, which nothing here allows.
 */
export function mustComeFromOurPage(request: FastifyRequest): void {
  const { headers } = request;
  if (headers['x-requested-by'] !== REQUESTED_BY) throw forbidden();
  mustNotComeFromElsewhere(request);
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw new HttpError(415, 'Content-Type must be application/json');
}
