import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import { literalAddress } from '#platform/kit/https-url.ts';
import ipaddr from 'ipaddr.js';

import { resolveByDns, resolveBySystem, type Resolve, type ResolvedAddress } from './resolver.ts';

// The platform endpoint of Azure, in a public range (168.63.129.16 in Microsoft's documentation).
// The metadata addresses of other clouds are in special-purpose ranges.
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

export interface AddressPolicy {
  /**
   * Whether non-public addresses (private networks, loopback) may be called. Only for development.
   */
  readonly allowPrivate: boolean;
}

/**
 * Whether the host of a URL may be called, as far as the URL shows. Literal addresses
 * must pass `isAddressAllowed`, and `localhost` and its subdomains are private. Other names pass,
 * because only the addresses that they resolve to when they are called can be checked.
 */
export function isHostAllowed(url: URL, policy: AddressPolicy): boolean {
  const address = literalAddress(url);
  if (address !== null) return isAddressAllowed(address, policy);
  return policy.allowPrivate || !/(?:^|\.)localhost\.?$/.test(url.hostname);
}

/**
 * Whether an IP address may be called: only public unicast addresses, unless the policy allows
 * private ones, and then every valid address. IPv6 addresses with an embedded IPv4 address (mapped,
 * translated, NAT64, 6to4, Teredo) must have an allowed IPv4 address. Anything that is not an IP
 * address is not allowed.
 *
 * Source: the IANA special-purpose address registries, as implemented by `ipaddr.js`.
 */
export function isAddressAllowed(ip: string, policy: AddressPolicy): boolean {
  // Node's check is stricter: `ipaddr.js` also parses 127.1 and 0x7f.1.
  if (isIP(ip) === 0) return false;
  if (policy.allowPrivate) return true;
  // A zone id refers to a local network interface, so the address is not public.
  if (ip.includes('%')) return false;
  if (isIP(ip) === 4) return isPublicIPv4(ipaddr.IPv4.parse(ip));
  // `ipaddr.js` parses ::8.8.8.8 as ::ffff:8.8.8.8, so it gets the hexadecimal form of the URL
  // parser.
  const { hostname } = new URL(`https://[${ip}]`);
  return isPublicIPv6(ipaddr.IPv6.parse(hostname.slice(1, -1)));
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !PLATFORM_ADDRESSES.has(address.toString());
}

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  const embedded = embeddedIPv4(address);
  if (embedded.length > 0) return embedded.every((ipv4) => isPublicIPv4(ipv4));
  // `ipaddr.js` reports unicast for unlisted ranges, even ::127.0.0.1; only 2000::/3 is allocated.
  return address.range() === 'unicast' && isGlobalUnicast(address);
}

function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return (hextet(address, 0) & 0xe000) === 0x2000;
}

/**
 * The IPv4 addresses that an IPv6 address is translated or tunneled to. Empty for a plain IPv6
 * address.
 */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const range: string = address.range();
  switch (range) {
    case 'ipv4Mapped':
    case 'rfc6145':
      return [ipv4At(address, 6)];
    case 'rfc6052':
      // 64:ff9b::/96 is the public prefix; 64:ff9b:1::/48 is for local use, without a fixed format.
      return hextet(address, 2) === 0 ? [ipv4At(address, 6)] : [];
    case '6to4':
      return [ipv4At(address, 1)];
    case 'teredo':
      // RFC 4380 stores the client address with all bits inverted.
      return [ipv4At(address, 2), ipv4At(address, 6, 0xffff)];
    default:
      return [];
  }
}

function ipv4At(address: ipaddr.IPv6, index: number, mask = 0): ipaddr.IPv4 {
  const high = hextet(address, index) ^ mask;
  const low = hextet(address, index + 1) ^ mask;
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function hextet(address: ipaddr.IPv6, index: number): number {
  return address.parts[index] ?? 0;
}

/** The code of a `ForbiddenAddressError`. */
export const FORBIDDEN_ADDRESS = 'ERR_FORBIDDEN_ADDRESS';

/** The host is, or resolves to, an address that must not be called. Does not reveal the address. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
  readonly code = FORBIDDEN_ADDRESS;
}

/**
 * Creates a lookup function for `net.connect`. It fails with a `ForbiddenAddressError` unless every
 * address of the name is allowed, and with the code `ENOTFOUND` if there is none. The socket
 * connects to one of the returned addresses without another lookup, so that a name server with
 * changing responses (DNS rebinding) has no effect. Sockets skip the lookup for literal addresses,
 * which `isHostAllowed` checks. If private addresses are allowed, names are resolved as the system
 * does, because development uses `/etc/hosts`.
 */
export function createGuardedLookup(
  policy: AddressPolicy,
  resolve: Resolve = policy.allowPrivate ? resolveBySystem : resolveByDns,
): LookupFunction {
  const lookup = callbackify((hostname: string) => resolveAllowedAddresses(hostname, resolve, policy));
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      if (error !== null) callback(error, []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0].address, addresses[0].family);
    });
  };
}

async function resolveAllowedAddresses(
  hostname: string,
  resolve: Resolve,
  policy: AddressPolicy,
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  const resolved = await resolve(hostname);
  const addresses = resolved.map(({ address }) => ({ address, family: isIP(address) }));
  // A public address next to a private one is a sign of DNS rebinding, so the whole name is
  // rejected.
  if (!addresses.every(({ address }) => isAddressAllowed(address, policy))) throw new ForbiddenAddressError();
  const [first, ...others] = addresses;
  if (first === undefined) throw Object.assign(new Error('DNS lookup failed.'), { code: 'ENOTFOUND' });
  return [first, ...others];
}
