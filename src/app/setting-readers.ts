import { readFileSync } from 'node:fs';

import ipaddr from 'ipaddr.js';

import { validateAgreement, type BoletoAgreement } from '#formats/boleto/agreement.ts';
import type { Mode } from '#platform/config/settings.ts';
import { isPlaceholder, type SettingsReader } from '#platform/config/settings-reader.ts';
import type { MasterKeySource } from '#platform/crypto/master-key.ts';
import { errorCode } from '#platform/kit/errors.ts';
import { isLoopback } from '#platform/kit/loopback.ts';
import { isEmail } from '#platform/kit/email.ts';
import { parseFailPoint, type ArmedFailPoint } from '#platform/kit/fail-points.ts';
import type { SmtpSettings } from '#notifications/sender.ts';
import { signingKey } from '#webhooks/signature.ts';
import type { LedgerHeadTarget } from './ledger-heads.ts';
import { SAMPLERS, type TracingSettings } from '#platform/telemetry/tracing.ts';

/**
 * Readers of settings over several variables, and checks that return what is wrong with a value.
 */

/**
 * A BR Code carries 77 characters in field 26-25; `/pix/` and the txid of 32 leave this many to the
 * host.
 */
export const MAX_PUBLIC_HOST_LENGTH = 77 - '/pix/'.length - 32;

const ENCRYPTION_KEY_FORM = '32 bytes in base64 or hex (several, newest first, separated by commas)';

export function publicUrlProblem(text: string, mode: Mode): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    return 'must be a URL such as https://pay.example.com';
  }
  if (mode === 'production' && url.protocol !== 'https:') {
    return 'must start with https:// outside the sandbox';
  }
  if (withoutTrailingSlash(url).length - `${url.protocol}//`.length > MAX_PUBLIC_HOST_LENGTH) {
    const limit = `at most ${MAX_PUBLIC_HOST_LENGTH} characters after the scheme`;
    return `must have ${limit}, because Pix codes contain it`;
  }
  return undefined;
}

export const withoutTrailingSlash = ({ protocol, host, pathname }: URL): string =>
  `${protocol}//${host}${pathname.replace(/\/$/, '')}`;

export function redisUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  const isRedis = url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
  if (isRedis && /^(\/\d{0,4})?$/.test(url.pathname)) return undefined;
  return 'must be a URL such as redis://user:password@host:6379/0, or rediss:// for TLS';
}

/** Whether a URL of Redis names a server that is reached over a network without TLS. */
export function isPlaintextRedis(text: string): boolean {
  const url = redisUrlProblem(text) === undefined ? URL.parse(text) : null;
  return url?.protocol === 'redis:' && !isLoopback(url.hostname);
}

export function jwtSecretProblem({ length }: string): string | undefined {
  return length < 32 ? 'must have 32 characters or more' : undefined;
}

/** A key that is not 32 bytes becomes one of another length. */
export const parseEncryptionKeys = (text: string): readonly Buffer[] =>
  text.split(',').map((part) => {
    const key = part.trim();
    if (/^[0-9a-f]{64}$/i.test(key)) return Buffer.from(key, 'hex');
    // Buffer ignores characters that are not base64, so the form is checked first.
    return Buffer.from(/^[A-Za-z0-9+/_-]{43}=?$/.test(key) ? key : '', 'base64');
  });

export function readTrustedProxies(reader: SettingsReader): readonly string[] {
  const addresses =
    reader
      .text('TRUSTED_PROXIES')
      ?.split(',')
      .map((part) => part.trim()) ?? [];
  for (const address of addresses) {
    if (ipaddr.isValid(address) || ipaddr.isValidCIDR(address)) continue;
    reader.errors.push(
      'TRUSTED_PROXIES must be addresses or networks such as 10.0.0.7 or 10.0.0.0/8, separated by commas, ' +
        `got ${JSON.stringify(address)}`,
    );
  }
  return addresses;
}

