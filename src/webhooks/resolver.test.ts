import { promises as dns } from 'node:dns';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { startNameServer, type NameAnswer, type NameServer } from '#test/support/name-server.ts';
import { resolveByDns } from './resolver.ts';
import { createSender } from './sender.ts';
import { createGuardedLookup, FORBIDDEN_ADDRESS } from './address-policy.ts';

const servers: NameServer[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) server.close();
});

/** A name server that gives these answers for each name. */
async function nameServer(ipv4: NameAnswer, ipv6: NameAnswer): Promise<NameServer> {
  const server = await startNameServer((_name, type) => (type === 'A' ? ipv4 : ipv6));
  servers.push(server);
  return server;
}

async function resolveWith(ipv4: NameAnswer, ipv6: NameAnswer): Promise<unknown> {
  const { address } = await nameServer(ipv4, ipv6);
  return resolveByDns('shop.test', [address]).catch(({ code }: { readonly code: string }) => code);
}

const google = { address: '8.8.8.8', family: 4 };
const cloudflare = { address: '2606:4700:4700::1111', family: 6 };

describe('a name', () => {
  it.each<[string, NameAnswer, NameAnswer, unknown]>([
    [
      'both families',
      ['8.8.8.8', '1.1.1.1'],
      ['2606:4700:4700::1111'],
      [google, expect.anything(), cloudflare],
    ],
    ['IPv4 only', ['8.8.8.8'], [], [google]],
    ['IPv6 only', [], ['2606:4700:4700::1111'], [cloudflare]],
    ['IPv4, if the server refuses IPv6', ['8.8.8.8'], 'REFUSED', [google]],
    ['IPv6, if the server fails for IPv4', 'SERVFAIL', ['2606:4700:4700::1111'], [cloudflare]],
    ['no address', [], [], 'ENOTFOUND'],
    ['nothing, because it does not exist', 'NXDOMAIN', 'NXDOMAIN', 'ENOTFOUND'],
    ['no IPv4 address, and an unknown IPv6 address', [], 'SERVFAIL', 'EAI_AGAIN'],
    ['a failure of the server', 'SERVFAIL', 'SERVFAIL', 'EAI_AGAIN'],
  ])('resolves to %s', async (_case, ipv4, ipv6, expected) => {
    expect(await resolveWith(ipv4, ipv6)).toEqual(expected);
  });

  it('resolves to the addresses of one family if the server does not respond for the other', async () => {
    const startedMs = performance.now();
    expect(await Promise.all([resolveWith(['8.8.8.8'], 'SILENCE'), resolveWith('SILENCE', ['::2'])])).toEqual(
      [[google], [{ address: '::2', family: 6 }]],
    );
    expect(performance.now() - startedMs).toBeLessThan(3000);
  });

  it('is queried again if a response is lost', async () => {
    let count = 0;
    const server = await startNameServer(() => {
      count += 1;
      return count <= 2 ? 'SILENCE' : ['8.8.8.8'];
    });
    servers.push(server);
    expect(await resolveByDns('shop.test', [server.address])).toContainEqual(google);
  });

  it('is not valid with a label of 64 characters', async () => {
    const { address } = await nameServer(['8.8.8.8'], []);
    await expect(resolveByDns(`${'x'.repeat(64)}.test`, [address])).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
  });

  it('fails if no name server listens', async () => {
    const server = await nameServer([], []);
    server.close();
    servers.splice(0);
    await expect(resolveByDns('shop.test', [server.address])).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });
});

it('abandons 256 names of an unresponsive server after seconds, and delays no other name', async () => {
  const silent = await nameServer('SILENCE', 'SILENCE');
  const answering = await nameServer(['8.8.8.8'], []);
  const startedMs = performance.now();
  const failures = Array.from({ length: 256 }, (_, i) =>
    resolveByDns(`shop${i}.test`, [silent.address]).catch(({ code }: { readonly code: string }) => code),
  );
  // Lookups of the system share the threads, on which a hanging lookup would occupy one.
  await Promise.all([resolveByDns('fast.test', [answering.address]), dns.lookup('localhost')]);
  expect(performance.now() - startedMs).toBeLessThan(2000);
  expect(new Set(await Promise.all(failures))).toEqual(new Set(['EAI_AGAIN']));
  expect(performance.now() - startedMs).toBeLessThan(6000);
  expect(silent.questions).toContain('AAAA shop255.test');
});

describe('unless private addresses are allowed', () => {
  it('names are resolved by the name servers, and checked', async () => {
    const { address, questions } = await nameServer(['10.0.0.1'], []);
    useNameServer(address);
    const lookup = createGuardedLookup({ allowPrivate: false });
    const code = await new Promise((resolve) =>
      lookup('shop.test', { all: true }, (error) => resolve(error?.code)),
    );
    expect(code).toBe(FORBIDDEN_ADDRESS);
    expect(questions.toSorted()).toEqual(['A shop.test', 'AAAA shop.test']);
  });

  it.each<[string, NameAnswer, NameAnswer]>([
    ['a private address', ['127.0.0.1'], []],
    ['a private address beside a public one', ['8.8.8.8', '192.168.0.1'], []],
    ['a private address of one family', ['8.8.8.8'], ['fd00:ec2::254']],
    ['a mapped private address', [], ['0:0:0:0:0:ffff:7f00:1']],
  ])('nothing is sent to a name that resolves to %s', async (_case, ipv4, ipv6) => {
    const { address } = await nameServer(ipv4, ipv6);
    expect(await post('https://shop.test/', address)).toMatchObject({
      ok: false,
      error: 'The host resolves to an address that is not public.',
    });
  });

  it('an unresponsive server is reported long before the deadline of the request', async () => {
    const { address } = await nameServer('SILENCE', 'SILENCE');
    const result = await post('https://shop.test/', address);
    expect(result).toMatchObject({
      statusCode: null,
      error: 'DNS is temporarily unavailable for the host name.',
    });
    expect(result.latencyMs).toBeLessThan(6000);
  });
});

/** Makes resolvers ask this name server instead of those of the system. */
function useNameServer(address: string): void {
  const { Resolver } = dns;
  vi.spyOn(dns, 'Resolver').mockImplementation(
    class extends Resolver {
      constructor(options?: ConstructorParameters<typeof Resolver>[0]) {
        super(options);
        this.setServers([address]);
      }
    },
  );
}

async function post(url: string, nameServerAddress: string) {
  const lookup = (name: string) => resolveByDns(name, [nameServerAddress]);
  const sender = createSender({ allowPrivate: false, lookup });
  const result = await sender.post({ url, body: '{}', headers: {} });
  await sender.close();
  return result;
}
