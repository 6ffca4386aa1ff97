import { promises as dns } from 'node:dns';

/** An address as returned by `dns.lookup`. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name to all its addresses. Rejects with a code such as `ENOTFOUND`. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

const ATTEMPT_MS = 1000;
const ATTEMPTS = 3;
const DEADLINE_MS = 4000;
/** How long the answer of one address family waits for the other one: one attempt may be lost. */
const OTHER_FAMILY_MS = 1500;
/** Codes of c-ares for names without addresses of a family. The others are failures of DNS. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Resolves as the system does, including `/etc/hosts`. A name whose name server does not answer
 * occupies one of the few threads of the process for many seconds.
 */
export const resolveBySystem: Resolve = (hostname) => dns.lookup(hostname, { all: true });

/**
 * Asks the name servers of the system for both address families, without a thread and for at most
 * four seconds. The addresses of one family suffice. Otherwise rejects with the codes of
 * `dns.lookup`: `ENOTFOUND` if the name has no address, `EAI_AGAIN` if that is unknown. `servers`
 * replaces the name servers, for tests.
 */
export async function resolveByDns(
  hostname: string,
  servers?: readonly string[],
): Promise<readonly ResolvedAddress[]> {
  // A new one for each name: it reads the system's current name servers, and is canceled alone.
  const resolver = new dns.Resolver({ timeout: ATTEMPT_MS, tries: ATTEMPTS });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  const timers = [setTimeout(cancel, DEADLINE_MS)];
  const withFamily = async (family: number, query: Promise<string[]>): Promise<ResolvedAddress[]> => {
    const addresses = await query;
    timers.push(setTimeout(cancel, OTHER_FAMILY_MS));
    return addresses.map((address) => ({ address, family }));
  };
  const results = await Promise.allSettled([
    withFamily(4, resolver.resolve4(hostname)),
    withFamily(6, resolver.resolve6(hostname)),
  ]);
  for (const timer of timers) clearTimeout(timer);
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length > 0) return addresses;
  const hasNone = results.every(
    (result) => result.status === 'fulfilled' || NO_ADDRESS.has(String(result.reason.code)),
  );
  throw Object.assign(new Error('DNS lookup failed.'), { code: hasNone ? 'ENOTFOUND' : 'EAI_AGAIN' });
}
