import { resolve } from 'node:path';

import { readCnabSettings, type CnabSettings } from '#cnab/exchange/settings.ts';
import { isCommonPassword, loadPasswordEstimator } from '#identity/users/password-policy.ts';
import { generatedSecrets, type GeneratedSecrets } from '#platform/config/generated-secrets.ts';
import type { MasterKeySource } from '#platform/crypto/master-key.ts';
import { embeddedExists } from '#platform/database/embedded.ts';
import { isPlaintext, serverUrls } from '#platform/database/server-urls.ts';
import { readPemFile } from '#platform/config/pem-file.ts';
import { findMisspelledNames } from '#platform/config/misspelled-names.ts';
import { addressesOf } from '#providers/selection.ts';
import { readSettings, type Mode, type SettingValues } from '#platform/config/settings.ts';
import { SettingsReader, type Environment, type NamedValue } from '#platform/config/settings-reader.ts';
import {
  checkMasterKeyCount,
  isPlaintextRedis,
  MAX_PUBLIC_HOST_LENGTH,
  parseEncryptionKeys,
  withoutTrailingSlash,
} from './setting-readers.ts';
import { MODE_SETTINGS, SETTINGS } from './settings.ts';

type Settings = SettingValues<typeof SETTINGS>;

/**
 * The configuration of the whole program, read once at start. docs/configuration.md explains the
 * settings.
 */
export interface Config extends Omit<
  Settings,
  'publicUrl' | 'jwtSecret' | 'jwtSecretPrevious' | 'masterKeys'
> {
  readonly mode: Mode;
  /** Undefined starts an embedded PostgreSQL with its files in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly jwtSecret: Uint8Array;
  /** Also accepted for verification, while one secret replaces the other. */
  readonly jwtSecretPrevious: Uint8Array | undefined;
  readonly masterKey: MasterKeySource;
  /** Present if boletos or payouts are exchanged as files. */
  readonly cnab: CnabSettings | undefined;
  /** The files of certificates, by their settings. */
  readonly certificateFiles: readonly NamedValue[];
  /** The addresses of external providers, by their settings. */
  readonly providerUrls: readonly NamedValue[];
  /** Settings that only the sandbox accepts. */
  readonly warnings: readonly string[];
}

/** The settings of a command that only opens the database. */
export type DatabaseConfig = Pick<Config, 'mode' | 'databaseUrl' | 'dataDir' | 'logLevel' | 'warnings'>;

/** The settings of a command that also numbers bank files. */
export type RestoreConfig = DatabaseConfig & Pick<Config, 'cnab'>;

/** The settings of a command that also reads encrypted values. */
export interface EncryptionConfig extends DatabaseConfig, Pick<Config, 'masterKey' | 'failPoint'> {
  /** Present while data keys move from one source of the master key to another. */
  readonly masterKeyFrom: MasterKeySource | undefined;
}

/** One line for each wrong setting. A secret value is never part of a line. */
export class ConfigError extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
    this.lines = lines;
  }
}

/**
 * Reads the settings of the gateway.
 *
 * @throws ConfigError
 */
export function readConfig(environment: Environment): Config {
  const { reader, masterKeys, ...read } = readEnvironment(environment);
  const { mode, databaseUrl, warnings } = read;
  const { publicUrl, jwtSecret, jwtSecretPrevious, ...settings } = read.settings;
  checkFirstOperator(reader, settings, mode);
  const localUrl = localUrlOf(settings);
  if (publicUrl === undefined && mode === 'sandbox') checkLocalUrl(reader, localUrl);
  // Generated secrets are written to disk, so nothing is generated when the start fails anyway.
  if (reader.errors.length > 0) throw new ConfigError(reader.errors);
  const dataDir = resolve(settings.dataDir);
  const [given] = masterKeys;
  const isComplete = jwtSecret !== undefined && given !== undefined;
  const generated = isComplete ? undefined : readGeneratedSecrets(dataDir);
  const encoder = new TextEncoder();
  return {
    ...settings,
    mode,
    databaseUrl,
    dataDir,
    warnings,
    cnab: read.cnab,
    certificateFiles: [
      ...reader.given(/_(?:CA|CERT)_FILE$|^NODE_EXTRA_CA_CERTS$/),
      ...certificatesOf(databaseUrl),
    ],
    providerUrls: addressesOf(settings.providers),
    publicUrl: publicUrl === undefined ? localUrl : withoutTrailingSlash(new URL(publicUrl)),
    adminEmail: settings.adminEmail?.toLowerCase(),
    jwtSecret: encoder.encode(jwtSecret ?? generated?.jwt),
    jwtSecretPrevious: jwtSecretPrevious === undefined ? undefined : encoder.encode(jwtSecretPrevious),
    masterKey: given ?? generatedMasterKey(generated),
  };
}