/** The names are those of OpenTelemetry. */
export function readTracing(reader: SettingsReader): TracingSettings | undefined {
  const endpoint = reader.text('OTEL_EXPORTER_OTLP_ENDPOINT');
  const sampler = reader.choice('OTEL_TRACES_SAMPLER', 'parentbased_always_on', SAMPLERS);
  const ratio = reader.text('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const serviceName = reader.text('OTEL_SERVICE_NAME') ?? 'vereda';
  const exportIntervalMs = reader.integer('OTEL_BSP_SCHEDULE_DELAY', 1_000, 10, 60_000);
  const exportTimeoutMs = reader.integer('OTEL_EXPORTER_OTLP_TIMEOUT', 5_000, 100, 60_000);
  if (endpoint === undefined) return undefined;
  // The address may contain a password, so the message does not repeat it.
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    reader.errors.push('OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://127.0.0.1:4318');
  }
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(ratio)) {
    reader.errors.push(`OTEL_TRACES_SAMPLER_ARG must be a ratio from 0 to 1, got ${JSON.stringify(ratio)}`);
  }
  return { endpoint, serviceName, sampler, ratio: Number(ratio), exportIntervalMs, exportTimeoutMs };
}

/** The defaults are for the sandbox only: no bank pays out boletos of that agreement. */
export function readBoletoAgreement(reader: SettingsReader): BoletoAgreement {
  const agreement = {
    bankCode: reader.text('BOLETO_BANK') ?? '001',
    agency: reader.text('BOLETO_AGENCY') ?? '0001',
    account: reader.text('BOLETO_ACCOUNT') ?? '12345678',
    agreement: reader.text('BOLETO_AGREEMENT') ?? '1234567',
    wallet: reader.text('BOLETO_WALLET') ?? '17',
  };
  const problem = validateAgreement(agreement);
  if (problem !== null) reader.errors.push(nameSetting(problem));
  return agreement;
}

const BOLETO_SETTINGS: Readonly<Record<string, string>> = {
  bankCode: 'BOLETO_BANK',
  agency: 'BOLETO_AGENCY',
  account: 'BOLETO_ACCOUNT',
  agreement: 'BOLETO_AGREEMENT',
  wallet: 'BOLETO_WALLET',
};

/** The problem with the name of the setting instead of the member in front. */
const nameSetting = (problem: string): string =>
  problem.replace(/^\w+/, (member) => BOLETO_SETTINGS[member] ?? member);

type FileProvider = 'sandbox' | 'cnab';

export function readBoletoProvider(reader: SettingsReader, mode: Mode): FileProvider | undefined {
  return mode === 'sandbox'
    ? reader.choice('BOLETO_PROVIDER', 'sandbox', ['sandbox', 'cnab'])
    : reader.choice('BOLETO_PROVIDER', undefined, ['cnab']);
}

/** Returns the providers in the order in which they are tried. */
export function readPayoutProviders(reader: SettingsReader, mode: Mode): readonly FileProvider[] {
  const known: readonly FileProvider[] = mode === 'sandbox' ? ['cnab', 'sandbox'] : ['cnab'];
  const text = reader.text('PAYOUT_PROVIDER');
  if (text === undefined) return mode === 'sandbox' ? ['sandbox'] : [];
  const names = text.split(',').map((name) => name.trim());
  const providers = names.flatMap((name) => known.filter((provider) => provider === name));
  if (providers.length === names.length && new Set(names).size === names.length) return providers;
  reader.errors.push(
    `PAYOUT_PROVIDER must be one or more of ${known.join(', ')}, each once, got ${JSON.stringify(text)}`,
  );
  return [];
}

export function readLedgerHeads(reader: SettingsReader): LedgerHeadTarget | undefined {
  const [url, secret] = [reader.text('LEDGER_HEAD_URL'), reader.text('LEDGER_HEAD_SECRET')];
  if (url === undefined && secret === undefined) return undefined;
  const parsed = URL.parse(url ?? '');
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '') {
    reader.errors.push('LEDGER_HEAD_URL must be an https:// URL without credentials');
  }
  if (secret === undefined || !isWebhookSecret(secret)) {
    reader.errors.push('LEDGER_HEAD_SECRET must be whsec_ and 24 to 64 bytes in base64');
  }
  return { url: url ?? '', secret: secret ?? '' };
}

/** The server and the sender of mails. */
export interface MailSettings {
  readonly smtp: SmtpSettings | undefined;
  /** Undefined for an address at the host of PUBLIC_URL. */
  readonly from: string | undefined;
}

export function readMailSettings(reader: SettingsReader, mode: Mode): MailSettings {
  const [url, from] = [reader.text('SMTP_URL'), reader.text('MAIL_FROM')];
  if (from !== undefined && !isSenderAddress(from))
    reader.errors.push('MAIL_FROM must be an email address such as no-reply@example.com');
  const smtp = url === undefined ? undefined : parseSmtpUrl(url, mode);
  if (url !== undefined && smtp === undefined)
    reader.errors.push('SMTP_URL must be a URL such as smtp://user:password@host:587, or smtps:// for TLS');
  return { smtp, from };
}

