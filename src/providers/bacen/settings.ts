import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

import { isPlaceholder, type SettingsReader } from '#settings-reader.ts';

/** What the operator's contract with a PSP that offers the Central Bank's PIX API says. */
export interface BacenSettings {
  /** The base address of the API, without a slash at the end. */
  readonly url: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** PEM, as all three are. */
  readonly cert: string;
  readonly key: string;
  /** Undefined: Node's own authorities. */
  readonly ca: string | undefined;
  /** The PIX key that is paid to. */
  readonly chave: string;
  /** A part of the callbacks' address that nobody but the PSP knows. */
  readonly webhookSecret: string;
}

/**
 * Reads the settings of one PSP, all of which begin with the prefix (`BACEN`, `BACEN2`). Every wrong one is a line in the
 * reader; what is answered then is never used.
 */
export function readBacenSettings(reader: SettingsReader, prefix: string): BacenSettings {
  const required = (name: string, what: string): string => {
    const text = reader.text(`${prefix}_PIX_${name}`);
    if (text === undefined) reader.wrong.push(`${prefix}_PIX_${name} is required: ${what}`);
    return text ?? '';
  };
  const settings = {
    url: address(reader, `${prefix}_PIX_URL`, required('URL', 'the address of the PIX API')),
    tokenUrl: address(reader, `${prefix}_PIX_TOKEN_URL`, required('TOKEN_URL', 'where tokens are given out')),
    clientId: required('CLIENT_ID', 'as the bank gave it'),
    clientSecret: required('CLIENT_SECRET', 'as the bank gave it'),
    cert: pem(reader, `${prefix}_PIX_CERT_FILE`, required('CERT_FILE', 'the certificate the bank knows')),
    key: pem(reader, `${prefix}_PIX_KEY_FILE`, required('KEY_FILE', 'the private key of the certificate')),
    ca: pem(reader, `${prefix}_PIX_CA_FILE`, reader.text(`${prefix}_PIX_CA_FILE`) ?? '') || undefined,
    chave: required('CHAVE', 'the PIX key that charges are paid to'),
    webhookSecret: required('WEBHOOK_SECRET', '32 characters or more, of letters, digits, - and _'),
  };
  if (settings.chave.length > 77) reader.wrong.push(`${prefix}_PIX_CHAVE must have at most 77 characters`);
  const { webhookSecret } = settings;
  const isGood = /^[\w-]{32,128}$/.test(webhookSecret) && !isPlaceholder(webhookSecret);
  if (webhookSecret !== '' && !isGood) {
    reader.wrong.push(
      `${prefix}_PIX_WEBHOOK_SECRET must be 32 to 128 random letters, digits, - and _: it is a part of an address`,
    );
  }
  const { cert, key, ca } = settings;
  if (cert !== '' && key !== '') checkPair(reader, prefix, cert, key, ca);
  return settings;
}

function address(reader: SettingsReader, name: string, text: string): string {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '') {
    reader.wrong.push(`${name} must be an address like https://pix.example.com/api`);
    return '';
  }
  return text.replace(/\/+$/, '');
}

/** The file's text; an unreadable one is told by its setting and the system's code. */
function pem(reader: SettingsReader, name: string, path: string): string {
  if (path === '') return '';
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    reader.wrong.push(`${name} cannot be read: ${code}`);
    return '';
  }
}

/** A pair that does not fit would otherwise be found out by the first payer. */
function checkPair(
  reader: SettingsReader,
  prefix: string,
  cert: string,
  key: string,
  ca: string | undefined,
): void {
  try {
    createSecureContext({ cert, key, ...(ca === undefined ? {} : { ca }) });
  } catch {
    const names = [`${prefix}_PIX_CERT_FILE`, `${prefix}_PIX_KEY_FILE`, `${prefix}_PIX_CA_FILE`];
    reader.wrong.push(`${names.join(', ')} must be PEM, and certificate and key must belong together`);
  }
}
