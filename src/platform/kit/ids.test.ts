import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { apiKeyPrefix, hashCredential, isApiKey, isUuid, isUuidV4, newApiKey, newId } from './ids.ts';

const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Any time until the year 10000, which fits into 48 bits. */
const time = fc.integer({ min: 0, max: 253_402_300_799_999 });

describe('newId', () => {
  it('returns a valid UUID v4 at any time', () => {
    fc.assert(
      fc.property(time, (nowMs) => {
        expect(newId(nowMs)).toMatch(V4);
      }),
    );
  });

  it('stores the time in the first 48 bits', () => {
    fc.assert(
      fc.property(time, (nowMs) => {
        expect(Number.parseInt(newId(nowMs).replaceAll('-', '').slice(0, 12), 16)).toBe(nowMs);
      }),
    );
  });

  it('sorts by time as text, as in the database', () => {
    fc.assert(
      fc.property(time, time, (a, b) => {
        fc.pre(a < b);
        expect(newId(a) < newId(b)).toBe(true);
      }),
    );
  });

  it('is unique within a millisecond', () => {
    const ids = Array.from({ length: 20_000 }, () => newId(1_785_000_000_000));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('isUuid and isUuidV4', () => {
  it.each(['11111111-1111-4111-8111-111111111111', 'ABCDEFAB-CDEF-4ABC-AABC-ABCDEFABCDEF'])(
    'accept %s',
    (text) => {
      expect(isUuid(text)).toBe(true);
      expect(isUuidV4(text)).toBe(true);
    },
  );

  it.each([
    '11111111-1111-1111-8111-111111111111',
    '018f3c5e-7b7a-7c5e-8a1b-2c3d4e5f6a7b',
    '11111111-1111-4111-c111-111111111111',
    '00000000-0000-0000-0000-000000000000',
  ])('distinguish %s, a UUID, from a UUID v4', (text) => {
    expect(isUuid(text)).toBe(true);
    expect(isUuidV4(text)).toBe(false);
  });

  it.each([
    '',
    '11111111111141118111111111111111',
    '{11111111-1111-4111-8111-111111111111}',
    'urn:uuid:11111111-1111-4111-8111-111111111111',
    '11111111-1111-4111-8111-11111111111',
    '11111111-1111-4111-8111-1111111111111',
    '11111111-1111-4111-8111-111111111111\n',
    ' 11111111-1111-4111-8111-111111111111',
    '1111111g-1111-4111-8111-111111111111',
  ])('reject %j, which PostgreSQL may accept', (text) => {
    expect(isUuid(text)).toBe(false);
    expect(isUuidV4(text)).toBe(false);
  });
});

describe('API keys', () => {
  it.each(['test', 'live'] as const)('consist of sk_%s_ and 32 random bytes with a checksum', (kind) => {
    const key = newApiKey(kind);
    expect(key).toMatch(new RegExp(`^sk_${kind}_[0-9A-Za-z]{49}$`));
    expect(isApiKey(key)).toBe(true);
    expect(newApiKey(kind)).not.toBe(key);
  });

  it('use the whole alphabet at every position', () => {
    const keys = Array.from({ length: 2_000 }, () => newApiKey('test').slice(8, 51));
    for (let place = 1; place < 43; place += 1) {
      expect(new Set(keys.map((key) => key[place])).size).toBe(62);
    }
  });

  it('detect typing errors by their checksum', () => {
    const key = newApiKey('test');
    for (let place = 8; place < key.length; place += 1) {
      const other = key[place] === 'x' ? 'y' : 'x';
      expect(isApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBe(false);
    }
    expect(isApiKey(key.replace('sk_test_', 'sk_live_'))).toBe(false);
    expect(isApiKey(key.slice(0, -1))).toBe(false);
    expect(isApiKey(`${key}x`)).toBe(false);
    expect(isApiKey(` ${key.slice(0, -1)}`)).toBe(false);
    expect(isApiKey('')).toBe(false);
  });

  it('have a prefix with at most eight random characters', () => {
    const key = newApiKey('live');
    const prefix = apiKeyPrefix(key);
    expect(key.startsWith(prefix)).toBe(true);
    expect(prefix).toMatch(/^sk_live_.{1,8}$/);
  });
});

describe('hashCredential', () => {
  it('is SHA-256', () => {
    expect(hashCredential('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
