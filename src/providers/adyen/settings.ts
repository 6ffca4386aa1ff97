import { readHttpsUrl, readTls, requireTestSystem } from '#providers/connection-settings.ts';
import type { TlsIdentity } from '#providers/connections.ts';
import type { Mode } from '#platform/config/settings.ts';
import { isPlaceholder, type NamedValue, type SettingsReader } from '#platform/config/settings-reader.ts';

/** The operator's account with Adyen. */
export interface AdyenSettings {
  readonly environment: 'test' | 'live';
  readonly apiKey: string;
  readonly merchantAccount: string;
  /** Prefix of the live endpoints; undefined in the test environment. */
  readonly livePrefix: string | undefined;
  /** URL of a proxy to use instead of Adyen's endpoints, without a trailing slash. */
  readonly url: string | undefined;
  readonly tls: TlsIdentity;
  readonly notifications: {
    /** 32 bytes in hexadecimal. */
    readonly hmacKey: string;
    readonly user: string;
    readonly password: string;
  };
}

/**
 * Reads the settings of one account, whose names begin with the prefix (`ADYEN`, `ADYEN2`). Invalid
 * settings are reported in `reader.errors`, and the result must then not be used.
 */
export function readAdyenSettings(reader: SettingsReader, prefix: string, mode: Mode): AdyenSettings {
  const nameOf = (name: string) => `${prefix}_${name}`;
  const required = (name: string, what: string) => reader.required(nameOf(name), what);
  const secret = (name: string, what: string): string => {
    const text = required(name, what);
    if (text !== '' && isPlaceholder(text)) {
      reader.errors.push(`${nameOf(name)} must be a secret of your own, not a placeholder`);
    }
    return text;
  };
  const environment = readEnvironment(reader, nameOf('ENVIRONMENT'), mode);
  const livePrefix = reader.text(nameOf('LIVE_PREFIX'));
  if (environment === 'live' && livePrefix === undefined) {
    reader.errors.push(`${nameOf('LIVE_PREFIX')} is required: the prefix of the account's live URLs`);
  }
  const prefixForm = 'a prefix such as 1797a841fbb37ca7-ExampleCompany';
  reader.checkFormat(nameOf('LIVE_PREFIX'), livePrefix ?? '', /^[\w-]{1,100}$/, prefixForm);
  const hmacKey = secret('HMAC_KEY', "the webhook's HMAC key, 64 hexadecimal digits");
  reader.checkFormat(nameOf('HMAC_KEY'), hmacKey, /^[0-9a-f]{64}$/i, '64 hexadecimal digits');
  const password = secret('NOTIFICATION_PASSWORD', 'the password with which Adyen calls the webhook');
  if (password !== '' && password.length < 16) {
    reader.errors.push(`${nameOf('NOTIFICATION_PASSWORD')} must have 16 characters or more`);
  }
  const user = required('NOTIFICATION_USER', 'the user name with which Adyen calls the webhook');
  if (user.includes(':')) reader.errors.push(`${nameOf('NOTIFICATION_USER')} must not contain a colon`);
  const url = readHttpsUrl(reader, nameOf('URL'), 'https://cards.example.com');
  if (mode === 'sandbox') requireTestSystem(reader, prefix, { [nameOf('URL')]: url });
  return {
    environment,
    apiKey: secret('API_KEY', 'the key of the API credential'),
    merchantAccount: required('MERCHANT_ACCOUNT', 'the merchant account of the API credential'),
    livePrefix,
    url,
    tls: readTls(reader, nameOf, { mutual: false }),
    notifications: { hmacKey, user, password },
  };
}

/** The address that the library calls, and the setting that decides it. */
export function addressOf({ url, environment, livePrefix }: AdyenSettings, prefix: string): NamedValue {
  if (url !== undefined) return { name: `${prefix}_URL`, value: url };
  if (environment === 'test')
    return { name: `${prefix}_ENVIRONMENT`, value: 'https://checkout-test.adyen.com' };
  const value = `https://${livePrefix}-checkout-live.adyenpayments.com`;
  return { name: `${prefix}_LIVE_PREFIX`, value };
}

/**
 * The live environment moves money, so it is never allowed in the sandbox, whose clock can be
 * advanced. Outside the sandbox the setting is required.
 */
function readEnvironment(reader: SettingsReader, name: string, mode: Mode): 'test' | 'live' {
  const environment = reader.choice(name, 'test', ['test', 'live']);
  if (reader.text(name) === undefined && mode !== 'sandbox') {
    reader.errors.push(`${name} is required outside MODE=sandbox: test or live`);
  }
  if (environment === 'live' && mode === 'sandbox') {
    reader.errors.push(`${name} must not be live in MODE=sandbox: it moves money`);
  }
  return environment;
}
