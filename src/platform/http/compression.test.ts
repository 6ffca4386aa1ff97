import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { compressible, selectEncoding } from './compression.ts';

describe('selectEncoding', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['br;q=nonsense', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const)('for "%s" returns %s', (header, expected) => {
    expect(selectEncoding(header)).toBe(expected);
  });
});

describe('compressible', () => {
  it('returns the bytes, and each compressed form from one compression', async () => {
    const bytes = Buffer.from('a transaction '.repeat(1_000));
    const body = compressible(bytes);
    expect(await body(undefined)).toBe(bytes);
    expect(brotliDecompressSync(await body('br'))).toEqual(bytes);
    expect(gunzipSync(await body('gzip'))).toEqual(bytes);
    expect(await body('br')).toBe(await body('br'));
  });
});
