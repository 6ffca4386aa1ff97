import { isIPv6 } from 'node:net';

import ipaddr from 'ipaddr.js';

/** The address; of IPv6 the /64 network, all of which one customer of a provider has. */
export function networkOf(address: string): string {
  const plain = address.split('%')[0] ?? '';
  if (!isIPv6(plain)) return plain;
  const parsed = ipaddr.IPv6.parse(plain);
  return parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address().toString()
    : parsed.parts.slice(0, 4).join(':');
}