/** Of the files that a database URL names, the certificates. */
function certificatesOf(databaseUrl: string | undefined): readonly NamedValue[] {
  const [first] = databaseUrl === undefined ? [] : serverUrls(databaseUrl);
  if (first === undefined) return [];
  return ['sslrootcert', 'sslcert'].flatMap((name) => {
    const value = new URL(first).searchParams.get(name);
    return value === null ? [] : [{ name: `DATABASE_URL (${name})`, value }];
  });
}

const DATABASE_ERROR = /^(?:DATABASE_|MODE |DATA_DIR|LOG_LEVEL )|is not a setting/;
const FILE_ERROR = /^(?:BOLETO_|CNAB_|PAYOUT_PROVIDER )/;
const KEY_ERROR = /^(?:ENCRYPTION_KEY|FAIL_POINT )/;

/**
 * Reads the settings of a command that opens the database only. Other settings may be missing or
 * wrong.
 *
 * @throws ConfigError
 */
export function readDatabaseConfig(environment: Environment): DatabaseConfig {
  const { reader, mode, databaseUrl, warnings, settings } = readEnvironment(environment);
  throwMatching(reader, [DATABASE_ERROR]);
  return { mode, databaseUrl, warnings, dataDir: resolve(settings.dataDir), logLevel: settings.logLevel };
}

/**
 * Reads the settings of a command that opens the database and numbers the files for the bank.
 *
 * @throws ConfigError
 */
export function readRestoreConfig(environment: Environment): RestoreConfig {
  const { reader, cnab } = readEnvironment(environment);
  throwMatching(reader, [DATABASE_ERROR, FILE_ERROR]);
  return { ...readDatabaseConfig(environment), cnab };
}

/**
 * Refuses to go on without a database: only a start of the gateway creates the embedded one.
 *
 * @throws ConfigError
 */
