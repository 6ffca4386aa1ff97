import { Agent, request, type Dispatcher } from 'undici';

import { parseHttpsUrl } from '#platform/kit/https-url.ts';
import { RecentCache } from '#platform/kit/recent-cache.ts';
import { untilAborted } from '#platform/kit/until-aborted.ts';
import { createGuardedLookup, isHostAllowed, type AddressPolicy } from '#webhooks/address-policy.ts';

interface Logo {
  /** Media type, by the bytes. */
  readonly type: string;
  readonly bytes: Buffer;
}

export interface LogoOptions extends AddressPolicy {
  /** Replaces the trusted certificate authorities, in PEM, for tests. */
  readonly ca?: string;
}

/** Keeps the page below 100 kB. */
const MAX_BYTES = 50_000;
const TIMEOUT_MS = 5_000;
const MAX_CACHED = 200;
const CACHED_MS = 10 * 60_000;

/** No SVG, which may contain scripts. */
const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/webp', /^RIFF.{4}WEBP/s],
];

export type LoadLogo = (url: string) => Promise<Logo | undefined>;

/**
 * Loads the logos of sellers, so that payers load nothing from elsewhere. A logo, or the failure to
 * load it, is cached for ten minutes. Undefined unless it is an image of at most 50 kB at an
 * allowed address.
 */
export function createLogoLoader(options: LogoOptions): LoadLogo {
  const agent = new Agent({
    connections: 2,
    // No idle connections, which would delay the end of the process.
    pipelining: 0,
    connect: {
      timeout: TIMEOUT_MS,
      lookup: createGuardedLookup(options),
      rejectUnauthorized: true,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    },
  });
  const logos = new RecentCache<string, Promise<Logo | undefined>>(MAX_CACHED, CACHED_MS);
  return (url) => logos.get(url, () => load(agent, url, options).catch(() => undefined));
}

async function load(agent: Dispatcher, url: string, policy: AddressPolicy): Promise<Logo | undefined> {
  const target = parseHttpsUrl(url);
  if (!target.ok || !isHostAllowed(target.url, policy)) return undefined;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { accept: 'image/png, image/jpeg, image/webp' };
  // Undici aborts a request that waits for a connection only once it has one.
  const loading = request(target.url, { dispatcher: agent, signal, headers });
  const { statusCode, body } = await untilAborted(signal, loading);
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (statusCode !== 200 || length > MAX_BYTES) return undefined;
    chunks.push(bytes);
  }
  const bytes = Buffer.concat(chunks);
  const start = bytes.toString('latin1', 0, 12);
  const type = SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
  return type === undefined ? undefined : { type, bytes };
}
