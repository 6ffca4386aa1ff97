import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { NamedValue } from '#platform/config/settings-reader.ts';

const DAY_MS = 24 * 3_600_000;
/** Certificates that expire earlier are reported. */
const MIN_DAYS_LEFT = 30;

export interface Expiry {
  readonly name: string;
  readonly validTo: Date;
}

/** CA files contain expired certificates beside current ones, so the last expiry counts. */
const isAuthority = (name: string): boolean => /CA_|sslrootcert/.test(name);

/** When the certificates of each file expire. Of a chain, the first expiry counts. */
export async function findFileExpiries(files: readonly NamedValue[]): Promise<readonly Expiry[]> {
  const found = await Promise.all(
    files.map(async ({ name, value }) => {
      const text = await readFile(value, 'utf8');
      const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
      const ends = blocks.map((pem) => new X509Certificate(pem).validToDate.getTime());
      if (ends.length === 0) return [];
      return [{ name, validTo: new Date(isAuthority(name) ? Math.max(...ends) : Math.min(...ends)) }];
    }),
  );
  return found.flat();
}

/** When the certificate of a server expires, whether or not its issuer is trusted. */
export function findServerExpiry(url: URL): Promise<Expiry> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = url;
    const socket = connectTls({
      host: hostname,
      port: Number(port === '' ? 443 : port),
      servername: hostname,
      rejectUnauthorized: false,
      timeout: 4_000,
    });
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      socket.destroy();
      resolve({ name: url.host, validTo: new Date(validTo) });
    });
    socket.once('timeout', () => socket.destroy(new Error('no response')));
    socket.once('error', reject);
  });
}

/** Returns those that expire soon, the first one first. */
export const findExpiringSoon = (expiries: readonly Expiry[], now: Date): readonly Expiry[] =>
  expiries
    .filter(({ validTo }) => validTo.getTime() - now.getTime() < MIN_DAYS_LEFT * DAY_MS)
    .toSorted((a, b) => a.validTo.getTime() - b.validTo.getTime());

/** Opens and closes a connection to the host of a URL. */
export function checkReachable(url: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({
      host: url.hostname,
      port: Number(url.port === '' ? 443 : url.port),
      timeout: 4_000,
    });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => socket.destroy(new Error('no response')));
    socket.once('error', reject);
  });
}
