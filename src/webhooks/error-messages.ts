import { certificateOf, type PeerCertificate } from './certificates.ts';
import { FORBIDDEN_ADDRESS } from './target-url.ts';

/** Why a delivery failed, in words for a seller. They never hold a secret, a body, or a credential or query of an address. */

/** A failure whose message is already in words for a seller. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
}

/** How far a post has come. */
export type RequestPhase = 'waiting' | 'connecting' | 'sent';

/** What the time was too short for. */
export function timeoutMessage(seconds: number, progress: RequestPhase): string {
  switch (progress) {
    case 'waiting':
      return `Not sent: for ${seconds} s the server was busy with earlier deliveries.`;
    case 'connecting':
      return `No connection to the server within ${seconds} seconds.`;
    case 'sent':
      return `No complete answer within ${seconds} seconds.`;
  }
}

/** What is wrong with an answer of this status; null where nothing is. `location` is where it redirects to. */
export function statusMessage(statusCode: number | null, location: string | null): string | null {
  if (statusCode === null) return 'The server did not answer.';
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) {
    const where = location === null ? '' : ` to ${location}`;
    return `The server answered with a redirect${where} (status ${statusCode}); redirects are not followed.`;
  }
  return `The server answered with status ${statusCode}.`;
}

const MAX_LOCATION_LENGTH = 200;

/** Where a redirect leads, without what may be a secret: credentials, query and fragment. Null where that cannot be told. */
export function safeRedirectUrl(location: string | undefined, from: string): string | null {
  if (location === undefined) return null;
  const url = URL.parse(location, from);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const shown = url.origin + url.pathname;
  return shown.length > MAX_LOCATION_LENGTH ? `${shown.slice(0, MAX_LOCATION_LENGTH)}…` : shown;
}

export const CANCELLED = 'The delivery was cancelled.';
const NAME_NOT_FOUND = 'The host name has no address: it was not found.';
const SELF_SIGNED = "The server's certificate is self-signed.";
const UNTRUSTED =
  "The server's certificate is signed by an authority that is not trusted, or its chain is incomplete.";
const CONNECTION_CLOSED = 'The server closed the connection before it finished its answer.';
const NO_ROUTE = 'The server could not be reached.';
const NO_TLS = 'No TLS connection could be made: the port does not offer HTTPS, or only an outdated form.';
const NOT_HTTP = 'The server gave an answer that is not valid HTTP.';

// The codes of Node (system calls, TLS), OpenSSL (certificates) and undici.
const MESSAGES_BY_CODE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'The server refused the connection.'],
  ['ENOTFOUND', NAME_NOT_FOUND],
  ['ENODATA', NAME_NOT_FOUND],
  [FORBIDDEN_ADDRESS, 'The host leads to an address that may not be called: it is not public.'],
  ['EAI_AGAIN', 'The host name could not be looked up at the moment.'],
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
const day = (date: Date | undefined): string | undefined => date?.toISOString().slice(0, 10);

/** Faults that the certificate itself tells more of. */
const CERTIFICATE_MESSAGES: ReadonlyMap<string, (shown: PeerCertificate | undefined) => string> = new Map([
  [
    'CERT_HAS_EXPIRED',
    (shown) =>
      shown?.validTo === undefined
        ? "The server's certificate has expired."
        : `The server's certificate expired on ${day(shown.validTo)}.`,
  ],
  [
    'CERT_NOT_YET_VALID',
    (shown) =>
      shown?.validFrom === undefined
        ? "The server's certificate is not valid yet."
        : `The server's certificate is not valid before ${day(shown.validFrom)}.`,
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    (shown) => {
      const names = (shown?.names ?? []).slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH));
      const more = (shown?.names.length ?? 0) > MAX_NAMES ? ', …' : '';
      return `The server's certificate is for another name${names.length === 0 ? '' : ` (${names.join(', ')}${more})`}.`;
    },
  ],
]);

/** Chooses the words by the error's code alone, because messages quote addresses and header values. */
export function failureMessage(cause: unknown): string {
  if (cause instanceof DeliveryError) return cause.message;
  const code = errorCode(cause);
  const certificate = CERTIFICATE_MESSAGES.get(code);
  if (certificate !== undefined)
    return certificate(cause instanceof Error ? certificateOf(cause) : undefined);
  const message = MESSAGES_BY_CODE.get(code);
  if (message !== undefined) return message;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return NO_TLS;
  }
  return code.startsWith('HPE_') ? NOT_HTTP : 'The request failed.';
}

function errorCode(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : '';
}
