import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';

import type { buildConnector } from 'undici';

/** The parts of a server's certificate that error messages quote. */
export interface PeerCertificate {
  /** Undefined if the certificate has no valid date. */
  readonly validTo: Date | undefined;
  readonly validFrom: Date | undefined;
  /** The subject alternative names. */
  readonly names: readonly string[];
}

const certificates = new WeakMap<Error, PeerCertificate>();

/** The server's certificate for a connection error, if the server presented one. */
export const certificateOf = (error: Error): PeerCertificate | undefined => certificates.get(error);

/**
 * Wraps a connector so that `certificateOf` finds the server's certificate for its errors. A
 * rejected socket no longer has the certificate, so it is read just before Node verifies it.
 */
export function captureCertificates(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    let certificate: PeerCertificate | undefined;
    // Undici returns the socket, although its types do not declare it.
    const socket: unknown = connect(options, (...result) => {
      const [error] = result;
      if (error !== null && certificate !== undefined) certificates.set(error, certificate);
      callback(...result);
    });
    if (!(socket instanceof TLSSocket)) return;
    socket.prependOnceListener('secure', () => {
      if (!socket.isSessionReused()) certificate = readCertificate(socket.getPeerCertificate(true));
    });
  };
}

/**
 * Takes the dates from the first certificate of the chain that is not valid now, or else from the
 * server's own.
 */
function readCertificate(leaf: DetailedPeerCertificate): PeerCertificate | undefined {
  if (leaf.valid_to === undefined) return undefined;
  const now = Date.now();
  let outdated = leaf;
  const seen = new Set<string>();
  for (let current = leaf; !seen.has(current.fingerprint256); current = current.issuerCertificate) {
    seen.add(current.fingerprint256);
    if (Date.parse(current.valid_to) < now || Date.parse(current.valid_from) > now) {
      outdated = current;
      break;
    }
    if (current.issuerCertificate === undefined) break;
  }
  return {
    validTo: dateOf(outdated.valid_to),
    validFrom: dateOf(outdated.valid_from),
    names: [...(leaf.subjectaltname ?? '').matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].map(
      ([, name]) => name ?? '',
    ),
  };
}

function dateOf(text: string): Date | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