export function requireEmbedded({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void {
  if (databaseUrl !== undefined || embeddedExists(dataDir)) return;
  throw new ConfigError([
    `DATA_DIR ${dataDir} contains no embedded database: set DATABASE_URL, or run npm start first`,
  ]);
}

/**
 * Reads the settings of a command that reads encrypted values. `masterKeyFrom` names the setting of
 * a second source of the master key, which is otherwise refused.
 *
 * @throws ConfigError
 */
export function readEncryptionConfig(
  environment: Environment,
  masterKeyFrom?: MasterKeySource['setting'],
): EncryptionConfig {
  const { reader, mode, databaseUrl, warnings, settings, masterKeys, otherMasterKey } = readEnvironment(
    environment,
    masterKeyFrom,
  );
  throwMatching(reader, [DATABASE_ERROR, KEY_ERROR]);
  const dataDir = resolve(settings.dataDir);
  requireEmbedded({ databaseUrl, dataDir });
  return {
    mode,
    databaseUrl,
    warnings,
    dataDir,
    logLevel: settings.logLevel,
    failPoint: settings.failPoint,
    masterKey: masterKeys[0] ?? generatedMasterKey(readGeneratedSecrets(dataDir)),
    masterKeyFrom: otherMasterKey,
  };
}

function throwMatching({ errors }: SettingsReader, patterns: readonly RegExp[]): void {
  const lines = errors.filter((line) => patterns.some((pattern) => pattern.test(line)));
  if (lines.length > 0) throw new ConfigError(lines);
}

const generatedMasterKey = (generated: GeneratedSecrets | undefined): MasterKeySource => ({
  setting: 'ENCRYPTION_KEY',
  keys: parseEncryptionKeys(generated?.encryption ?? ''),
});

/** Reads every setting, so that the names of all are known. The reader collects the errors. */
function readEnvironment(environment: Environment, masterKeyFrom?: MasterKeySource['setting']) {
  const reader = new SettingsReader(environment);
  const databaseUrl = MODE_SETTINGS.databaseUrl.read(reader, 'production');
  const mode = MODE_SETTINGS.mode.read(reader, databaseUrl === undefined ? 'sandbox' : 'production');
  const { masterKeys, ...settings } = readSettings(SETTINGS, reader, mode);
  const isFrom = ({ setting }: MasterKeySource): boolean => setting === masterKeyFrom;
  const current = masterKeys.filter((source) => !isFrom(source));
  checkMasterKeyCount(reader, mode, current);
  if (mode === 'production') {
    if (reader.text('DATABASE_URL') === undefined) {
      reader.errors.push(
        'DATABASE_URL is required outside the sandbox: postgresql://user:password@host/name',
      );
    }
    checkTransports(reader, databaseUrl, settings);
    checkSignup(reader, settings);
  }
  const cnab = readCnabSettings(reader, settings.boletoAgreement, {
    boletos: settings.boletoProvider === 'cnab',
    payouts: settings.payoutProviders.includes('cnab'),
  });
  checkExtraCertificates(reader);
  const warnings = reportMisspelledNames(reader, environment, mode);
  const otherMasterKey = masterKeys.find(isFrom);
  return { reader, mode, databaseUrl, settings, masterKeys: current, otherMasterKey, cnab, warnings };
}

/** Node only warns of a file that it cannot read, and every connection that needs it fails. */
function checkExtraCertificates(reader: SettingsReader): void {
  const path = reader.text('NODE_EXTRA_CA_CERTS');
  if (path === undefined) return;
  const file = readPemFile(path);
  if ('problem' in file) reader.errors.push(`NODE_EXTRA_CA_CERTS ${file.problem}`);
}

/** A misspelled name is an error outside the sandbox, and a warning in it. */
function reportMisspelledNames(
  reader: SettingsReader,
  environment: Environment,
  mode: Mode,
): readonly string[] {
  const set = Object.keys(environment).filter((name) => environment[name]?.trim());
  const lines = findMisspelledNames(set, reader.names).map(
    ({ name, meant }) => `${name} is not a setting; did you mean ${meant}?`,
  );
  if (mode === 'sandbox') return lines;
  reader.errors.push(...lines);
  return [];
}

/**
 * Refuses a password of the first operator that is easily guessed. The word lists that it takes are
 * loaded only if the setting is used.
 *
 * @throws ConfigError
 */
export async function checkAdminPassword({ mode, adminEmail, adminPassword }: Config): Promise<void> {
  if (mode === 'sandbox' || adminPassword === undefined) return;
  await loadPasswordEstimator();
  if (!isCommonPassword(adminPassword, adminEmail === undefined ? [] : [adminEmail])) return;
  throw new ConfigError(['ADMIN_PASSWORD must not be a common or easily guessed password']);
}

function checkFirstOperator(
  reader: SettingsReader,
  { adminEmail, adminPassword }: Pick<Settings, 'adminEmail' | 'adminPassword'>,
  mode: Mode,
): void {
  if (mode === 'sandbox' || (adminEmail === undefined) === (adminPassword === undefined)) return;
  if (reader.errors.some((line) => line.startsWith('ADMIN_'))) return;
  const missing = adminEmail === undefined ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD';
  reader.errors.push(
    `${missing} is required: ADMIN_EMAIL and ADMIN_PASSWORD together create the first operator`,
  );
}

/** Credentials and personal data must not cross a network in plain text, unless that is allowed. */
function checkTransports(
  reader: SettingsReader,
  databaseUrl: string | undefined,
  {
    databaseAllowPlaintext,
    redisUrl,
    redisAllowPlaintext,
  }: Pick<Settings, 'databaseAllowPlaintext' | 'redisUrl' | 'redisAllowPlaintext'>,
): void {
  if (!databaseAllowPlaintext && databaseUrl !== undefined && isPlaintext(databaseUrl)) {
    reader.errors.push(
      'DATABASE_URL must use TLS outside the sandbox: add sslmode=verify-full, or set ' +
        'DATABASE_ALLOW_PLAINTEXT=true if the network is trusted',
    );
  }
  if (!redisAllowPlaintext && redisUrl !== undefined && isPlaintextRedis(redisUrl)) {
    reader.errors.push(
      'REDIS_URL must use TLS outside the sandbox: begin it with rediss://, or set ' +
        'REDIS_ALLOW_PLAINTEXT=true if the network is trusted',
    );
  }
}

/** Confirmation links require a mail server. */
function checkSignup(
  reader: SettingsReader,
  { signup, signupConfirmEmail, mail }: Pick<Settings, 'signup' | 'signupConfirmEmail' | 'mail'>,
): void {
  if (signup === 'closed' || !signupConfirmEmail || mail.smtp !== undefined) return;
  if (reader.errors.some((line) => line.startsWith('SMTP_URL'))) return;
  reader.errors.push('SMTP_URL is required for SIGNUP=open: a link confirms the email of each applicant');
}

function localUrlOf({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function checkLocalUrl(reader: SettingsReader, url: string): void {
  if (url.length - 'http://'.length <= MAX_PUBLIC_HOST_LENGTH) return;
  reader.errors.push(
    `PUBLIC_URL is required: HOST and PORT make an address of more than ${MAX_PUBLIC_HOST_LENGTH} characters`,
  );
}

function readGeneratedSecrets(dataDir: string): GeneratedSecrets {
  try {
    return generatedSecrets(dataDir);
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : 'DATA_DIR cannot be used']);
  }
}
