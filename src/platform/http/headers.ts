import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import helmet from 'helmet';

const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * The security headers of every response: those of helmet, computed once because they are constant.
 * Responses contain secrets and personal data, so they are not cacheable; cacheable routes override
 * that. Nothing may be framed or run as content; pages set their own policy
 * (`pageContentSecurityPolicy`). CORS is not enabled: API keys belong on servers, and the gateway's
 * pages share its origin.
 *
 * @param publicUrl if it is `https:`, browsers use only TLS for this host for one year.
 */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    headers[name.toLowerCase()] = String(value);
    return response;
  };
  const setHeaders = helmet({
    contentSecurityPolicy: false,
    frameguard: { action: 'deny' },
    // The sandbox is served over plain HTTP on localhost, and browsers remember HSTS for the host.
    strictTransportSecurity: publicUrl.startsWith('https:')
      ? { maxAge: YEAR_SECONDS, includeSubDomains: false }
      : false,
  });
  setHeaders(response.req, response, () => undefined);
  headers['content-security-policy'] = DEFAULT_POLICY;
  return headers;
}

const BASE_DIRECTIVES = ["base-uri 'none'", "frame-ancestors 'none'"];

/** The policy of responses that are not pages. */
const DEFAULT_POLICY = ["default-src 'none'", "form-action 'none'", ...BASE_DIRECTIVES].join(';');

/**
 * The Content-Security-Policy of a page.
 *
 * @param directives what the page may load and call, in addition to `default-src 'none'`.
 */
export const pageContentSecurityPolicy = (...directives: readonly string[]): string =>
  ["default-src 'none'", ...directives, ...BASE_DIRECTIVES].join(';');
