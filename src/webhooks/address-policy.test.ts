import { parseHttpsUrl } from '#platform/kit/https-url.ts';
import { describe, expect, it, vi } from 'vitest';
import { isAddressAllowed, isHostAllowed, createGuardedLookup } from './address-policy.ts';
import type { Resolve } from './resolver.ts';

const publicOnly = { allowPrivate: false };
const anyAddress = { allowPrivate: true };

function callable(url: string, policy = publicOnly): boolean {
  const parsed = parseHttpsUrl(url);
  return parsed.ok && isHostAllowed(parsed.url, policy);
}

// Well-formed, but the host is not public.
const privateHosts = [
  'https://localhost/',
  'https://LOCALHOST:8443/',
  'https://localhost./',
  'https://LocalHost%2E/',
  'https://loc%61lhost/',
  'https://\u24DBocalhost/',
  'https://api.localhost/',
  'https://a.b.LOCALHOST./',
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.0.0.1:8443/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0x7f.1/',
  'https://0X7F.0x0.0x0.0x1/',
  'https://0x7f000001/',
  'https://%31%32%37.0.0.1/',
  'https://127\u30020\u30020\u30021/',
  'https://\u2460\u2461\u2466.\u24EA.\u24EA.\u2460/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/',
  'https://0xA9FEA9FE/',
  'https://0251.0376.0251.0376/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::FFFF:A9FE:A9FE]:8443/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
];

describe('isHostAllowed', () => {
  it.each(privateHosts)('rejects %j unless private addresses are allowed', (url) => {
    expect(parseHttpsUrl(url).ok).toBe(true);
    expect(callable(url)).toBe(false);
    expect(callable(url, anyAddress)).toBe(true);
  });

  it.each([
    'https://example.com/',
    'https://1.1.1.1/',
    'https://16843009/',
    'https://[2606:4700:4700:0::1111]:8443/',
    'https://localhost.example.com/',
    'https://notlocalhost/',
  ])('accepts %s', (url) => {
    expect(callable(url)).toBe(true);
  });
});

describe('isAddressAllowed', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('accepts %s', (ip) => {
    expect(isAddressAllowed(ip, publicOnly)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:168.63.129.16',
    '::ffff:0:10.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:0:7f00:1::f7f7:f7f7',
    '2001:0:808:808::80ff:fffe',
    '2001:db8::1',
    '2002:7f00:1::1',
    '2002:a9fe:a9fe::1',
    '2002:c0a8:101::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2606:4700:4700::1111%eth0',
  ])('rejects %s unless private addresses are allowed', (ip) => {
    expect(isAddressAllowed(ip, publicOnly)).toBe(false);
    expect(isAddressAllowed(ip, anyAddress)).toBe(true);
  });

  it.each([
    '',
    'localhost',
    'example.com',
    '8.8.8',
    '134744072',
    '0x8.8.8.8',
    '8.8.8.8 ',
    '[::1]',
    '8.8.8.8/32',
  ])('rejects %j, which is not an address', (ip) => {
    expect(isAddressAllowed(ip, publicOnly)).toBe(false);
    expect(isAddressAllowed(ip, anyAddress)).toBe(false);
  });
});

describe('createGuardedLookup', () => {
  const google = { address: '8.8.8.8', family: 4 };
  const cloudflare = { address: '2606:4700:4700::1111', family: 6 };
  const loopback = { address: '127.0.0.1', family: 4 };

  it('returns both result forms and checks each lookup', async () => {
    const resolve = vi.fn<Resolve>();
    resolve.mockResolvedValueOnce([google, cloudflare]).mockResolvedValueOnce([google]);
    resolve.mockResolvedValueOnce([google, loopback]).mockResolvedValueOnce([]);
    const lookup = createGuardedLookup(publicOnly, resolve);
    expect(await lookUp(lookup, true)).toEqual([null, [google, cloudflare]]);
    expect(await lookUp(lookup, false)).toEqual([null, '8.8.8.8', 4]);
    expect(await lookUp(lookup, true)).toEqual([
      expect.objectContaining({ code: 'ERR_FORBIDDEN_ADDRESS' }),
      [],
    ]);
    expect(await lookUp(lookup, true)).toEqual([expect.objectContaining({ code: 'ENOTFOUND' }), []]);
    expect(resolve).toHaveBeenCalledTimes(4);
  });

  it('resolves as the system does, if private addresses are allowed', async () => {
    expect(await lookUp(createGuardedLookup(anyAddress), true)).toEqual([
      null,
      expect.arrayContaining([loopback]),
    ]);
  });
});

function lookUp(lookup: ReturnType<typeof createGuardedLookup>, all: boolean): Promise<unknown[]> {
  return new Promise((resolve) => lookup('localhost', { all }, (...args) => resolve(args)));
}
