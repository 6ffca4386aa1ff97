import { resolve } from 'node:path';

import ipaddr from 'ipaddr.js';

import { findUrlProblem } from '#platform/database/server-urls.ts';
import { isEmail } from '#platform/kit/email.ts';
import { parseFailPoint, type ArmedFailPoint } from '#platform/kit/fail-points.ts';
import { LOG_LEVELS, type LogLevel } from '#platform/kit/log.ts';
import { generatedSecrets, type GeneratedSecrets } from '#platform/config/generated-secrets.ts';
import { readProviderSelections, type ProviderSelections } from '#providers/selection.ts';
import { isPlaceholder, SettingsReader, type Environment } from '#platform/config/settings-reader.ts';
import { validateAgreement, type BoletoAgreement } from '#formats/boleto/agreement.ts';
import { readCnabSettings, type CnabSettings } from '#cnab/exchange/settings.ts';
import { SAMPLERS, type TracingSettings } from '#platform/telemetry/tracing.ts';

/** All that can be set from outside, read once at start. */
export interface Config {
  readonly mode: 'sandbox' | 'production';
  readonly host: string;
  readonly port: number;
  /** Where payers and sellers reach the gateway, without a slash at the end. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** Absent: PostgreSQL runs embedded, its files beneath `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databasePool: number;
  /** Addresses and networks of what stands in front and says whom it calls for (`X-Forwarded-For`); empty: nobody is believed. */
  readonly trustedProxies: readonly string[];
  /** Absent: each node counts rates for itself. */
  readonly redisUrl: string | undefined;
  readonly jwtSecret: Uint8Array;
  /** What was signed with this one counts too, while one replaces the other. */
  readonly jwtSecretPrevious: Uint8Array | undefined;
  /** 32 bytes each; the first seals, all open. */
  readonly encryptionKeys: readonly Buffer[];
  readonly adminEmail: string | undefined;
  readonly adminPassword: string | undefined;
  /** How long a process that is told to stop goes on serving, and says that it will not for long. */
  readonly drainSeconds: number;
  readonly metricsToken: string | undefined;
  /** Where a worker alone serves its metrics; nowhere unless told. */
  readonly metricsPort: number | undefined;
  /** Absent: no traces are kept. */
  readonly tracing: TracingSettings | undefined;
  /** How often the worker recomputes the ledger; 0 for never. */
  readonly ledgerCheckHours: number;
  readonly logLevel: LogLevel;
  readonly verifyDocuments: boolean;
  readonly alphanumericCnpj: boolean;
  readonly webhookAllowPrivate: boolean;
  /** How long events, deliveries and their attempts are kept. */
  readonly webhookLogDays: number;
  /** The operator's agreement with the bank that its boletos are paid through. */
  readonly boletoAgreement: BoletoAgreement;
  /** Who registers boletos and who pays withdrawals out; none makes them unavailable. */
  readonly boletoProvider: 'sandbox' | 'cnab' | undefined;
  readonly payoutProviders: readonly ('sandbox' | 'cnab')[];
  /** Present where either goes by files. */
  readonly cnab: CnabSettings | undefined;
  /** Who moves the money, by method. */
  readonly providers: ProviderSelections;
  /** Where this process is to die, for tests; never set outside the sandbox. */
  readonly failPoint: ArmedFailPoint | undefined;
}

/** A field 26-25 of a BR Code carries 77 characters; `/pix/` and the txid of 32 leave this much for the host. */
const MAX_PUBLIC_HOST_LENGTH = 77 - '/pix/'.length - 32;

/** Every wrong setting, one line each. A value that is a secret is never part of a line. */
export class ConfigError extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
    this.lines = lines;
  }
}

