import { readHttpsUrl, readRequired, readTls } from '#providers/connection-settings.ts';
import type { TlsIdentity } from '#providers/connections.ts';
import { isPlaceholder, type SettingsReader } from '#platform/config/settings-reader.ts';

/** What the operator's contract with a PSP that offers the Central Bank's PIX API says. */
export interface BacenSettings {
  /** The base address of the API, without a slash at the end. */
  readonly url: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tls: TlsIdentity;
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
  const nameOf = (name: string) => `${prefix}_PIX_${name}`;
  const required = (name: string, what: string) => readRequired(reader, nameOf(name), what);
  const address = (name: string, what: string): string => {
    if (required(name, what) === '') return '';
    return readHttpsUrl(reader, nameOf(name), 'https://pix.example.com/api') ?? '';
  };
  const settings = {
    url: address('URL', 'the address of the PIX API'),
    tokenUrl: address('TOKEN_URL', 'where tokens are given out'),
    clientId: required('CLIENT_ID', 'as the bank gave it'),
    clientSecret: required('CLIENT_SECRET', 'as the bank gave it'),
    tls: readTls(reader, nameOf, { mutual: true }),
    chave: required('CHAVE', 'the PIX key that charges are paid to'),
    webhookSecret: required('WEBHOOK_SECRET', '32 characters or more, of letters, digits, - and _'),
  };
  if (settings.chave.length > 77) reader.errors.push(`${prefix}_PIX_CHAVE must have at most 77 characters`);
  const { webhookSecret } = settings;
  const isGood = /^[\w-]{32,128}$/.test(webhookSecret) && !isPlaceholder(webhookSecret);
  if (webhookSecret !== '' && !isGood) {
    reader.errors.push(
      `${prefix}_PIX_WEBHOOK_SECRET must be 32 to 128 random letters, digits, - and _: it is a part of an address`,
    );
  }
  return settings;
}
