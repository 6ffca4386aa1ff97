import { createSecureContext } from 'node:tls';

import ipaddr from 'ipaddr.js';

import { readPemFile } from '#platform/config/pem-file.ts';
import type { SettingsReader } from '#platform/config/settings-reader.ts';
import type { TlsIdentity } from './connections.ts';

/** Reads an HTTPS URL and removes trailing slashes. */
export function readHttpsUrl(reader: SettingsReader, name: string, example: string): string | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') {
    reader.errors.push(`${name} must be a URL such as ${example}`);
    return undefined;
  }
  return text.replace(/(?<!\/)\/+$/, '');
}

/**
 * The sandbox must not move real money, since its clock can be advanced. A provider's address must
 * be on this machine, unless the setting `<NAME>_TEST_ENVIRONMENT` declares it the provider's test
 * system.
 */
export function requireTestSystem(
  reader: SettingsReader,
  prefix: string,
  urls: Readonly<Record<string, string | undefined>>,
): void {
  const declaration = `${prefix}_TEST_ENVIRONMENT`;
  if (reader.boolean(declaration, false)) return;
  for (const [name, url] of Object.entries(urls)) {
    if (url === undefined || url === '' || isLoopback(new URL(url).hostname)) continue;
    reader.errors.push(
      `${name} must be a loopback address in MODE=sandbox; ` +
        `${declaration}=true declares it the provider's test system`,
    );
  }
}

function isLoopback(host: string): boolean {
  const address = host.replaceAll(/[[\]]/g, '');
  if (ipaddr.isValid(address)) return ipaddr.process(address).range() === 'loopback';
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * Reads the files that the settings `…CA_FILE`, `…CERT_FILE` and `…KEY_FILE` name, and checks that
 * certificate and key match.
 *
 * @param mutual whether the provider requires a client certificate.
 */
export function readTls(
  reader: SettingsReader,
  nameOf: (name: string) => string,
  { mutual }: { readonly mutual: boolean },
): TlsIdentity {
  const [caFile, certFile, keyFile] = [nameOf('CA_FILE'), nameOf('CERT_FILE'), nameOf('KEY_FILE')];
  if (mutual) {
    reader.required(certFile, 'the certificate that the provider knows');
    reader.required(keyFile, 'the private key of the certificate');
  }
  const errorCount = reader.errors.length;
  const [ca, cert, key] = [caFile, certFile, keyFile].map((name) => readPem(reader, name));
  const hasPair = cert !== undefined && key !== undefined;
  const hasOneOnly = !hasPair && (cert !== undefined || key !== undefined);
  // Missing and unreadable files are reported already.
  if (reader.errors.length > errorCount || (mutual && !hasPair)) return { ca, cert, key };
  try {
    if (hasOneOnly) throw new Error('certificate without key, or key without certificate');
    createSecureContext({ ...(ca === undefined ? {} : { ca }), ...(hasPair ? { cert, key } : {}) });
  } catch {
    const files = [caFile, certFile, keyFile].join(', ');
    reader.errors.push(`${files} must be PEM, and the key must match the certificate`);
  }
  return { ca, cert, key };
}

function readPem(reader: SettingsReader, name: string): string | undefined {
  const path = reader.text(name);
  if (path === undefined) return undefined;
  const file = readPemFile(path);
  if ('text' in file) return file.text;
  reader.errors.push(`${name} ${file.problem}`);
  return undefined;
}
