import { errorCode } from '#platform/kit/errors.ts';
import { URL_PROBLEMS } from '#platform/kit/https-url.ts';
import type { TextOf } from '#platform/kit/templates.ts';
import { certificateOf, type PeerCertificate } from './certificates.ts';
import { FORBIDDEN_ADDRESS } from './address-policy.ts';

/**
 * Error messages for failed deliveries, as shown to sellers. They never contain a secret, a body,
 * or credentials of a URL.
 */

/** Templates of the messages. */
export const DELIVERY_ERRORS = [
  ...URL_PROBLEMS,
  'No complete response within {seconds} seconds.',
  'No connection to the server within {seconds} seconds.',
  'The server did not respond.',
  'The server responded with a redirect (status {httpStatus}); redirects are not followed.',
  'The server responded with a redirect to {url} (status {httpStatus}); redirects are not followed.',
  'The server responded with status {httpStatus}.',
  'The delivery was canceled.',
  'DNS lookup failed.',
  'DNS is temporarily unavailable for the host name.',
  'The host resolves to an address that is not public.',
  'The server refused the connection.',
  'The server could not be reached.',
  'The server closed the connection before the response was complete.',
  'The TLS handshake failed: the port does not offer HTTPS, or only an outdated version.',
  "The server's certificate is self-signed.",
  "The server's certificate is signed by an authority that is not trusted, or its chain is incomplete.",
  "The server's certificate was revoked.",
  "The server's certificate has expired.",
  "The server's certificate expired on {date}.",
  "The server's certificate is not valid yet.",
  "The server's certificate is not valid before {date}.",
  "The server's certificate is for another name.",
  "The server's certificate is for another name ({names}).",
  'The response is not valid HTTP.',
  'The request failed.',
] as const;
export type DeliveryErrorText = TextOf<(typeof DELIVERY_ERRORS)[number]>;

/** An error whose message may be shown to the seller. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  override readonly message: DeliveryErrorText;

  constructor(message: DeliveryErrorText) {
    super(message);
    this.message = message;
  }
}

/** The message for a request that exceeded its deadline, before or after it had a connection. */
export const timeoutMessage = (seconds: number, connected: boolean): DeliveryErrorText =>
  connected
    ? `No complete response within ${seconds} seconds.`
    : `No connection to the server within ${seconds} seconds.`;

/**
 * The message for a response that is not 2xx; null for a 2xx response. `location` is the target of
 * a redirect.
 */
export function statusMessage(statusCode: number | null, location: string | null): DeliveryErrorText | null {
  if (statusCode === null) return 'The server did not respond.';
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) {
    const where = location === null ? '' : (` to ${location}` as const);
    return `The server responded with a redirect${where} (status ${statusCode}); redirects are not followed.`;
  }
  return `The server responded with status ${statusCode}.`;
}

const MAX_LOCATION_LENGTH = 200;

/**
 * The target of a redirect without credentials, query and fragment, which may be secrets. Null if
 * it is not an HTTP URL.
 */
export function safeRedirectUrl(location: string | undefined, from: string): string | null {
  if (location === undefined) return null;
  const url = URL.parse(location, from);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const target = url.origin + url.pathname;
  return target.length > MAX_LOCATION_LENGTH ? `${target.slice(0, MAX_LOCATION_LENGTH)}…` : target;
}

export const CANCELED = 'The delivery was canceled.';
const NAME_NOT_FOUND = 'DNS lookup failed.';
const SELF_SIGNED = "The server's certificate is self-signed.";
const UNTRUSTED =
  "The server's certificate is signed by an authority that is not trusted, or its chain is incomplete.";
const CONNECTION_CLOSED = 'The server closed the connection before the response was complete.';
const NO_ROUTE = 'The server could not be reached.';
const NO_TLS = 'The TLS handshake failed: the port does not offer HTTPS, or only an outdated version.';
const NOT_HTTP = 'The response is not valid HTTP.';

/** Messages by the error codes of Node (system calls, TLS), OpenSSL (certificates) and undici. */
const MESSAGES_BY_CODE: ReadonlyMap<string, DeliveryErrorText> = new Map<string, DeliveryErrorText>([
  ['ECONNREFUSED', 'The server refused the connection.'],
  ['ENOTFOUND', NAME_NOT_FOUND],
  ['ENODATA', NAME_NOT_FOUND],
  [FORBIDDEN_ADDRESS, 'The host resolves to an address that is not public.'],
  ['EAI_AGAIN', 'DNS is temporarily unavailable for the host name.'],
  ['EHOSTUNREACH', NO_ROUTE],
  ['ENETUNREACH', NO_ROUTE],
  ['EADDRNOTAVAIL', NO_ROUTE],
  ['ETIMEDOUT', NO_ROUTE],
  ['UND_ERR_CONNECT_TIMEOUT', NO_ROUTE],
  ['ECONNRESET', CONNECTION_CLOSED],
  ['EPIPE', CONNECTION_CLOSED],
  ['UND_ERR_SOCKET', CONNECTION_CLOSED],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', CONNECTION_CLOSED],
  ['CERT_REVOKED', "The server's certificate was revoked."],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', SELF_SIGNED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['UND_ERR_HEADERS_OVERFLOW', NOT_HTTP],
]);

const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 100;
const formatDay = (date: Date): string => date.toISOString().slice(0, 10);

/** Messages with details of the server's certificate. */
const CERTIFICATE_MESSAGES: ReadonlyMap<
  string,
  (certificate: PeerCertificate | undefined) => DeliveryErrorText
> = new Map<string, (certificate: PeerCertificate | undefined) => DeliveryErrorText>([
  [
    'CERT_HAS_EXPIRED',
    (certificate) =>
      certificate?.validTo === undefined
        ? "The server's certificate has expired."
        : `The server's certificate expired on ${formatDay(certificate.validTo)}.`,
  ],
  [
    'CERT_NOT_YET_VALID',
    (certificate) =>
      certificate?.validFrom === undefined
        ? "The server's certificate is not valid yet."
        : `The server's certificate is not valid before ${formatDay(certificate.validFrom)}.`,
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    (certificate) => {
      const names = (certificate?.names ?? [])
        .slice(0, MAX_NAMES)
        .map((name) => name.slice(0, MAX_NAME_LENGTH));
      const more = (certificate?.names.length ?? 0) > MAX_NAMES ? ', …' : '';
      const list = names.length === 0 ? '' : (` (${names.join(', ')}${more})` as const);
      return `The server's certificate is for another name${list}.`;
    },
  ],
]);

/**
 * The message for an error of the HTTP client. Depends on its code alone, because messages quote
 * addresses and headers.
 */
export function failureMessage(error: unknown): DeliveryErrorText {
  if (error instanceof DeliveryError) return error.message;
  const code = errorCode(error) ?? '';
  const formatMessage = CERTIFICATE_MESSAGES.get(code);
  if (formatMessage !== undefined)
    return formatMessage(error instanceof Error ? certificateOf(error) : undefined);
  const message = MESSAGES_BY_CODE.get(code);
  if (message !== undefined) return message;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return NO_TLS;
  return code.startsWith('HPE_') ? NOT_HTTP : 'The request failed.';
}
