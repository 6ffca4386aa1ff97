import { readHttpsUrl, readTls, requireTestSystem } from '#providers/connection-settings.ts';
import type { TlsIdentity } from '#providers/connections.ts';
import type { Mode } from '#platform/config/settings.ts';
import { isPlaceholder, type SettingsReader } from '#platform/config/settings-reader.ts';

const ACCOUNT_TYPES = ['CORRENTE', 'POUPANCA', 'PAGAMENTO'] as const;

/** The values of the API. */
interface ReceivingAccount {
  readonly agencia?: string;
  readonly conta: string;
  readonly tipoConta: (typeof ACCOUNT_TYPES)[number];
}

/** The operator's contract with a PSP that offers the Central Bank's Pix API. */
export interface BacenSettings {
  /** Base URL of the API, without a trailing slash. */
  readonly url: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tls: TlsIdentity;
  /** The account that receives Pix Automático; undefined: the bank's contract excludes it. */
  readonly receiver: ReceivingAccount | undefined;
  /** The Pix key that receives payments. */
  readonly chave: string;
  /** Secret part of the callback URL. */
  readonly webhookSecret: string;
  /** Secret part of the URL of MED notices, which cannot be read from the PSP. */
  readonly medSecret: string;
  /** Payments in callbacks are applied without reading them from the PSP. */
  readonly trustCallbacks: boolean;
}

/**
 * Reads the settings of one PSP, whose names begin with the prefix (`BACEN`, `BACEN2`). Invalid
 * settings are reported in `reader.errors`, and the result must then not be used.
 */
export function readBacenSettings(reader: SettingsReader, prefix: string, mode: Mode): BacenSettings {
  const nameOf = (name: string) => `${prefix}_PIX_${name}`;
  const required = (name: string, what: string) => reader.required(nameOf(name), what);
  const address = (name: string, what: string): string => {
    if (required(name, what) === '') return '';
    return readHttpsUrl(reader, nameOf(name), 'https://pix.example.com/api') ?? '';
  };
  const webhookSecret = required('WEBHOOK_SECRET', '32 characters or more, of letters, digits, - and _');
  const medSecret = reader.text(nameOf('MED_SECRET'));
  const settings = {
    url: address('URL', 'the base URL of the Pix API'),
    tokenUrl: address('TOKEN_URL', 'the OAuth2 token endpoint'),
    clientId: required('CLIENT_ID', 'issued by the bank'),
    clientSecret: required('CLIENT_SECRET', 'issued by the bank'),
    tls: readTls(reader, nameOf, { mutual: true }),
    receiver: readReceiver(reader, nameOf),
    chave: required('CHAVE', 'the Pix key that receives payments'),
    webhookSecret,
    medSecret: medSecret ?? webhookSecret,
    trustCallbacks: reader.boolean(nameOf('TRUST_CALLBACKS'), false),
  };
  if (mode === 'sandbox') {
    const { url, tokenUrl } = settings;
    requireTestSystem(reader, prefix, { [nameOf('URL')]: url, [nameOf('TOKEN_URL')]: tokenUrl });
  }
  if (settings.chave.length > 77) reader.errors.push(`${prefix}_PIX_CHAVE must have at most 77 characters`);
  checkUrlSecret(reader, nameOf('WEBHOOK_SECRET'), webhookSecret);
  checkUrlSecret(reader, nameOf('MED_SECRET'), medSecret ?? '');
  return settings;
}

function checkUrlSecret(reader: SettingsReader, name: string, secret: string): void {
  if (secret === '' || (/^[\w-]{32,128}$/.test(secret) && !isPlaceholder(secret))) return;
  const form = '32 to 128 random letters, digits, - and _, because it is part of a URL';
  reader.errors.push(`${name} must be ${form}`);
}

/** Pix Automático names the account that receives. Without it, it is not offered. */
function readReceiver(
  reader: SettingsReader,
  nameOf: (name: string) => string,
): ReceivingAccount | undefined {
  const conta = reader.text(nameOf('ACCOUNT'));
  const agencia = reader.text(nameOf('ACCOUNT_BRANCH'));
  const type = reader.text(nameOf('ACCOUNT_TYPE')) ?? 'CORRENTE';
  const tipoConta = ACCOUNT_TYPES.find((known) => known === type);
  if (tipoConta === undefined)
    reader.errors.push(`${nameOf('ACCOUNT_TYPE')} must be one of ${ACCOUNT_TYPES.join(', ')}`);
  if (conta === undefined || tipoConta === undefined) return undefined;
  if (!/^\d{1,20}$/.test(conta)) reader.errors.push(`${nameOf('ACCOUNT')} must be 1 to 20 digits`);
  if (agencia !== undefined && !/^\d{1,4}$/.test(agencia))
    reader.errors.push(`${nameOf('ACCOUNT_BRANCH')} must be 1 to 4 digits`);
  return { ...(agencia === undefined ? {} : { agencia }), conta, tipoConta };
}
