import pg from 'pg';

import { readPemFile } from '#platform/config/pem-file.ts';
import { isLoopback } from '#platform/kit/loopback.ts';

/** Scheme with credentials, hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is;

/**
 * The URL of each server that a libpq URL names, such as
 * `postgresql://user:password@one:5432,two:5432/name`. One of them accepts writes.
 */
export function serverUrls(url: string): readonly string[] {
  const [, scheme = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => scheme + host + rest) : [url];
}

/** Returns what is wrong with a URL, without repeating it, since it may contain a password. */
export function findUrlProblem(url: string): string | undefined {
  const addresses = serverUrls(url);
  if (!addresses.every(isUsable)) {
    return 'must be a URL such as postgresql://user:password@host:5432/name';
  }
  const targetSessionAttrs = /[?&]target_session_attrs=([^&]*)/.exec(url)?.[1];
  if (targetSessionAttrs !== undefined && !['read-write', 'primary', 'any'].includes(targetSessionAttrs)) {
    return 'may ask for target_session_attrs=read-write only: the gateway writes';
  }
  return findCertificateProblem(addresses);
}

/** Files of certificates and keys that a URL names. The client opens them with each connection. */
const CERTIFICATE_PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey'] as const;

function findCertificateProblem(addresses: readonly string[]): string | undefined {
  for (const address of addresses) {
    const { searchParams } = new URL(address);
    for (const name of CERTIFICATE_PARAMETERS) {
      const path = searchParams.get(name);
      if (path === null) continue;
      const file = readPemFile(path);
      if ('problem' in file) return `(${name}) ${file.problem}`;
    }
  }
  return undefined;
}

const isUsable = (address: string): boolean =>
  URL.canParse(address) && /^postgres(ql)?:$/.test(new URL(address).protocol);

/** The values of sslmode with which the client encrypts and verifies the server. */
const VERIFIED_SSL_MODES = ['require', 'verify-ca', 'verify-full'];

/**
 * Whether a URL names a server that is reached over a network without TLS, or with TLS that does
 * not verify the server.
 */
export const isPlaintext = (url: string): boolean =>
  findUrlProblem(url) === undefined && serverUrls(url).some(isPlaintextServer);

function isPlaintextServer(address: string): boolean {
  const { hostname, searchParams } = new URL(address);
  // The client takes the last of repeated parameters, prefers `host` to the host of the address,
  // and connects to PGHOST if neither is there.
  const last = (name: string) => searchParams.getAll(name).at(-1);
  const named = last('host') ?? decodeURIComponent(hostname);
  const host = named === '' ? (process.env['PGHOST'] ?? '') : named;
  if (host === '' || host.startsWith('/') || isLoopback(host)) return false;
  if (last('uselibpqcompat') === 'true') return last('sslmode') !== 'verify-full';
  return !VERIFIED_SSL_MODES.includes(last('sslmode') ?? '');
}

/** Whether the server accepts writes: it is neither a standby nor read-only. */
export async function isWritable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ readOnly: string }>(
    `SELECT current_setting('transaction_read_only') AS "readOnly"`,
  );
  return rows[0]?.readOnly === 'off';
}

/** Returns the URL with the server in front that accepts writes. */
export async function orderWritableFirst(url: string): Promise<string> {
  const addresses = serverUrls(url);
  if (addresses.length === 1) return url;
  const first = await findWritableUrl(url);
  const hosts = [first, ...addresses.filter((address) => address !== first)].map(
    (address) => PARTS.exec(address)?.[2],
  );
  return url.replace(
    PARTS,
    (_, scheme: string, _hosts: string, rest: string) => scheme + hosts.join(',') + rest,
  );
}

const CONNECT_TIMEOUT_MS = 5_000;
const RESPONSE_TIMEOUT_MS = 2_000;

/** Returns the URL of the server that accepts writes; a URL of one server unchanged. */
export async function findWritableUrl(url: string): Promise<string> {
  const addresses = serverUrls(url);
  if (addresses.length === 1) return url;
  let problem = 'none of its servers takes writes';
  for (const address of addresses) {
    const client = new pg.Client({
      connectionString: address,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (await isWritable(client)) return address;
    } catch (error) {
      problem = error instanceof Error && error.message !== '' ? error.message : problem;
    } finally {
      client.end().catch(() => undefined);
    }
  }
  throw new Error(`the database cannot be used: ${problem}; check DATABASE_URL`);
}
