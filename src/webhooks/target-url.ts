import { promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import ipaddr from 'ipaddr.js';

const MAX_URL_LENGTH = 2048;
const TOO_LONG = `The URL is longer than ${MAX_URL_LENGTH} characters.`;
const HTTPS_PORT = 443;
const LAST_SYSTEM_PORT = 1023;

// The URL parser drops or rewrites these in silence, so the URL a seller reads would not be the URL we call.
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\s\\]/u;

// The URL parser has written the name in lower case and Punycode by then. It lets through marks and empty
// labels which no host name has, and which resolvers read each in their own way.
const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

// Azure answers its machines from this address, which looks public but belongs to the host (168.63.129.16 in
// Microsoft's documents). The other clouds' metadata addresses lie in ranges that are refused as a whole.
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

/** Whether addresses that are not public (private networks, loopback) may be called. Only for development. */
export interface AddressPolicy {
  readonly allowPrivate: boolean;
}

/** A URL that has the form of a webhook target, or why it has not, in words for a seller. */
export type TargetResult =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a webhook target: an `https://` URL of at most 2048 characters, without user name and password, on
 * port 443 or a port above 1023. The fragment and a host's trailing dot are dropped, and numeric hosts come
 * out in canonical form (WHATWG URL). Judges only the form: whether its host may be called is for
 * `hostAllowed` and `addressAllowed`.
 */
export function parseTarget(url: string): TargetResult {
  if (url.length > MAX_URL_LENGTH) return invalid(TOO_LONG);
  if (INVISIBLE_CHARACTERS.test(url))
    return invalid('The URL holds spaces, backslashes or invisible characters.');
  if (!/^https:\/\//i.test(url)) return invalid('The URL must start with https://.');
  const parsed = URL.parse(url);
  if (parsed === null) return invalid('The URL is not valid.');
  return validateParts(parsed);
}

function validateParts(url: URL): TargetResult {
  if (url.username !== '' || url.password !== '') {
    return invalid('The URL must not hold a user name or password.');
  }
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port <= LAST_SYSTEM_PORT) {
    return invalid(`The port must be ${HTTPS_PORT} or above ${LAST_SYSTEM_PORT}.`);
  }
  // A trailing dot names the same host, but TLS allows none in its server name, and pools would be double.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (literalAddress(url) === null && !HOST_NAME.test(url.hostname)) {
    return invalid('The host name is not valid.');
  }
  url.hash = '';
  // Percent-encoding and Punycode make a URL longer than what was typed.
  if (url.href.length > MAX_URL_LENGTH) return invalid(TOO_LONG);
  return { ok: true, url };
}

function invalid(reason: string): TargetResult {
  return { ok: false, reason };
}

/**
 * Tells whether the host of a parsed target may be called, as far as the URL alone shows it: a literal
 * address is judged by `addressAllowed`, and `localhost` and its subdomains are private. Any other name
 * passes, because only the addresses it resolves to at the moment of the call can be judged.
 */
export function isHostAllowed(url: URL, policy: AddressPolicy): boolean {
  const address = literalAddress(url);
  if (address !== null) return isAddressAllowed(address, policy);
  return policy.allowPrivate || !/(?:^|\.)localhost\.?$/.test(url.hostname);
}

function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : host;
}

/**
 * Tells whether an IP address may be called: only public unicast addresses may, unless the policy allows
 * private ones, and then every well-formed address may. IPv6 addresses that carry an IPv4 address (mapped,
 * translated, NAT64, 6to4, Teredo) are judged by what they carry. What is no IP address is refused.
 *
 * Source: the IANA special-purpose address registries, as kept by `ipaddr.js`.
 */
