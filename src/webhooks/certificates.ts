import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';

import type { buildConnector } from 'undici';

/** What a receiver's certificate says, for the words in which its seller is told what is wrong with it. */
export interface PeerCertificate {
  /** Until and from when it is valid; undefined where it does not say so legibly. */
  readonly validTo: Date | undefined;
  readonly validFrom: Date | undefined;
  /** The names it is for, as it gives them. */
  readonly names: readonly string[];
}

const certificates = new WeakMap<Error, PeerCertificate>();

/** The certificate that an error of connecting is about, where one was shown. */
export const certificateOf = (error: Error): PeerCertificate | undefined => certificates.get(error);

/**
 * Makes a connector remember, beside an error, which certificate the server has shown. Once the connection is refused for it,
 * the socket no longer tells, so it is read a moment before the checks, which stay Node's own.
 */
export function captureCertificates(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    let shown: PeerCertificate | undefined;
    // Undici answers the socket, which its types keep quiet about.
    const socket: unknown = connect(options, (...result) => {
      const [error] = result;
      if (error !== null && shown !== undefined) certificates.set(error, shown);
      callback(...result);
    });
    if (!(socket instanceof TLSSocket)) return;
    socket.prependOnceListener('secure', () => {
      if (!socket.isSessionReused()) shown = readCertificate(socket.getPeerCertificate(true));
    });
  };
}

/** Of a chain, the certificate that is out of date; else the server's own. */
function readCertificate(own: DetailedPeerCertificate): PeerCertificate | undefined {
  if (own.valid_to === undefined) return undefined;
  const now = Date.now();
  let stale = own;
  const seen = new Set<string>();
  for (let one = own; !seen.has(one.fingerprint256); one = one.issuerCertificate) {
    seen.add(one.fingerprint256);
    if (Date.parse(one.valid_to) < now || Date.parse(one.valid_from) > now) {
      stale = one;
      break;
    }
    if (one.issuerCertificate === undefined) break;
  }
  return {
    validTo: dateOf(stale.valid_to),
    validFrom: dateOf(stale.valid_from),
    names: [...(own.subjectaltname ?? '').matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].map(
      ([, name]) => name ?? '',
    ),
  };
}

function dateOf(text: string): Date | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
