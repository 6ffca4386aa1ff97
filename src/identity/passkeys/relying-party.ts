import { isIP } from 'node:net';

const NAME = 'Vereda';
const LOCAL = 'localhost';

/** The relying party of WebAuthn. Browsers offer a passkey to pages of its host only. */
export interface RelyingParty {
  readonly id: string;
  readonly name: string;
  /** Whether pages of the origin may use the passkeys. */
  readonly accepts: (origin: string) => boolean;
}

/**
 * The relying party of a gateway: the host of PUBLIC_URL. WebAuthn knows no IP addresses, so a
 * sandbox at one is `localhost`, at any port.
 */
export function createRelyingParty({
  publicUrl,
  sandbox,
}: {
  readonly publicUrl: string;
  readonly sandbox: boolean;
}): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  const id = sandbox && isAddress ? LOCAL : hostname;
  const accepts = (other: string) =>
    other === origin || (sandbox && id === LOCAL && URL.parse(other)?.hostname === LOCAL);
  return { id, name: NAME, accepts };
}
