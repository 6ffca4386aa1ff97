import { isIP } from 'node:net';

import type { TextOf } from './templates.ts';

/** Templates of the reasons why a URL cannot be called, as shown to the seller. */
export const URL_PROBLEMS = [
  'The URL is longer than {length} characters.',
  'The URL contains spaces, backslashes or invisible characters.',
  'The URL must start with https://.',
  'The URL is not valid.',
  'The URL must not contain a user name or password.',
  'The port must be {port} or above {otherPort}.',
  'The host name is not valid.',
] as const;
export type UrlProblem = TextOf<(typeof URL_PROBLEMS)[number]>;

const MAX_URL_LENGTH = 2048;
const TOO_LONG = `The URL is longer than ${MAX_URL_LENGTH} characters.` as const;
const HTTPS_PORT = 443;
const LAST_SYSTEM_PORT = 1023;

// The URL parser silently drops or rewrites these characters, so the called URL would differ from
// the given one.
const DISALLOWED_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\s\\]/u;

// Applied after the URL parser, which converts the name to lower case and Punycode, but accepts
// symbols and empty labels that resolvers interpret differently.
const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

export type HttpsUrlResult =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: UrlProblem };

/**
 * Parses a URL that the gateway may call: `https://`, at most 2048 characters, without user name and
 * password, on port 443 or a port above 1023. The fragment and a trailing dot of the host are
 * removed, and numeric hosts are normalized (WHATWG URL). Checks only the syntax: the address policy
 * of webhooks decides whether the host may be called.
 */
export function parseHttpsUrl(text: string): HttpsUrlResult {
  if (!/^https:\/\//i.test(text)) return invalid('The URL must start with https://.');
  if (text.length > MAX_URL_LENGTH) return invalid(TOO_LONG);
  if (DISALLOWED_CHARACTERS.test(text))
    return invalid('The URL contains spaces, backslashes or invisible characters.');
  const url = URL.parse(text);
  return url === null ? invalid('The URL is not valid.') : validateParts(url);
}

function validateParts(url: URL): HttpsUrlResult {
  if (url.username !== '' || url.password !== '') {
    return invalid('The URL must not contain a user name or password.');
  }
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port <= LAST_SYSTEM_PORT) {
    return invalid(`The port must be ${HTTPS_PORT} or above ${LAST_SYSTEM_PORT}.`);
  }
  // With a trailing dot it is the same host, but TLS server names have none, and connections would
  // not be shared.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (literalAddress(url) === null && !HOST_NAME.test(url.hostname)) {
    return invalid('The host name is not valid.');
  }
  url.hash = '';
  // Percent-encoding and Punycode make a URL longer than its input.
  return url.href.length > MAX_URL_LENGTH ? invalid(TOO_LONG) : { ok: true, url };
}

const invalid = (reason: UrlProblem): HttpsUrlResult => ({ ok: false, reason });

/** The IP address that a URL names as its host; null for a name. */
export function literalAddress({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : host;
}
