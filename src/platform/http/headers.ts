import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import helmet from 'helmet';

const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * What helmet sets, asked once: it is the same for every answer. Answers carry secrets and personal data and change, so
 * nobody keeps them; the few routes whose answers may be kept say so. Nothing of an answer is run or shown in a frame;
 * pages bring a policy of their own (`pagePolicy`). No answer allows another origin (CORS): keys are for servers, and
 * the pages that call the gateway are its own.
 *
 * @param publicUrl where it is `https:`, browsers come by TLS alone for a year, to this host and none beneath it.
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
    // The sandbox is reached by plain HTTP on one's own machine; a browser must not remember otherwise.
    strictTransportSecurity: publicUrl.startsWith('https:')
      ? { maxAge: YEAR_SECONDS, includeSubDomains: false }
      : false,
  });
  setHeaders(response.req, response, () => undefined);
  headers['content-security-policy'] = DEFAULT_POLICY;
  return headers;
}

const BASE_DIRECTIVES = ["base-uri 'none'", "frame-ancestors 'none'"];

/** The policy of what is no page. */
const DEFAULT_POLICY = ["default-src 'none'", "form-action 'none'", ...BASE_DIRECTIVES].join(';');

/**
 * The policy of a page: what it may load and call of this gateway, and nothing else.
 *
 * @param allowed directives beside `default-src 'none'`.
 */
export const pageContentSecurityPolicy = (...allowed: readonly string[]): string =>
  ["default-src 'none'", ...allowed, ...BASE_DIRECTIVES].join(';');