export function readConfig(environment: Environment): Config {
  const reader = new SettingsReader(environment);
  const databaseUrl = readDatabaseUrl(reader);
  const named = reader.choice('MODE', databaseUrl === undefined ? 'sandbox' : 'production', [
    'sandbox',
    'production',
    'live',
  ]);
  const mode = named === 'sandbox' ? 'sandbox' : 'production';
  const sandbox = mode === 'sandbox';
  const host = reader.text('HOST') ?? (sandbox ? '127.0.0.1' : '0.0.0.0');
  const port = reader.integer('PORT', 8080, 1, 65_535);
  const dataDir = resolve(reader.text('DATA_DIR') ?? '.data');
  const adminEmail = reader.text('ADMIN_EMAIL')?.toLowerCase();
  if (adminEmail !== undefined && !isEmail(adminEmail)) {
    reader.errors.push(`ADMIN_EMAIL must be an e-mail address, got ${JSON.stringify(adminEmail)}`);
  }
  const adminPassword = reader.text('ADMIN_PASSWORD');
  if (adminPassword !== undefined && (adminPassword.length < 8 || adminPassword.length > 128)) {
    reader.errors.push('ADMIN_PASSWORD must have 8 to 128 characters');
  }
  const incomplete = (adminEmail === undefined) !== (adminPassword === undefined);
  if (!sandbox && incomplete && !reader.errors.some((line) => line.startsWith('ADMIN_'))) {
    const missing = adminEmail === undefined ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD';
    reader.errors.push(`${missing} is required beside its sibling: together they make the first operator`);
  }
  const boletoAgreement = readBoletoAgreement(reader);
  const boletoProvider = readFileProvider(reader, 'BOLETO_PROVIDER', sandbox);
  const payoutProviders = readPayoutProviders(reader, sandbox);
  const values = {
    mode,
    host,
    port,
    publicUrl: readPublicUrl(reader, host, port, sandbox),
    dataDir,
    databaseUrl,
    databasePool: reader.integer('DATABASE_POOL', 10, 2, 200),
    trustedProxies: readTrustedProxies(reader),
    redisUrl: readRedisUrl(reader),
    adminEmail,
    adminPassword,
    drainSeconds: reader.integer('DRAIN_SECONDS', sandbox ? 0 : 5, 0, 300),
    metricsToken: reader.text('METRICS_TOKEN'),
    metricsPort:
      reader.text('METRICS_PORT') === undefined ? undefined : reader.integer('METRICS_PORT', 0, 1, 65_535),
    tracing: readTracing(reader),
    ledgerCheckHours: reader.integer('LEDGER_CHECK_HOURS', 24, 0, 8_760),
    logLevel: reader.choice('LOG_LEVEL', 'info', LOG_LEVELS),
    verifyDocuments: reader.boolean('VERIFY_DOCUMENTS', !sandbox),
    alphanumericCnpj: reader.boolean('ALPHANUMERIC_CNPJ', false),
    webhookAllowPrivate: reader.boolean('WEBHOOK_ALLOW_PRIVATE', sandbox),
    webhookLogDays: reader.integer('WEBHOOK_LOG_DAYS', 90, 1, 3650),
    boletoAgreement,
    boletoProvider,
    payoutProviders,
    cnab: readCnabSettings(reader, boletoAgreement, {
      boletos: boletoProvider === 'cnab',
      payouts: payoutProviders.includes('cnab'),
    }),
    providers: readProviderSelections(reader, sandbox),
    failPoint: readArmedFailPoint(reader, sandbox),
  } as const;
  const previous = reader.text('JWT_SECRET_PREVIOUS');
  const jwtSecretPrevious =
    previous === undefined ? undefined : readJwtSecret(reader, previous, 'JWT_SECRET_PREVIOUS');
  const given = { jwt: reader.text('JWT_SECRET'), encryption: reader.text('ENCRYPTION_KEY') };
  const jwtGiven = given.jwt === undefined && sandbox ? undefined : readJwtSecret(reader, given.jwt);
  const keysGiven =
    given.encryption === undefined && sandbox ? undefined : readEncryptionKeys(reader, given.encryption);
  // The sandbox makes its own where none are given; it writes to disk, and should not where the start fails anyway.
  if (!sandbox) rejectPlaceholders(reader, { ...given, previous, password: adminPassword });
  if (reader.errors.length > 0) throw new ConfigError(reader.errors);
  if (jwtGiven !== undefined && keysGiven !== undefined) {
    return { ...values, jwtSecret: jwtGiven, jwtSecretPrevious, encryptionKeys: keysGiven };
  }
  const generated = readGeneratedSecrets(dataDir);
  const jwtSecret = jwtGiven ?? readJwtSecret(reader, generated.jwt);
  const encryptionKeys = keysGiven ?? readEncryptionKeys(reader, generated.encryption);
  if (reader.errors.length > 0) throw new ConfigError(reader.errors);
  return { ...values, jwtSecret, jwtSecretPrevious, encryptionKeys };
}