export function isAddressAllowed(ip: string, policy: AddressPolicy): boolean {
  // Node's check is the stricter one: `ipaddr.js` also reads 127.1 and 0x7f.1.
  if (isIP(ip) === 0) return false;
  if (policy.allowPrivate) return true;
  // A zone id names one of our own network interfaces, so it never belongs to a public address.
  if (ip.includes('%')) return false;
  if (isIP(ip) === 4) return isPublicIPv4(ipaddr.IPv4.parse(ip));
  // `ipaddr.js` reads ::8.8.8.8 as ::ffff:8.8.8.8, so it gets the URL parser's hexadecimal form.
  const { hostname } = new URL(`https://[${ip}]`);
  return isPublicIPv6(ipaddr.IPv6.parse(hostname.slice(1, -1)));
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !PLATFORM_ADDRESSES.has(address.toString());
}

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  const carried = embeddedIPv4(address);
  if (carried.length > 0) return carried.every((ipv4) => isPublicIPv4(ipv4));
  // `ipaddr.js` calls all that is not in its lists unicast, even ::127.0.0.1; only 2000::/3 is in public use.
  return address.range() === 'unicast' && isGlobalUnicast(address);
}

function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return (part(address, 0) & 0xe000) === 0x2000;
}

/** The IPv4 addresses to which an IPv6 address is translated or tunnelled; none for a plain IPv6 address. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const range: string = address.range();
  switch (range) {
    case 'ipv4Mapped':
    case 'rfc6145':
      return [ipv4At(address, 6)];
    case 'rfc6052':
      // 64:ff9b::/96 is the public prefix; 64:ff9b:1::/48 is for local use and in no fixed format.
      return part(address, 2) === 0 ? [ipv4At(address, 6)] : [];
    case '6to4':
      return [ipv4At(address, 1)];
    case 'teredo':
      // RFC 4380 stores the server plainly and the client with every bit inverted.
      return [ipv4At(address, 2), ipv4At(address, 6, 0xffff)];
    default:
      return [];
  }
}

function ipv4At(address: ipaddr.IPv6, index: number, mask = 0): ipaddr.IPv4 {
  const high = part(address, index) ^ mask;
  const low = part(address, index + 1) ^ mask;
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function part(address: ipaddr.IPv6, index: number): number {
  return address.parts[index] ?? 0;
}

/** The code of a `ForbiddenAddressError`. */
export const FORBIDDEN_ADDRESS = 'ERR_FORBIDDEN_ADDRESS';

/** A host is, or resolves to, an address that may not be called. Does not tell a prober which. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
  readonly code = FORBIDDEN_ADDRESS;
}

/** An address as `dns.lookup` gives it. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name to all its addresses. Rejects with a code such as `ENOTFOUND`. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/**
 * Makes the lookup of a socket, in `net.connect`'s form. It fails with a `ForbiddenAddressError` unless every
 * address of the name may be called, and with the code `ENOTFOUND` when there is none. The socket connects to
 * one of the addresses given here and resolves nothing again, so a name server that changes its answers (DNS
 * rebinding) cannot lead it elsewhere. Sockets skip the lookup for literal addresses: `hostAllowed` judges
 * those.
 */
export function createGuardedLookup(policy: AddressPolicy, resolve: Resolve = resolveAll): LookupFunction {
  const lookup = callbackify((hostname: string) => resolveAllowedAddresses(hostname, resolve, policy));
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      if (error !== null) callback(error, []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0].address, addresses[0].family);
    });
  };
}

function resolveAll(hostname: string): Promise<ResolvedAddress[]> {
  return dns.lookup(hostname, { all: true });
}

async function resolveAllowedAddresses(
  hostname: string,
  resolve: Resolve,
  policy: AddressPolicy,
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  const resolved = await resolve(hostname);
  const judged = resolved.map(({ address }) => ({ address, family: isIP(address) }));
  // One public address beside a private one is how rebinding is tried, so such a name is refused as a whole.
  if (!judged.every(({ address }) => isAddressAllowed(address, policy))) throw new ForbiddenAddressError();
  const [first, ...others] = judged;
  if (first === undefined) throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' });
  return [first, ...others];
}