/** The host may be a name without a dot, as inside a network. */
const isSenderAddress = (text: string): boolean => isEmail(text) || /^[\w.+-]+@[A-Za-z\d-]+$/.test(text);

function parseSmtpUrl(text: string, mode: Mode): SmtpSettings | undefined {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined;
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined;
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const [user, pass] = [url.username, url.password].map(decodeUserInfo);
  if (user === undefined || pass === undefined) return undefined;
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    auth: user === '' ? undefined : { user, pass },
    requireTls: !secure && mode === 'production' && !isLoopback(host),
  };
}

function decodeUserInfo(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isWebhookSecret(secret: string): boolean {
  try {
    return signingKey(secret).type === 'secret';
  } catch {
    return false;
  }
}

/** A fail point kills the process, so that production rejects the setting. */
export function readFailPoint(reader: SettingsReader, mode: Mode): ArmedFailPoint | undefined {
  const text = reader.text('FAIL_POINT');
  if (text === undefined) return undefined;
  const failPoint = parseFailPoint(text);
  if (mode === 'production') reader.errors.push('FAIL_POINT is allowed in MODE=sandbox only');
  else if (failPoint === undefined) {
    reader.errors.push(
      'FAIL_POINT must be one of src/platform/kit/fail-points.ts, with :N for the Nth time, ' +
        `got ${JSON.stringify(text)}`,
    );
  }
  return failPoint;
}

/** The sources of the master key that are set. */
export function readMasterKeys(reader: SettingsReader, mode: Mode): readonly MasterKeySource[] {
  const [key, file] = [reader.text('ENCRYPTION_KEY'), reader.text('ENCRYPTION_KEY_FILE')];
  const command = reader.text('ENCRYPTION_KEY_COMMAND');
  const sources: MasterKeySource[] = [];
  if (key !== undefined) {
    sources.push({
      setting: 'ENCRYPTION_KEY',
      keys: checkedKeys(reader, mode, 'ENCRYPTION_KEY must be', key),
    });
  }
  if (file !== undefined) {
    const text = readKeyFile(reader, file);
    const form = 'ENCRYPTION_KEY_FILE must contain';
    if (text !== undefined) {
      sources.push({ setting: 'ENCRYPTION_KEY_FILE', keys: checkedKeys(reader, mode, form, text) });
    }
  }
  if (command !== undefined) {
    sources.push({ setting: 'ENCRYPTION_KEY_COMMAND', command: command.split(/\s+/) });
  }
  return sources;
}

function checkedKeys(reader: SettingsReader, mode: Mode, must: string, text: string): readonly Buffer[] {
  const keys = parseEncryptionKeys(text);
  if (!keys.every(({ length }) => length === 32)) reader.errors.push(`${must} ${ENCRYPTION_KEY_FORM}`);
  else if (mode === 'production' && isPlaceholder(text)) {
    reader.errors.push(`${must} a secret of your own outside the sandbox, not a placeholder`);
  }
  return keys;
}

function readKeyFile(reader: SettingsReader, file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const reason = errorCode(error) ?? 'unreadable';
    reader.errors.push(`ENCRYPTION_KEY_FILE must name a file that can be read, got ${file} (${reason})`);
    return undefined;
  }
}

const SOURCE_NAMES = 'ENCRYPTION_KEY, ENCRYPTION_KEY_FILE or ENCRYPTION_KEY_COMMAND';

/** Reports other than one source; the sandbox generates one. */
export function checkMasterKeyCount(
  reader: SettingsReader,
  mode: Mode,
  { length }: readonly MasterKeySource[],
): void {
  if (reader.errors.some((line) => line.startsWith('ENCRYPTION_KEY'))) return;
  if (length > 1) reader.errors.push(`ENCRYPTION_KEY: set only one of ${SOURCE_NAMES}`);
  else if (length === 0 && mode === 'production') {
    reader.errors.push(
      'ENCRYPTION_KEY is required outside the sandbox, unless ENCRYPTION_KEY_FILE or ' +
        `ENCRYPTION_KEY_COMMAND is set: ${ENCRYPTION_KEY_FORM}`,
    );
  }
}

export function emailProblem(text: string): string | undefined {
  return isEmail(text.toLowerCase()) ? undefined : `must be an email address, got ${JSON.stringify(text)}`;
}
