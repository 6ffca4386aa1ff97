import ipaddr from 'ipaddr.js';

/** Whether a host of a URL is this machine: `localhost` or an address of the loopback range. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return (
    address === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback')
  );
}