/** OpenTelemetry's own names; the exporter reads further ones (`OTEL_EXPORTER_OTLP_HEADERS` and its siblings) by itself. */
function readTracing(reader: SettingsReader): TracingSettings | undefined {
  const endpoint = reader.text('OTEL_EXPORTER_OTLP_ENDPOINT');
  const sampler = reader.choice('OTEL_TRACES_SAMPLER', 'parentbased_always_on', SAMPLERS);
  const share = reader.text('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const serviceName = reader.text('OTEL_SERVICE_NAME') ?? 'vereda';
  const exportEveryMs = reader.integer('OTEL_BSP_SCHEDULE_DELAY', 1_000, 10, 60_000);
  const exportDeadlineMs = reader.integer('OTEL_EXPORTER_OTLP_TIMEOUT', 5_000, 100, 60_000);
  if (endpoint === undefined) return undefined;
  // The address may carry a password, so the line never repeats it.
  if (!(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol))) {
    reader.errors.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an address like http://127.0.0.1:4318');
  }
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(share)) {
    reader.errors.push(`OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, got ${JSON.stringify(share)}`);
  }
  return {
    endpoint,
    serviceName,
    sampler,
    ratio: Number(share),
    exportIntervalMs: exportEveryMs,
    exportTimeoutMs: exportDeadlineMs,
  };
}

/** Defaults make boletos that no bank pays out to anybody: they are for the sandbox. */
function readBoletoAgreement(reader: SettingsReader): BoletoAgreement {
  const agreement = {
    bankCode: reader.text('BOLETO_BANK') ?? '001',
    agency: reader.text('BOLETO_AGENCY') ?? '0001',
    account: reader.text('BOLETO_ACCOUNT') ?? '12345678',
    agreement: reader.text('BOLETO_AGREEMENT') ?? '1234567',
    wallet: reader.text('BOLETO_WALLET') ?? '17',
  };
  const problem = validateAgreement(agreement);
  if (problem !== null) reader.errors.push(`BOLETO_BANK and its siblings: ${problem}`);
  return agreement;
}

/** In the order of choice: in the sandbox `cnab,sandbox` gives to the sandbox what no file can carry. */
function readPayoutProviders(reader: SettingsReader, sandbox: boolean): readonly ('sandbox' | 'cnab')[] {
  const known = sandbox ? (['cnab', 'sandbox'] as const) : (['cnab'] as const);
  const text = reader.text('PAYOUT_PROVIDER');
  if (text === undefined) return sandbox ? ['sandbox'] : [];
  const named = text.split(',').map((name) => name.trim());
  const found = known.filter((name) => named.includes(name));
  if (found.length === named.length) return named.flatMap((name) => known.filter((one) => one === name));
  reader.errors.push(
    `PAYOUT_PROVIDER must be one or more of ${known.join(', ')}, each once, got ${JSON.stringify(text)}`,
  );
  return [];
}

function readFileProvider(
  reader: SettingsReader,
  name: string,
  sandbox: boolean,
): 'sandbox' | 'cnab' | undefined {
  if (sandbox) return reader.choice<'sandbox' | 'cnab'>(name, 'sandbox', ['sandbox', 'cnab']);
  const text = reader.text(name);
  if (text === undefined || text === 'cnab') return text;
  // Whoever wrote anything else is told so, and not of all that files would need.
  reader.errors.push(`${name} must be one of cnab, got ${JSON.stringify(text)}`);
  return undefined;
}

/** A process that may be told to die does not serve real money. */
function readArmedFailPoint(reader: SettingsReader, sandbox: boolean): ArmedFailPoint | undefined {
  const text = reader.text('FAIL_POINT');
  if (text === undefined) return undefined;
  const armed = parseFailPoint(text);
  if (!sandbox) reader.errors.push('FAIL_POINT is for MODE=sandbox alone');
  else if (armed === undefined) {
    reader.errors.push(
      `FAIL_POINT must be one of src/fail-points.ts, with :N for the Nth time, got ${JSON.stringify(text)}`,
    );
  }
  return armed;
}

function readDatabaseUrl(reader: SettingsReader): string | undefined {
  const text = reader.text('DATABASE_URL');
  // The address may carry a password, so the line never repeats it.
  const failure = text === undefined ? undefined : findUrlProblem(text);
  if (failure !== undefined) reader.errors.push(`DATABASE_URL ${failure}`);
  return text;
}

/** Addresses like 10.0.0.7 and networks like 10.0.0.0/8, separated by commas. */
function readTrustedProxies(reader: SettingsReader): readonly string[] {
  const named = reader.text('TRUSTED_PROXIES')?.split(',') ?? [];
  return named.flatMap((part) => {
    const text = part.trim();
    if (ipaddr.isValid(text) || ipaddr.isValidCIDR(text)) return [text];
    reader.errors.push(
      `TRUSTED_PROXIES must be addresses or networks like 10.0.0.7 or 10.0.0.0/8, separated by commas, got ${JSON.stringify(text)}`,
    );
    return [];
  });
}

