import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

import type { SettingsReader } from '#platform/config/settings-reader.ts';
import type { TlsIdentity } from './connections.ts';

/** The setting's text; a missing one is told with what it is. */
export function readRequired(reader: SettingsReader, name: string, what: string): string {
  const text = reader.text(name);
  if (text === undefined) reader.errors.push(`${name} is required: ${what}`);
  return text ?? '';
}

/** An address over HTTPS without a slash at the end: what is sent there is nobody else's to read. */
export function readHttpsUrl(reader: SettingsReader, name: string, example: string): string | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') {
    reader.errors.push(`${name} must be an address like ${example}`);
    return undefined;
  }
  return text.replace(/(?<!\/)\/+$/, '');
}

/**
 * Reads the files that `…CA_FILE`, `…CERT_FILE` and `…KEY_FILE` name. A certificate and a key that do not belong together would
 * otherwise be found out by the first payer.
 *
 * @param mutual the provider asks for our certificate.
 */
export function readTls(
  reader: SettingsReader,
  nameOf: (name: string) => string,
  { mutual }: { readonly mutual: boolean },
): TlsIdentity {
  const [caFile, certFile, keyFile] = [nameOf('CA_FILE'), nameOf('CERT_FILE'), nameOf('KEY_FILE')];
  if (mutual) {
    readRequired(reader, certFile, 'the certificate that the provider knows');
    readRequired(reader, keyFile, 'the private key of the certificate');
  }
  const errorCount = reader.errors.length;
  const [ca, cert, key] = [caFile, certFile, keyFile].map((name) => readPem(reader, name));
  const pair = cert !== undefined && key !== undefined;
  const single = !pair && (cert !== undefined || key !== undefined);
  // What is missing or cannot be read has been told.
  if (reader.errors.length > errorCount || (mutual && !pair)) return { ca, cert, key };
  try {
    if (single) throw new Error('one without the other');
    createSecureContext({ ...(ca === undefined ? {} : { ca }), ...(pair ? { cert, key } : {}) });
  } catch {
    reader.errors.push(
      `${[caFile, certFile, keyFile].join(', ')} must be PEM, and certificate and key must belong together`,
    );
  }
  return { ca, cert, key };
}

/** The file's text; an unreadable one is told by its setting and the system's code. */
function readPem(reader: SettingsReader, name: string): string | undefined {
  const path = reader.text(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    reader.errors.push(`${name} cannot be read: ${code}`);
    return undefined;
  }
}
