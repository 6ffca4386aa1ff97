import { describe, expect, it } from 'vitest';

import type { Mode } from '#platform/config/settings.ts';
import { SettingsReader } from '#platform/config/settings-reader.ts';
import { createSignatureCheck } from './notification-routes.ts';
import { addressOf, readAdyenSettings } from './settings.ts';

const KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';

const GOOD = {
  ADYEN_API_KEY: 'AQE-secret-key',
  ADYEN_MERCHANT_ACCOUNT: 'GatewayBR',
  ADYEN_HMAC_KEY: KEY,
  ADYEN_ENVIRONMENT: 'test',
  ADYEN_NOTIFICATION_USER: 'adyen',
  ADYEN_NOTIFICATION_PASSWORD: 'a long secret password',
};

function errorsOf(changes: Readonly<Record<string, string>>, mode: Mode = 'production'): readonly string[] {
  const reader = new SettingsReader({ ...GOOD, ...changes });
  readAdyenSettings(reader, 'ADYEN', mode);
  return reader.errors;
}

function addressWith(changes: Readonly<Record<string, string>>) {
  const reader = new SettingsReader({ ADYEN2_ENVIRONMENT: 'test', ...changes });
  return addressOf(readAdyenSettings(reader, 'ADYEN2', 'production'), 'ADYEN2');
}

describe('addressOf', () => {
  it('is that of the test system, of the account or of ADYEN_URL, with the setting that decides it', () => {
    expect(addressWith({})).toEqual({ name: 'ADYEN2_ENVIRONMENT', value: 'https://checkout-test.adyen.com' });
    expect(
      addressWith({ ADYEN2_ENVIRONMENT: 'live', ADYEN2_LIVE_PREFIX: '1797a841fbb37ca7-Example' }),
    ).toEqual({
      name: 'ADYEN2_LIVE_PREFIX',
      value: 'https://1797a841fbb37ca7-Example-checkout-live.adyenpayments.com',
    });
    expect(addressWith({ ADYEN2_URL: 'https://localhost:8443' })).toEqual({
      name: 'ADYEN2_URL',
      value: 'https://localhost:8443',
    });
  });
});

describe('readAdyenSettings', () => {
  it('accepts complete settings', () => {
    expect(errorsOf({})).toEqual([]);
    expect(errorsOf({ ADYEN_ENVIRONMENT: 'live', ADYEN_LIVE_PREFIX: '1797a841fbb37ca7-Example' })).toEqual(
      [],
    );
    expect(errorsOf({ ADYEN_ENVIRONMENT: '' }, 'sandbox')).toEqual([]);
  });

  it('accepts a proxy in the sandbox on this machine, or declared as a test system', () => {
    const away = { ADYEN_URL: 'https://cards.example.com' };
    expect(errorsOf(away, 'sandbox')).toEqual([
      'ADYEN_URL must be a loopback address in MODE=sandbox; ' +
        "ADYEN_TEST_ENVIRONMENT=true declares it the provider's test system",
    ]);
    expect(errorsOf({ ...away, ADYEN_TEST_ENVIRONMENT: 'true' }, 'sandbox')).toEqual([]);
    expect(errorsOf({ ADYEN_URL: 'https://localhost:8443' }, 'sandbox')).toEqual([]);
  });

  it.each([
    [{ ADYEN_API_KEY: '' }, 'ADYEN_API_KEY is required: the key of the API credential'],
    [
      { ADYEN_MERCHANT_ACCOUNT: '' },
      'ADYEN_MERCHANT_ACCOUNT is required: the merchant account of the API credential',
    ],
    [{ ADYEN_HMAC_KEY: '' }, "ADYEN_HMAC_KEY is required: the webhook's HMAC key, 64 hexadecimal digits"],
    [{ ADYEN_API_KEY: 'change-me' }, 'ADYEN_API_KEY must be a secret of your own, not a placeholder'],
    [{ ADYEN_HMAC_KEY: KEY.slice(1) }, 'ADYEN_HMAC_KEY must be 64 hexadecimal digits'],
    [{ ADYEN_ENVIRONMENT: '' }, 'ADYEN_ENVIRONMENT is required outside MODE=sandbox: test or live'],
    [{ ADYEN_ENVIRONMENT: 'prod' }, 'ADYEN_ENVIRONMENT must be one of test, live, got "prod"'],
    [{ ADYEN_ENVIRONMENT: 'live' }, "ADYEN_LIVE_PREFIX is required: the prefix of the account's live URLs"],
    [
      { ADYEN_LIVE_PREFIX: 'a/b' },
      'ADYEN_LIVE_PREFIX must be a prefix such as 1797a841fbb37ca7-ExampleCompany',
    ],
    [{ ADYEN_URL: 'http://cards.example.com' }, 'ADYEN_URL must be a URL such as https://cards.example.com'],
    [{ ADYEN_NOTIFICATION_USER: 'a:b' }, 'ADYEN_NOTIFICATION_USER must not contain a colon'],
    [
      { ADYEN_NOTIFICATION_PASSWORD: 'short-one' },
      'ADYEN_NOTIFICATION_PASSWORD must have 16 characters or more',
    ],
    [
      { ADYEN_CA_FILE: '/nowhere/ca.pem' },
      'ADYEN_CA_FILE names /nowhere/ca.pem, which cannot be read (ENOENT): create the file, or ' +
        'correct the path',
    ],
    [
      { ADYEN_CERT_FILE: '/dev/null' },
      'ADYEN_CERT_FILE names /dev/null, which is not PEM: it must contain a line -----BEGIN …-----',
    ],
  ])('reports one line without secrets for %j', (changes, line) => {
    const errors = errorsOf(changes);
    expect(errors).toEqual([line]);
    for (const secret of ['AQE-', KEY.slice(1), 'a long', 'short-one'])
      expect(errors.join()).not.toContain(secret);
  });

  it('rejects the live environment in the sandbox', () => {
    const live = { ADYEN_ENVIRONMENT: 'live', ADYEN_LIVE_PREFIX: 'prefix' };
    expect(errorsOf(live, 'sandbox')).toEqual([
      'ADYEN_ENVIRONMENT must not be live in MODE=sandbox: it moves money',
    ]);
  });
});

describe('createSignatureCheck', () => {
  // Example from Adyen's documentation.
  const item = {
    pspReference: '7914073381342284',
    originalReference: '',
    merchantAccountCode: 'TestMerchant',
    merchantReference: 'TestPayment-1407325143704',
    amount: { value: 1130, currency: 'EUR' },
    eventCode: 'AUTHORISATION',
    success: 'true' as const,
    additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
  };
  const isGenuine = createSignatureCheck(KEY);

  it('accepts the documented signature', () => {
    expect(isGenuine(item)).toBe(true);
    expect(isGenuine({ ...item, originalReference: null })).toBe(true);
  });

  it.each([
    [{ success: 'false' as const }],
    [{ amount: { value: 1131, currency: 'EUR' } }],
    [{ merchantReference: 'another' }],
    [{ additionalData: {} }],
    [{ additionalData: { hmacSignature: '' } }],
    [{ additionalData: { hmacSignature: 'doqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' } }],
    [{ additionalData: { hmacSignature: 7 } }],
  ])('rejects a notification with %j', (changes) => {
    expect(isGenuine({ ...item, ...changes })).toBe(false);
  });
});