function readRedisUrl(reader: SettingsReader): string | undefined {
  const text = reader.text('REDIS_URL');
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const usable =
    url !== undefined &&
    /^rediss?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^(\/\d{0,4})?$/.test(url.pathname);
  // The address may carry a password, so the line never repeats it.
  if (!usable) {
    reader.errors.push(
      'REDIS_URL must be an address like redis://user:password@host:6379/0, or rediss:// for TLS',
    );
  }
  return text;
}

/** Outside the sandbox payers and banks are told this address, and what they send is theirs alone to read. */
function readPublicUrl(reader: SettingsReader, host: string, port: number, sandbox: boolean): string {
  const local = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const fallback = `http://${local}:${port}`;
  const text = reader.text('PUBLIC_URL');
  if (text === undefined) {
    if (!sandbox) {
      reader.errors.push(
        'PUBLIC_URL is required outside the sandbox: an address like https://pay.example.com',
      );
    } else if (fallback.length - 'http://'.length > MAX_PUBLIC_HOST_LENGTH) {
      reader.errors.push(
        `PUBLIC_URL is required: HOST and PORT make an address of more than ${MAX_PUBLIC_HOST_LENGTH} characters`,
      );
    }
    return fallback;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain =
    url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash;
  if (!plain) {
    reader.errors.push('PUBLIC_URL must be an address like https://pay.example.com');
    return fallback;
  }
  if (!sandbox && url.protocol !== 'https:') {
    reader.errors.push('PUBLIC_URL must begin with https:// outside the sandbox');
  }
  const address = url.host + url.pathname.replace(/\/$/, '');
  if (address.length > MAX_PUBLIC_HOST_LENGTH) {
    reader.errors.push(
      `PUBLIC_URL must have at most ${MAX_PUBLIC_HOST_LENGTH} characters after the scheme: a PIX code carries no more`,
    );
  }
  return `${url.protocol}//${address}`;
}

/** Words that stand for a secret in instructions, and keys typed with one finger: nobody chose them. */
function rejectPlaceholders(
  reader: SettingsReader,
  given: {
    readonly jwt: string | undefined;
    readonly previous: string | undefined;
    readonly encryption: string | undefined;
    readonly password: string | undefined;
  },
): void {
  const secrets = [
    ['JWT_SECRET', given.jwt],
    ['JWT_SECRET_PREVIOUS', given.previous],
    ['ENCRYPTION_KEY', given.encryption],
    ['ADMIN_PASSWORD', given.password],
  ] as const;
  for (const [name, text] of secrets) {
    if (text === undefined || reader.errors.some((line) => line.startsWith(`${name} `))) continue;
    if (!isPlaceholder(text)) continue;
    reader.errors.push(`${name} must be a secret of your own outside the sandbox, not a placeholder`);
  }
}

function readJwtSecret(
  reader: SettingsReader,
  text: string | undefined,
  name: 'JWT_SECRET' | 'JWT_SECRET_PREVIOUS' = 'JWT_SECRET',
): Uint8Array {
  if (text === undefined)
    reader.errors.push(`${name} is required outside the sandbox: 32 characters or more`);
  else if (text.length < 32) reader.errors.push(`${name} must have 32 characters or more`);
  return new TextEncoder().encode(text ?? '');
}

function readEncryptionKeys(reader: SettingsReader, text: string | undefined): readonly Buffer[] {
  const form = '32 bytes in base64 or hex (several, newest first, separated by commas)';
  if (text === undefined) {
    reader.errors.push(`ENCRYPTION_KEY is required outside the sandbox: ${form}`);
    return [];
  }
  const keys = text.split(',').map((part) => {
    const key = part.trim();
    if (/^[0-9a-f]{64}$/i.test(key)) return Buffer.from(key, 'hex');
    // Buffer drops what is no base64 without a word, so the form is judged first.
    return Buffer.from(/^[A-Za-z0-9+/_-]{43}=?$/.test(key) ? key : '', 'base64');
  });
  if (keys.some((key) => key.length !== 32)) reader.errors.push(`ENCRYPTION_KEY must be ${form}`);
  return keys;
}

function readGeneratedSecrets(dataDir: string): GeneratedSecrets {
  try {
    return generatedSecrets(dataDir);
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : 'DATA_DIR cannot be used']);
  }
}
