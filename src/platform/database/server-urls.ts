import pg from 'pg';

/** Scheme and credentials, hosts, and the rest. A password has its own signs encoded. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is;

/**
 * The servers of an address that names several, as libpq takes them:
 * `postgresql://user:password@one:5432,two:5432/name`. One of them takes writes at a time, and that
 * one is used.
 */
export function serverUrls(url: string): readonly string[] {
  const [, scheme = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => scheme + host + rest) : [url];
}

/**
 * What is wrong with an address, in words that repeat nothing of it, since it may carry a password;
 * undefined if nothing is.
 */
export function findUrlProblem(url: string): string | undefined {
  const addresses = serverUrls(url);
  if (!addresses.every(isUsable)) {
    return 'must be an address like postgresql://user:password@host:5432/name';
  }
  const targetSessionAttrs = /[?&]target_session_attrs=([^&]*)/.exec(url)?.[1];
  if (targetSessionAttrs !== undefined && !['read-write', 'primary', 'any'].includes(targetSessionAttrs)) {
    return 'may ask for target_session_attrs=read-write only: the gateway writes';
  }
  return undefined;
}

const isUsable = (address: string): boolean =>
  URL.canParse(address) && /^postgres(ql)?:$/.test(new URL(address).protocol);

/** Whether the server of a connection takes writes now: neither a standby nor told to take none. */
export async function isWritable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ readOnly: string }>(
    `SELECT current_setting('transaction_read_only') AS "readOnly"`,
  );
  return rows[0]?.readOnly === 'off';
}

/** The same address with the server in front that takes writes now. */
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

/**
 * Of an address that names several servers the one that takes writes, to be used alone; any other
 * address as it is.
 */
export async function findWritableUrl(url: string): Promise<string> {
  const addresses = serverUrls(url);
  if (addresses.length === 1) return url;
  let problem = 'none of its servers takes writes';
  for (const address of addresses) {
    const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5_000 });
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
